//! The pages: Markdown files of the repository's `docs/` folder, embedded when the hub is built
//! and cut into sections at their second-level headings.

/// Name of the file without its ending, and its text.
const PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/docs_pages.rs"));

/// A part of a page under one heading.
#[derive(Debug, Clone, Copy)]
pub struct Section {
    /// The page's name in its address.
    pub slug: &'static str,
    /// The page's title.
    pub title: &'static str,
    /// The section's heading, or the title for what stands before the first one.
    pub heading: &'static str,
    /// Its Markdown.
    pub text: &'static str,
}

/// All sections of all pages, pages by name, sections in their order.
pub fn sections() -> Vec<Section> {
    PAGES
        .iter()
        .flat_map(|(slug, page)| of_page(slug, page))
        .collect()
}

fn of_page(slug: &'static str, page: &'static str) -> Vec<Section> {
    let page = page.trim_start();
    let (first, rest) = page.split_once('\n').unwrap_or((page, ""));
    let title = first.trim_start_matches('#').trim();
    let mut sections = Vec::new();
    let (mut heading, mut from, mut at, mut fenced) = (title, 0, 0, false);
    let mut push = |heading, text: &'static str| {
        let text = text.trim();
        if !text.is_empty() {
            sections.push(Section {
                slug,
                title,
                heading,
                text,
            });
        }
    };
    for line in rest.split_inclusive('\n') {
        // `##` in a code block is a comment of that code.
        fenced ^= line.starts_with("```");
        if let (false, Some(next)) = (fenced, line.strip_prefix("## ")) {
            push(heading, rest.get(from..at).unwrap_or(""));
            (heading, from) = (next.trim(), at + line.len());
        }
        at += line.len();
    }
    push(heading, rest.get(from..).unwrap_or(""));
    sections
}

/// The name of a heading in the page's address.
pub fn anchor(heading: &str) -> String {
    let words: Vec<String> = heading
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_cut_at_their_headings_and_not_in_code() {
        let page = "# One\n\nIntro.\n\n## Two\n```\n## no heading\n```\n## Three\n\ntext\n";
        let cut = of_page("one", page);
        let headings: Vec<&str> = cut.iter().map(|section| section.heading).collect();
        assert_eq!(headings, ["One", "Two", "Three"]);
        assert!(cut[1].text.contains("no heading") && cut[2].text == "text");
        assert_eq!(anchor("VS Code & friends"), "vs-code-friends");
    }

    #[test]
    fn every_page_has_a_title_and_sections() {
        let all = sections();
        assert!(all.len() >= 20, "{}", all.len());
        for section in all {
            assert!(
                !section.title.is_empty() && !section.heading.is_empty(),
                "{}",
                section.slug
            );
        }
    }
}
