//! Folders of Markdown as people keep them: front matter, links between pages, and what is wrong in them.

use super::*;
use std::fs::{create_dir_all, write};

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::TempDir::new().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        create_dir_all(path.parent().unwrap()).unwrap();
        write(path, text).unwrap();
    }
    folder
}

fn links_of<'a>(parsed: &'a Parsed, place: &str) -> Vec<&'a str> {
    let page = parsed
        .items
        .iter()
        .find(|item| item.place == place)
        .unwrap();
    let ends = page.links.iter().map(|link| match &link.to {
        Target::Item(key) => key.strip_prefix("notes\n").unwrap(),
        Target::Named(_) => panic!("{link:?}"),
    });
    ends.collect()
}

#[test]
fn pages_have_their_titles_fields_and_texts() {
    let folder = folder(&[
        (
            "a.md",
            "---\r\ntitle: \"A: one\"\r\ntags: [x, '#y']\r\ncreated: 2026-01-02\r\ndeep: {n: 1}\r\n---\r\n# Heading\r\n\r\nText\r\n",
        ),
        ("b.md", "+++\ntitle = \"B\"\n+++\nbody"),
        ("c.markdown", "intro\n\n# The `code` *title*\n"),
        ("d.md", "---\nno end"),
        ("e.md", "---\n- 1\n---\n"),
        ("bad.md", "---\na: [\n---\n"),
        (".hidden/x.md", "x"),
        ("image.png", "x"),
    ]);
    let parsed = read(folder.path(), "notes").unwrap();
    let titles: Vec<&str> = parsed
        .items
        .iter()
        .map(|item| item.title.as_str())
        .collect();
    assert_eq!(titles, ["A: one", "B", "The code title", "d"]);
    let page = &parsed.items[0];
    assert_eq!(page.body, "# Heading\n\nText\n");
    assert_eq!(page.fields["labels"], serde_json::json!(["x", "y"]));
    assert_eq!(page.fields["frontMatter"]["deep"]["n"], 1);
    assert_eq!(page.created.unwrap().to_string(), "2026-01-02T00:00:00Z");
    let bad: Vec<&str> = parsed.bad.iter().map(|bad| bad.place.as_str()).collect();
    assert_eq!(bad, ["bad.md", "e.md"]);
    assert!(parsed.bad[0].reason.contains("line "), "{:?}", parsed.bad);
}

#[test]
fn links_lead_to_pages_whatever_signs_their_names_have() {
    let folder = folder(&[
        ("A | B.md", "x"),
        ("A.md", "x"),
        ("C++.md", "x"),
        (
            "sub/note one.md",
            "# One\n[up](../A.md#part) [same](./two.md) [web](https://example.com/x.md) [out](../../etc/p.md) [gone](no.md)",
        ),
        ("sub/two.md", "x"),
        ("two.md", "x"),
        (
            "main.md",
            "[[A | B]] [[A|shown]] [[C++]] [[One]] [[sub/two]] [[two]] [[A#heading]] [[nowhere]] [s](sub/note%20one.md)\n\n`[[A]]`\n\n    [[sub/two]]\n",
        ),
    ]);
    let parsed = read(folder.path(), "notes").unwrap();
    assert_eq!(
        links_of(&parsed, "main.md"),
        [
            "A | B.md",
            "A.md",
            "C++.md",
            "sub/note one.md",
            "sub/two.md",
            "two.md"
        ]
    );
    assert_eq!(links_of(&parsed, "sub/note one.md"), ["A.md", "sub/two.md"]);
    assert_eq!(
        parsed.notes,
        ["Links that lead to no page of the folder: 3 (“../../etc/p.md”, “no.md”, “nowhere”)."]
    );
}

#[test]
fn what_grows_without_bound_is_refused() {
    let mut bomb = String::from("---\na: &a [x,x,x,x,x,x,x,x,x,x]\n");
    for (name, of) in [
        ("b", "a"),
        ("c", "b"),
        ("d", "c"),
        ("e", "d"),
        ("f", "e"),
        ("g", "f"),
    ] {
        let ten = vec![format!("*{of}"); 10].join(",");
        bomb.extend([name, ": &", name, " [", &ten, "]\n"]);
    }
    bomb.push_str("---\n");
    let folder = folder(&[("bomb.md", &bomb), ("large.md", &"x".repeat(3_000_000))]);
    let parsed = read(folder.path(), "notes").unwrap();
    assert_eq!((parsed.items.len(), parsed.bad_total), (0, 2));
}

#[cfg(unix)]
#[test]
fn nothing_outside_of_the_folder_is_read() {
    let outside = folder(&[("secret.md", "secret")]);
    let folder = folder(&[("a.md", "a")]);
    std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
    std::os::unix::fs::symlink(
        outside.path().join("secret.md"),
        folder.path().join("link.md"),
    )
    .unwrap();
    let parsed = read(folder.path(), "notes").unwrap();
    assert_eq!(parsed.items.len(), 1);
    assert!(matches!(
        read(&folder.path().join("a.md"), "n"),
        Err(ImportError::NoFolder { .. })
    ));
}
