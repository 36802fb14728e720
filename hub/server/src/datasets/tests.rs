//! Tables out of text: delimiters, marks, quotes, line ends, and what is wrong with its line.

use super::*;

fn names(table: &Table) -> Vec<(&str, Holds)> {
    let columns = table.columns.iter();
    columns
        .map(|column| (column.name.as_str(), column.holds))
        .collect()
}

#[test]
fn any_delimiter_is_found_or_given_and_quotes_keep_what_they_hold() {
    for (text, given, delimiter) in [
        ("a,b\r\n\"x, \"\"y\"\"\r\nz\",1\r\n", None, b','),
        ("a;b\n\"x, \"\"y\"\"\r\nz\";1\n", None, b';'),
        ("a\tb\n\"x, \"\"y\"\"\r\nz\"\t1", None, b'\t'),
        ("a|b\n\"x, \"\"y\"\"\r\nz\"|1", None, b'|'),
        ("a~b\n\"x, \"\"y\"\"\r\nz\"~1", Some(b'~'), b'~'),
        ("sep=;\na;b\n\"x, \"\"y\"\"\r\nz\";1", None, b';'),
    ] {
        let table = Table::read(text, given, true).unwrap();
        assert_eq!(table.delimiter, delimiter, "{text}");
        assert_eq!(table.rows, [["x, \"y\"\r\nz", "1"]], "{text}");
        assert_eq!(names(&table), [("a", Holds::Text), ("b", Holds::Number)]);
    }
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    for (text, says) in [
        ("a,b\n1,2\n\n3\n", "Line 4 has 1 cells and the first row 2."),
        (
            "a,b\n1,\"2\n3,4\n",
            "The quote that opens in line 2 is never closed.",
        ),
        ("a, a\n", "Two columns are called “a”"),
        ("", "There is no row in the text."),
    ] {
        let refused = Table::read(text, None, true).unwrap_err();
        assert!(refused.starts_with(says), "{refused}");
    }
    let long = format!("a\n{}", "1\n".repeat(ROWS_MAX + 1));
    assert!(
        Table::read(&long, None, true)
            .unwrap_err()
            .contains("line 20002")
    );
    let wide = ",".repeat(COLUMNS_MAX);
    assert!(
        Table::read(&wide, None, false)
            .unwrap_err()
            .contains("200 columns")
    );
    let big = "1".repeat(BYTES_MAX + 1);
    assert!(
        Table::read(&big, None, false)
            .unwrap_err()
            .contains("1000000 bytes")
    );
}

#[test]
fn columns_hold_what_all_their_cells_are() {
    let text = "n,d,t,b,x,e,z,i\n1.5,2026-01-02,2026-01-02T03:04:05Z,yes,1,,007,2\n-2e3,2025-12-31,2026-01-01T00:00:00+01:00,No,a,,008,\n";
    let table = Table::read(text, None, true).unwrap();
    let holds: Vec<Holds> = table.columns.iter().map(|column| column.holds).collect();
    let wanted = [
        Holds::Number,
        Holds::Date,
        Holds::Date,
        Holds::Boolean,
        Holds::Text,
        Holds::Text,
        Holds::Text,
        Holds::Number,
    ];
    assert_eq!(holds, wanted);
    let shown = table.columns_shown();
    assert_eq!(
        (&shown[0]["min"], &shown[0]["max"]),
        (&json!(-2000.0), &json!(1.5))
    );
    assert_eq!(shown[1]["min"], "2025-12-31");
    assert_eq!(
        (&shown[5]["missing"], &shown[7]["missing"]),
        (&json!(2), &json!(1))
    );
    for none in ["inf", "nan", "0x10", "1,5", "1_000", "", "-", "+.e1"] {
        assert_eq!(number(none), None, "{none}");
    }
}

#[test]
fn without_names_the_columns_are_counted() {
    let table = Table::read("1,2\n3,4\n", None, false).unwrap();
    assert_eq!(
        names(&table),
        [("column 1", Holds::Number), ("column 2", Holds::Number)]
    );
    assert_eq!(table.rows.len(), 2);
}
