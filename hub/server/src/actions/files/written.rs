//! A page as a file: Markdown as it is, HTML that runs nothing, or the bare text.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

fn parser(markdown: &str) -> Parser<'_> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    Parser::new_ext(markdown, options)
}

/// An HTML document. HTML in the page is shown as text, and a link that would run something leads nowhere.
pub(super) fn html(title: &str, markdown: &str) -> String {
    let events = parser(markdown).map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::Link {
            link_type,
            dest_url,
            title,
            id,
        }) => Event::Start(Tag::Link {
            link_type,
            dest_url: harmless(dest_url),
            title,
            id,
        }),
        Event::Start(Tag::Image {
            link_type,
            dest_url,
            title,
            id,
        }) => Event::Start(Tag::Image {
            link_type,
            dest_url: harmless(dest_url),
            title,
            id,
        }),
        other => other,
    });
    let mut body = String::new();
    html::push_html(&mut body, events);
    let mut name = String::new();
    html::push_html(&mut name, std::iter::once(Event::Text(title.into())));
    format!(
        "<!doctype html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>{name}</title>\n</head>\n<body>\n<h1>{name}</h1>\n{body}</body>\n</html>\n"
    )
}

/// Only what leads to a place; a scheme is what stands before the first colon that no slash, question or number sign precedes.
fn harmless(link: CowStr<'_>) -> CowStr<'_> {
    let plain: String = link
        .chars()
        .filter(|c| !c.is_whitespace() && !c.is_control())
        .collect();
    let scheme = plain
        .find([':', '/', '?', '#'])
        .and_then(|at| plain.split_at_checked(at))
        .filter(|(_, rest)| rest.starts_with(':'))
        .map(|(scheme, _)| scheme.to_ascii_lowercase());
    match scheme.as_deref() {
        None | Some("http" | "https" | "mailto" | "ensemble") => link,
        Some(_) => "#".into(),
    }
}

/// The text that a reader sees, block by block.
pub(super) fn text(title: &str, markdown: &str) -> String {
    let mut out = format!("{title}\n\n");
    for event in parser(markdown) {
        match event {
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                out.push_str(&text);
            }
            Event::SoftBreak | Event::HardBreak => out.push('\n'),
            Event::Rule => out.push_str("---\n\n"),
            Event::TaskListMarker(done) => out.push_str(if done { "[x] " } else { "[ ] " }),
            Event::FootnoteReference(name) => {
                out.push('[');
                out.push_str(&name);
                out.push(']');
            }
            Event::Start(Tag::Item) => {
                begin_line(&mut out);
                out.push_str("- ");
            }
            Event::End(TagEnd::TableCell) => out.push('\t'),
            Event::End(TagEnd::TableRow | TagEnd::TableHead) => begin_line(&mut out),
            Event::End(end) if is_block(end) => {
                begin_line(&mut out);
                out.push('\n');
            }
            _ => {}
        }
    }
    let end = out.trim_end().len();
    out.truncate(end);
    out.push('\n');
    out
}

fn begin_line(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

const fn is_block(end: TagEnd) -> bool {
    matches!(
        end,
        TagEnd::Paragraph
            | TagEnd::Heading(_)
            | TagEnd::CodeBlock
            | TagEnd::List(_)
            | TagEnd::Table
            | TagEnd::HtmlBlock
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_as_html_runs_nothing() {
        let page = html(
            "A <b>",
            "Hi <script>alert(1)</script>\n\n<img src=x onerror=y>\n\n[x](javascript:alert(1)) [y]( JaVa&#9;script:z) [z](https://a.test/?q=a:b) ![p](data:text/html,x)\n",
        );
        for bad in [
            "<script",
            "<img src=x",
            "javascript:",
            "script:z",
            "data:",
            "<b>",
        ] {
            assert!(!page.contains(bad), "{bad}: {page}");
        }
        assert!(page.contains("href=\"https://a.test/?q=a:b\""), "{page}");
        assert!(page.contains("&lt;script&gt;"), "{page}");
    }

    #[test]
    fn a_page_as_text_has_no_marks() {
        let page = text(
            "Plan",
            "# One\n\nTwo **bold** `code`\nline\n\n- a\n- [x] b\n\n| c | d |\n|---|---|\n| 1 | 2 |\n",
        );
        assert_eq!(
            page,
            "Plan\n\nOne\n\nTwo bold code\nline\n\n- a\n- [x] b\n\nc\td\t\n1\t2\n"
        );
    }
}
