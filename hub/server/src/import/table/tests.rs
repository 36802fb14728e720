//! Tables of tasks: columns by many names, delimiters, encodings, dates, and rows that are bad.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::*;

fn options() -> Options {
    Options {
        name: None,
        columns: Vec::new(),
        dates: None,
        zone: TimeZone::UTC,
        now: Timestamp::UNIX_EPOCH,
    }
}

fn of(text: &str) -> Parsed {
    read(text.as_bytes(), "t.csv", &options()).unwrap()
}

#[test]
fn columns_are_whole_whatever_the_delimiter_and_the_marks() {
    for text in [
        "\u{feff}\"title, long\",status\n\"a, \"\"b\"\"\",done\n",
        "\u{feff}\"title, long\";status\n\"a, \"\"b\"\"\";done\n",
        "sep=;\r\n\"title, long\";status\r\n\"a, \"\"b\"\"\";done\r\n",
        "\"sep=|\"\n\"title, long\"|status\n\"a, \"\"b\"\"\"|done\n",
        "title, long\tstatus\na, \"b\"\tdone\n",
    ] {
        let options = Options {
            columns: vec![(Field::Title, "title, long".to_owned())],
            ..options()
        };
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [text.as_bytes(), &utf16] {
            let parsed = read(bytes, "t.csv", &options).unwrap();
            let [item] = parsed.items.as_slice() else {
                panic!("{text:?}: {parsed:?}")
            };
            assert_eq!(item.title, "a, \"b\"", "{text:?}");
            assert_eq!(item.status.as_deref(), Some("done"), "{text:?}");
        }
    }
    let one = of("Task\nfirst\nsecond; with; marks\n");
    assert_eq!(one.items[1].title, "second; with; marks");
}

#[test]
fn a_bad_row_is_named_by_its_line_and_the_rest_is_read() {
    let parsed = of(
        "title,status,due\nfine,,2026-02-28\n\"two\nlines\",nonsense,\nshort\n\n,done,\nlast,done,2026-02-30\n\"kept\",,\n",
    );
    let titles: Vec<&str> = parsed
        .items
        .iter()
        .map(|item| item.title.as_str())
        .collect();
    assert_eq!(titles, ["fine", "kept"]);
    let places: Vec<&str> = parsed.bad.iter().map(|bad| bad.place.as_str()).collect();
    assert_eq!(places, ["line 5", "line 3", "line 7", "line 8"]);
    assert!(
        parsed.bad[1].reason.contains("“nonsense” is no status"),
        "{:?}",
        parsed.bad
    );
    let open = read(b"title,b\n1,\"x\n2,y\n", "t", &options()).unwrap_err();
    assert_eq!(open, "the quote that opens in line 2 is never closed.");
}

#[test]
fn a_due_date_is_the_day_that_was_written() {
    for (cell, day) in [
        ("2026-08-08", "2026-08-08"),
        ("2026-08-08T23:59:00-05:00", "2026-08-08"),
        ("2026-08-08T00:00:00Z", "2026-08-08"),
        ("2026/8/8", "2026-08-08"),
        ("8.8.2026", "2026-08-08"),
        ("31/12/2026 10:00", "2026-12-31"),
        ("12/31/2026", "2026-12-31"),
    ] {
        let parsed = of(&format!("title,due\nx,{cell}\n"));
        assert_eq!(parsed.items[0].fields["due"], day, "{cell}");
    }
    let both = of("title,due\nx,03/04/2026\n");
    assert!(both.bad[0].reason.contains("two days"));
    let shown = of("title,due\nx,03/04/2026\ny,31/01/2026\n");
    assert_eq!(shown.items[0].fields["due"], "2026-04-03");
    let said = Options {
        dates: Some(DateOrder::MonthFirst),
        ..options()
    };
    let said = read(b"title,due\nx,03/04/2026\n", "t", &said).unwrap();
    assert_eq!(said.items[0].fields["due"], "2026-03-04");
    for bad in ["tomorrow", "2026-02-30", "2026-13-01", "20260808"] {
        assert_eq!(of(&format!("title,due\nx,{bad}\n")).bad_total, 1, "{bad}");
    }
}

#[test]
fn columns_that_are_nothing_are_named_and_the_person_can_say_what_they_are() {
    let parsed = of("Summary,Reporter,Zufall\nx,Ann,1\n");
    assert!(parsed.notes[0].contains("“Zufall”"), "{:?}", parsed.notes);
    assert_eq!(parsed.items[0].links[0].relation, relation::REQUESTED_BY);
    let none = read(b"a,b\n1,2\n", "t", &options()).unwrap_err();
    assert!(none.contains("--map title=COLUMN"), "{none}");
    let wrong = Options {
        columns: vec![(Field::Title, "c".to_owned())],
        ..options()
    };
    assert!(
        read(b"a,b\n1,2\n", "t", &wrong)
            .unwrap_err()
            .contains("no column “c”")
    );
}

#[test]
fn rows_keep_their_keys() {
    let keys =
        |text: &str| -> Vec<String> { of(text).items.into_iter().map(|item| item.key).collect() };
    assert_eq!(
        keys("title\nSame\nsame\n"),
        ["t.csv\ntitle same\n1", "t.csv\ntitle same\n2"]
    );
    assert_eq!(keys("id,title\n7,a\n"), keys("title,id\nb,7\n"));
}
