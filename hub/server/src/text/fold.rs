//! Folding: the one form in which texts are compared. Compatibility decomposition, accents of
//! Latin, Greek and Cyrillic off, lower case, composed again. Nothing is composed across the
//! border of a grapheme, so the folded form of a part is the part of the folded form, and composed
//! and decomposed spellings of the same text fold alike.

use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

/// The folded form of `text`.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(text.len());
    fold_into(text, &mut out);
    out
}

/// Whether two texts are the same but for case, accents and Unicode form, and for white space
/// around them.
pub fn same(left: &str, right: &str) -> bool {
    fold(left.trim()) == fold(right.trim())
}

/// A folded text that remembers, for each of its bytes, where in the original the grapheme began.
#[derive(Debug)]
pub struct Folded {
    /// The folded text.
    pub text: String,
    origins: Vec<usize>,
}

impl Folded {
    /// Folds `text` and keeps the way back.
    pub fn new(text: &str) -> Self {
        if text.is_ascii() {
            return Self {
                text: text.to_ascii_lowercase(),
                origins: Vec::new(),
            };
        }
        let mut folded = Self {
            text: String::with_capacity(text.len()),
            origins: Vec::new(),
        };
        folded.origins.reserve(text.len());
        for (at, grapheme) in text.grapheme_indices(true) {
            fold_into(grapheme, &mut folded.text);
            folded.origins.resize(folded.text.len(), at);
        }
        folded
    }

    /// The byte offset in the original of the folded byte offset `at` (a grapheme boundary).
    pub fn origin(&self, at: usize) -> usize {
        if self.origins.is_empty() {
            // Nothing but ASCII: every byte stayed where it was.
            return at;
        }
        self.origins.get(at).copied().unwrap_or(0)
    }
}

fn fold_into(grapheme: &str, out: &mut String) {
    if let [byte] = grapheme.as_bytes() {
        out.push(char::from(byte.to_ascii_lowercase()));
        return;
    }
    let decomposed = grapheme
        .nfkd()
        .filter(|c| !is_accent(*c))
        .flat_map(char::to_lowercase);
    let mut plain = String::new();
    for c in decomposed {
        match c {
            'ß' => plain.push_str("ss"),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            'þ' => plain.push_str("th"),
            'ø' => plain.push('o'),
            'đ' | 'ð' => plain.push('d'),
            'ł' => plain.push('l'),
            'ı' => plain.push('i'),
            'ς' => plain.push('σ'),
            '\u{2018}' | '\u{2019}' | '\u{02bc}' => plain.push('\''),
            '\u{2010}' | '\u{2011}' => plain.push('-'),
            other if is_accent(other) || is_invisible(other) => {}
            other => plain.push(other),
        }
    }
    out.extend(plain.nfc());
}

/// Marks that may be left out in a search. Marks of other scripts (Thai vowels, the sound marks
/// of kana, Devanagari signs) make another letter and stay.
fn is_accent(c: char) -> bool {
    matches!(
        u32::from(c),
        0x0300..=0x036F | 0x064B..=0x0652 | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF
    )
}

/// Characters that steer the layout and that nobody types to find something.
fn is_invisible(c: char) -> bool {
    matches!(
        u32::from(c),
        0x00AD | 0x200B | 0x200E | 0x200F | 0x202A..=0x202E | 0x2060 | 0x2066..=0x2069 | 0xFEFF
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn composed_and_decomposed_forms_fold_alike() {
        for (left, right) in [
            ("caf\u{e9}", "cafe\u{301}"),
            ("학점", "\u{1112}\u{1161}\u{11a8}\u{110c}\u{1165}\u{11b7}"),
            ("ガイド", "カ\u{3099}イト\u{3099}"),
            ("Straße", "STRASSE"),
            ("Ｆｕｌｌ", "full"),
            ("İstanbul", "istanbul"),
        ] {
            assert_eq!(fold(left), fold(right), "{left}");
        }
        assert_ne!(fold("が"), fold("か"), "a sound mark makes another letter");
    }

    #[test]
    fn folding_whole_and_grapheme_by_grapheme_is_the_same() {
        for text in [
            "Ünï 한국 ﬁn \u{1112}\u{1161}\u{11a8} ガイド カ\u{3099} 👩‍👩‍👧‍👦 ทดสอบ",
            "नमस्ते ক্ষ മലയാളം ẛ̣ Å ½ ㎏ ǅ",
            "e\u{301}\u{327}\r\n\u{301}x İı",
            "שָׁלוֹם مُحَمَّد",
        ] {
            assert_eq!(fold(text), Folded::new(text).text, "{text}");
        }
    }

    #[test]
    fn every_folded_byte_knows_its_origin() {
        let text = "Ünï 한국 ﬁn";
        let folded = Folded::new(text);
        let at = folded.text.find("한국").unwrap();
        assert!(text.get(folded.origin(at)..).unwrap().starts_with("한국"));
        let at = folded.text.find("fin").unwrap();
        assert!(text.get(folded.origin(at)..).unwrap().starts_with("ﬁn"));
    }
}
