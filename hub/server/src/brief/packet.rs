//! The packet: what belongs to a task as one Markdown text of at most 7,000 characters. Sections
//! stand in the order of how much they matter; what does not fit is named, never dropped in
//! silence.

/// Characters kept for the last line, which names what was left out.
const RESERVE: usize = 700;

/// A part of the packet.
#[derive(Debug, Clone)]
pub struct Section {
    /// Its heading.
    pub heading: &'static str,
    /// Its entries; each stands whole or not at all.
    pub entries: Vec<String>,
}

/// The finished packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packet {
    /// The Markdown.
    pub text: String,
    /// What was left out, in words.
    pub left_out: Vec<String>,
}

/// The packet of `sections` under `head`, at most `limit` characters (at least 1,000). `left_out`
/// names what was already shortened.
pub fn render(head: &str, sections: &[Section], left_out: Vec<String>, limit: usize) -> Packet {
    let room = limit.saturating_sub(RESERVE);
    let mut text = crate::text::cut::head(head, room).to_owned();
    let mut used = text.chars().count();
    let mut left_out = left_out;
    for section in sections
        .iter()
        .filter(|section| !section.entries.is_empty())
    {
        let heading = format!("\n\n## {}\n", section.heading);
        let mut open = false;
        let mut missing = 0;
        for entry in &section.entries {
            let before = if open { 0 } else { heading.chars().count() };
            let size = before + 1 + entry.chars().count();
            if used + size > room {
                missing += 1;
                continue;
            }
            if !open {
                text.push_str(&heading);
                open = true;
            }
            text.push('\n');
            text.push_str(entry);
            used += size;
        }
        if missing > 0 {
            let all = section.entries.len();
            left_out.push(format!("{missing} of {all} under “{}”", section.heading));
        }
    }
    if !left_out.is_empty() {
        let names = crate::text::cut::excerpt(&left_out.join("; "), RESERVE - 80).0;
        text.push_str("\n\nLeft out for length: ");
        text.push_str(&names);
        text.push_str(". ensemble_read has it, by the handle above.");
    }
    Packet { text, left_out }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(heading: &'static str, count: usize, entry: &str) -> Section {
        let entries = (0..count).map(|n| format!("- {n} {entry}")).collect();
        Section { heading, entries }
    }

    #[test]
    fn what_fits_stands_whole_and_nothing_is_named_as_missing() {
        let packet = render(
            "# T",
            &[section("People", 2, "x"), section("None", 0, "")],
            vec![],
            7_000,
        );
        assert_eq!(packet.text, "# T\n\n## People\n\n- 0 x\n- 1 x");
        assert!(packet.left_out.is_empty());
    }

    #[test]
    fn what_does_not_fit_is_named_whatever_the_script() {
        for entry in [
            "word ".repeat(30),
            "漢字".repeat(60),
            "👩‍👩‍👧‍👦".repeat(20),
            "→".repeat(99),
        ] {
            for limit in [1_000, 2_000, 7_000] {
                let sections = [section("First", 60, &entry), section("Second", 5, "short")];
                let packet = render(&"t".repeat(900), &sections, vec!["the page".into()], limit);
                assert!(packet.text.chars().count() <= limit, "{limit}");
                assert!(packet.text.contains("Left out for length: the page; "));
                assert!(packet.left_out[1].ends_with("of 60 under “First”"));
            }
        }
    }

    #[test]
    fn a_long_list_of_names_is_cut_too() {
        let sections: Vec<Section> = (0..40)
            .map(|_| section("Heading", 9, &"w".repeat(700)))
            .collect();
        let packet = render("# T", &sections, vec![], 2_000);
        assert!(packet.text.chars().count() <= 2_000);
        assert_eq!(packet.left_out.len(), 40);
    }
}
