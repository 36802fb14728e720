//! A vocabulary in which, as in language, few words make up most of a text; words that stand in nearly every third record, and words
//! that stand in a handful whatever the size.

use super::random::Random;

/// Words of the vocabulary.
const VOCABULARY: usize = 20_000;
/// In about a third of all texts.
pub(super) const COMMON: [&str; 6] = ["release", "client", "timeout", "review", "server", "update"];
/// Each in [`RARE_IN`] records.
pub(super) const RARE: [&str; 20] = [
    "xylograph",
    "quokka",
    "zeugma",
    "ibex",
    "fjordling",
    "obelisk",
    "pangolin",
    "quincunx",
    "rhubarb",
    "sextant",
    "tamarind",
    "umlaut",
    "vicuna",
    "wombat",
    "yurt",
    "zephyr",
    "acanthus",
    "bezoar",
    "cormorant",
    "dirigible",
];
/// Records with one rare word.
pub(super) const RARE_IN: usize = 5;

/// The words.
pub(super) struct Words(Vec<String>);

impl Words {
    pub(super) fn new() -> Self {
        let mut random = Random::new(1);
        let syllables = [
            "ba", "con", "de", "fi", "gor", "ha", "in", "ju", "ka", "lo", "mi", "nor", "op", "pa",
            "qui", "re", "sta", "tu", "ver", "wi", "xa", "yo", "zen", "tion", "er", "al", "ist",
            "um", "ne", "ple",
        ];
        let word = |random: &mut Random| {
            let count = 2 + random.below(3);
            (0..count)
                .map(|_| *random.one(&syllables))
                .collect::<String>()
        };
        Self((0..VOCABULARY).map(|_| word(&mut random)).collect())
    }

    /// A word; the first of the vocabulary come most often.
    pub(super) fn any(&self, random: &mut Random) -> &str {
        // Zipf, near enough: the rank grows exponentially with an even draw.
        let bits = random.below(14);
        let rank = (1_usize << bits) + random.below(1 << bits);
        &self.0[rank.min(VOCABULARY - 1)]
    }

    /// So many words as a text, now and then with a common one.
    pub(super) fn text(&self, random: &mut Random, count: usize) -> String {
        let mut text = String::with_capacity(count * 8);
        if random.percent(33) {
            let common: &str = random.one::<&str>(&COMMON);
            text.push_str(common);
        }
        for at in 0..count {
            if !text.is_empty() {
                text.push_str(if at % 12 == 0 { ".\n" } else { " " });
            }
            text.push_str(self.any(random));
        }
        text
    }
}
