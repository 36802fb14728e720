//! Standard output: results only, whole lines, wrapped to the terminal. A reader that goes away (`| head`) is no error.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use serde::Serialize;

/// The narrowest and widest column that text is wrapped at; a pipe gets the default.
const NARROW: usize = 40;
const WIDE: usize = 100;
const PIPE: usize = 80;

/// Prints text, and a line end where it has none.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut write = || {
        out.write_all(text.as_bytes())?;
        if !text.ends_with('\n') {
            out.write_all(b"\n")?;
        }
        out.flush()
    };
    match write() {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Prints one JSON document.
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    print(&serde_json::to_string_pretty(value)?)?;
    Ok(())
}

/// Prints one line on standard error.
pub(crate) fn note(text: &str) {
    // nobody is there to be told
    drop(writeln!(io::stderr().lock(), "{text}"));
}

/// Prints on standard error without ending the line: a question, or how far something is.
pub(crate) fn ask(text: &str) {
    let mut out = io::stderr().lock();
    // nobody is there to be told
    drop(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// Asks a question that a person answers with yes or no; anything but a yes is a no. Only for a terminal.
pub(crate) fn agreed(question: &str) -> io::Result<bool> {
    ask(&format!("{question} [y/N] "));
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// An error with its causes, as one line: each says what the one before it does not.
pub(crate) fn sentence(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain() {
        let text = plain(&cause.to_string()).replace('\n', " ");
        if line.contains(text.trim_end_matches('.')) {
            continue;
        }
        if !line.is_empty() {
            line.truncate(line.trim_end_matches('.').len());
            line.push_str(": ");
        }
        line.push_str(&text);
    }
    line
}

/// Whether a person looks at standard output.
pub(crate) fn on_terminal() -> bool {
    io::stdout().is_terminal()
}

/// How many columns text may take.
pub(crate) fn width() -> usize {
    if !on_terminal() {
        return PIPE;
    }
    terminal_size::terminal_size()
        .map_or(PIPE, |(width, _)| usize::from(width.0).clamp(NARROW, WIDE))
}

/// The columns of the terminal that a table has to fit into; a pipe takes any width.
pub(crate) fn room() -> Option<usize> {
    let size = terminal_size::terminal_size().filter(|_| on_terminal());
    size.map(|(width, _)| usize::from(width.0).max(NARROW))
}

/// Text for a terminal: without control characters, so that a record cannot move the cursor or change colours.
pub(crate) fn plain(text: &str) -> String {
    text.chars()
        .filter_map(|c| match c {
            '\n' => Some('\n'),
            '\t' => Some(' '),
            c if c.is_control() => None,
            // directional overrides would reorder what stands around them
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => None,
            c => Some(c),
        })
        .collect()
}

/// Wraps each line at blanks; further lines of one get the indent of the first, and of a list's mark.
pub(crate) fn wrap(text: &str, width: usize, indent: &str) -> String {
    let mut out = String::new();
    for line in plain(text).lines() {
        let lead: String = line.chars().take_while(|c| *c == ' ').collect();
        let hang = if line.trim_start().starts_with("- ") {
            "  "
        } else {
            ""
        };
        let mut column = 0;
        for word in line.split_whitespace() {
            let long = columns(word);
            if column > 0 && column + 1 + long > width {
                out.push('\n');
                column = 0;
                out.push_str(indent);
                out.push_str(&lead);
                out.push_str(hang);
                column += columns(indent) + columns(&lead) + hang.len();
            } else if column > 0 {
                out.push(' ');
                column += 1;
            } else {
                out.push_str(indent);
                out.push_str(&lead);
                column += columns(indent) + columns(&lead);
            }
            out.push_str(word);
            column += long;
        }
        out.push('\n');
    }
    out
}

/// Columns of a terminal, near enough: East Asian wide characters and emoji take two.
pub(crate) fn columns(text: &str) -> usize {
    text.chars()
        .map(|c| match u32::from(c) {
            0x300..=0x36f | 0x200b..=0x200f | 0xfe00..=0xfe0f => 0,
            0x1100..=0x115f
            | 0x2e80..=0xa4cf
            | 0xac00..=0xd7a3
            | 0xf900..=0xfaff
            | 0xfe30..=0xfe6f
            | 0xff00..=0xff60
            | 0xffe0..=0xffe6
            | 0x1f300..=0x1faff
            | 0x2_0000..=0x3_fffd => 2,
            _ => 1,
        })
        .sum()
}

/// A word as a shell takes it.
pub(crate) fn shell(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:\\".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A table: columns padded to their widest cell, two blanks between, no blanks at the end of a line.
pub(crate) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = head.iter().map(|cell| columns(cell)).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(columns(&plain(cell)));
        }
    }
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let mut out = String::new();
    for row in std::iter::once(&head).chain(rows) {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let cell = plain(cell);
            line.push_str(&cell);
            line.push_str(&" ".repeat(width.saturating_sub(columns(&cell)) + 2));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// A table that is no wider than `room`. Where it would be, each row goes on in indented lines below, and nothing of it is left out.
pub(crate) fn fitted(head: &[&str], rows: &[Vec<String>], room: Option<usize>) -> String {
    let whole = table(head, rows);
    let Some(room) = room.filter(|room| whole.lines().any(|line| columns(line) > *room)) else {
        return whole;
    };
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let mut out = String::new();
    for row in std::iter::once(&head).chain(rows) {
        let mut line = String::new();
        for cell in row {
            let cell = plain(cell);
            let beside = columns(&line) + 2 + columns(&cell) <= room;
            if !line.is_empty() && beside {
                line.push_str("  ");
                line.push_str(&cell);
                continue;
            }
            if !line.is_empty() {
                out.push_str(&line);
                out.push('\n');
            }
            let indent = if line.is_empty() { "" } else { GO_ON };
            let mut pieces = pieces(&cell, room - columns(GO_ON));
            line = format!("{indent}{}", pieces.pop().unwrap_or_default());
            for piece in pieces {
                out.push_str(indent);
                out.push_str(&piece);
                out.push('\n');
            }
        }
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// Before what goes on below a row.
const GO_ON: &str = "    ";

/// Text for a terminal in lines of at most this many columns, without trailing blanks; at least one.
pub(crate) fn parted(text: &str, room: usize) -> Vec<String> {
    let mut lines = pieces(&plain(text), room.max(1));
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    lines
}

/// A cell in pieces of at most this many columns, parted at blanks where there are any; at least one.
fn pieces(cell: &str, room: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for word in cell.split_inclusive(' ') {
        let mut rest = word;
        while let Some(last) = pieces.last_mut() {
            let free = room.saturating_sub(columns(last));
            if columns(rest.trim_end()) <= free {
                last.push_str(rest);
                break;
            }
            if !last.is_empty() {
                last.truncate(last.trim_end().len());
                pieces.push(String::new());
                continue;
            }
            // a word that is wider than a line
            let mut taken = 0;
            let end = rest.char_indices().find_map(|(at, c)| {
                taken += columns(c.encode_utf8(&mut [0; 4]));
                (taken > room).then_some(at)
            });
            let (fits, left) = rest.split_at(end.unwrap_or(rest.len()));
            last.push_str(fits);
            rest = left;
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_is_too_wide_goes_on_below_and_loses_nothing() {
        let long = "漢".repeat(30);
        let rows = [
            vec![
                "a".to_owned(),
                "one two three four five six".to_owned(),
                "1".to_owned(),
            ],
            vec!["b".to_owned(), "x".repeat(70), long.clone()],
            vec!["c".to_owned(), String::new(), "3".to_owned()],
        ];
        for room in [NARROW, 41, 50, 72, 80] {
            let text = fitted(&["ID", "WORDS", "N"], &rows, Some(room));
            assert!(text.lines().all(|line| columns(line) <= room), "{text}");
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            let all: String = rows.iter().flatten().map(|cell| bare(cell)).collect();
            assert_eq!(bare(&text), format!("IDWORDSN{all}"));
        }
        assert_eq!(
            fitted(&["ID", "WORDS"], &rows[..1], Some(NARROW)),
            table(&["ID", "WORDS"], &rows[..1])
        );
        assert_eq!(fitted(&["ID"], &rows, None), table(&["ID"], &rows));
    }

    #[test]
    fn text_is_wrapped_at_blanks_and_lists_hang() {
        let text = "one two three four\n\n- five six seven eight\n";
        assert_eq!(
            wrap(text, 14, "  "),
            "  one two\n  three four\n\n  - five six\n    seven\n    eight\n"
        );
        assert_eq!(
            wrap("averyveryverylongword x", 8, ""),
            "averyveryverylongword\nx\n"
        );
        assert_eq!(wrap("漢字漢字 漢字", 10, ""), "漢字漢字\n漢字\n");
    }

    #[test]
    fn a_record_cannot_steer_the_terminal() {
        assert_eq!(
            plain("a\u{1b}[31mred\u{7}\u{202e}b\tc\r\n"),
            "a[31mredb c\n"
        );
    }

    #[test]
    fn a_folder_is_quoted_for_a_shell() {
        assert_eq!(shell("/home/ada/data"), "/home/ada/data");
        assert_eq!(shell("/home/a b"), "'/home/a b'");
        assert_eq!(shell("it's"), r"'it'\''s'");
        assert_eq!(shell(""), "''");
    }

    #[test]
    fn an_error_is_one_line_with_its_causes_and_no_repetition() {
        let error = anyhow::Error::msg("no such file\nor folder")
            .context("The folder cannot be used.")
            .context("The folder cannot be used.");
        assert_eq!(
            sentence(&error),
            "The folder cannot be used: no such file or folder"
        );
    }

    #[test]
    fn a_table_lines_up() {
        let rows = vec![
            vec!["a".to_owned(), "1".to_owned()],
            vec!["漢字".to_owned(), "2".to_owned()],
        ];
        assert_eq!(table(&["ID", "N"], &rows), "ID    N\na     1\n漢字  2\n");
    }
}
