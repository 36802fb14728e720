//! What a person typed finds what was written, and nothing typed reaches the database as syntax.

use super::*;

/// Whether every term of `query` is in `text`, the last at least as a beginning.
fn finds(text: &str, query: &str) -> bool {
    let index = index_text(text);
    let terms = query_terms(query);
    let last = terms.len().saturating_sub(1);
    !terms.is_empty()
        && terms.iter().enumerate().all(|(at, term)| {
            index
                .split(' ')
                .any(|token| token == term.token || (at == last && token.starts_with(&term.token)))
        })
}

#[test]
fn texts_are_found_by_what_a_person_types() {
    for (text, query) in [
        ("see POL-358 for it", "POL-358"),
        ("see POL-358 for it", "358"),
        ("see POL-358 for it", "pol"),
        ("call getUserName()", "user"),
        ("call getUserName()", "getusername"),
        ("parse HTTPResponse2", "http response"),
        ("max_retry_count", "retry"),
        ("max_retry_count = 3", "max_retry_count"),
        ("src/client/retry.rs", "retry.rs"),
        ("branch docs/default-timeout", "docs/default-timeout"),
        ("branch docs/default-timeout", "timeout"),
        ("we use C++ here", "c++"),
        ("ask @name about it", "@name"),
        ("a 50% cut", "50%"),
        ("I don’t know", "don't"),
        ("I don't know", "dont"),
        ("サンドボックス環境", "サンドボックス"),
        ("悬空指针", "悬空"),
        ("悬空指针", "指"),
        ("重跑gen-itgc后", "itgc"),
        ("重跑gen-itgc后", "gen-itgc"),
        ("한국어문서", "문서"),
        ("ทดสอบระบบ", "ทดสอบ"),
        ("caf\u{e9} menu", "cafe\u{301}"),
        ("cafe\u{301} menu", "CAFE"),
        ("\u{1112}\u{1161}\u{11a8}\u{110c}\u{1165}\u{11b7}", "학점"),
        ("متابعة الطلب", "الطلب"),
        ("Launch🎉 party", "🎉"),
        ("Über Straße", "strasse"),
        ("Release checklist", "release check"),
    ] {
        assert!(
            finds(text, query),
            "{query} in {text}: {}",
            index_text(text)
        );
    }
}

#[test]
fn literal_symbols_are_not_the_bare_word() {
    assert!(!finds("we use C here", "c++"));
    assert!(!finds("in 50 days", "50%"));
    assert!(!finds("plain words", "*"));
    assert!(finds("a * b", "*"));
}

#[test]
fn no_question_leaks_syntax() {
    for query in [
        "",
        "   ",
        "*",
        "\"a b",
        "(x",
        "NEAR",
        "AND",
        "OR",
        "NOT",
        "^x",
        "-",
        "a:b",
        "title:x",
        "x\0y",
        "\0",
        "' OR 1=1 --",
        "{a b}: c",
        "a + b",
        "NEAR(a b, 5)",
        "\u{202e}abc",
    ] {
        let terms = query_terms(query);
        for term in &terms {
            assert!(!term.token.is_empty());
            let safe = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(term.token.chars().all(safe), "{query:?}: {}", term.token);
        }
        let asked = fts_query(&terms);
        let quotes = asked.matches('"').count();
        assert_eq!(quotes, terms.len() * 2, "{query:?}: {asked}");
    }
    assert!(query_terms("").is_empty() && query_terms(" \0 \t").is_empty());
    assert_eq!(fts_query(&[]), "");
}

#[test]
fn a_huge_question_is_bounded() {
    let many = "word1 word2 ".repeat(1_000);
    assert!(query_terms(&many).len() <= MAX_TERMS);
    let distinct: Vec<String> = (0..5_000).map(|n| format!("w{n}")).collect();
    assert_eq!(query_terms(&distinct.join(" ")).len(), MAX_TERMS);
    let long = "あ→🎉é".repeat(2_500);
    assert!(
        query_terms(&long)
            .iter()
            .all(|term| term.folded.chars().count() <= MAX_TOKEN_CHARS)
    );
    assert!(!index_text(&long).is_empty());
}

#[test]
fn the_last_term_is_asked_for_as_a_beginning() {
    assert_eq!(fts_query(&query_terms("alpha be")), "\"alpha\" OR \"be\"*");
    assert_eq!(fts_query(&query_terms("alpha b")), "\"alpha\" OR \"b\"");
}
