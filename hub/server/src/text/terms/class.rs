//! What a character is for the splitting of words: of a script with blanks between words, of one without, a symbol, or the edge of a word.

/// What a character is for the splitting of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Letters and digits of scripts that put blanks between words.
    Word,
    /// Scripts without blanks between words.
    Dense,
    Symbol,
}

pub(super) fn class(c: char) -> Class {
    match u32::from(c) {
        // Thai, Lao, Myanmar, Khmer; kana, bopomofo, Han and their extensions; Hangul.
        0x0E00..=0x0EFF
        | 0x1000..=0x109F
        | 0x1780..=0x17FF
        | 0x1100..=0x11FF
        | 0x3005..=0x3007
        | 0x3041..=0x312F
        | 0x3130..=0x318F
        | 0x31A0..=0x31BF
        | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF
        | 0xAC00..=0xD7AF
        | 0xF900..=0xFAFF
        | 0x20000..=0x323AF => Class::Dense,
        _ if c.is_alphanumeric() || is_mark(c) => Class::Word,
        _ => Class::Symbol,
    }
}

/// Marks that belong to the letter before them and are no letters by themselves.
fn is_mark(c: char) -> bool {
    matches!(
        u32::from(c),
        0x0300..=0x036F | 0x0483..=0x0489 | 0x0591..=0x05C7 | 0x0610..=0x061A | 0x064B..=0x065F
            | 0x0900..=0x0903 | 0x093A..=0x094F | 0x0981..=0x0983 | 0x09BC..=0x09CD
            | 0x0B82..=0x0BCD | 0x0C00..=0x0C56 | 0x0D00..=0x0D57
    )
}

/// Characters that stand around a word and are not of it.
pub(super) fn is_edge(c: char) -> bool {
    matches!(
        c,
        '(' | ')'
            | '['
            | ']'
            | '{'
            | '}'
            | '<'
            | '>'
            | '"'
            | '\''
            | '`'
            | ','
            | ';'
            | ':'
            | '!'
            | '?'
            | '.'
            | '…'
            | '“'
            | '”'
            | '„'
            | '‘'
            | '’'
            | '«'
            | '»'
            | '‹'
            | '›'
            | '、'
            | '。'
            | '，'
            | '；'
            | '：'
            | '！'
            | '？'
            | '（'
            | '）'
            | '「'
            | '」'
            | '『'
            | '』'
            | '【'
            | '】'
            | '،'
            | '؛'
            | '؟'
    )
}
