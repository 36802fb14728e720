//! The verdict of each hostile guest that is written as text.

use crate::attack::{Attack, How, attack};
use crate::guests::Text;

/// `[limits]` of its manifest.
pub(crate) fn limits(text: Text) -> &'static str {
    if text == Text::SpinAtStart {
        "deadline-ms = 300"
    } else {
        ""
    }
}

/// Its attack.
#[expect(clippy::too_many_lines, reason = "a table, with an arm for each text")]
pub(super) fn of(text: Text) -> Attack {
    const NEVER: &str = "no plugin is given the computer's files or network";
    const UNDECLARED: &str = "does not declare";
    let (name, expected, runs) = match text {
        Text::BadPointer => (
            "having its arguments put outside its memory",
            "broke off",
            true,
        ),
        Text::GrowTable => (
            "taking table entries without end",
            "more than 20000 table entries",
            true,
        ),
        Text::LongList => (
            "a list of 16 million tools",
            "out of bounds of memory",
            true,
        ),
        Text::ManyHandles => ("a million handles", "more than 4096 handles", true),
        Text::ManyMemories => (
            "three memories of 30 MiB each in one module",
            "needs more than this host gives",
            false,
        ),
        Text::SpinAtStart => (
            "an endless loop before it can be called",
            "one call may take 300 milliseconds",
            true,
        ),
        Text::ImportFiles => ("importing files", NEVER, false),
        Text::ImportSockets => ("importing the network", NEVER, false),
        Text::ImportHttp => ("importing a client for servers", NEVER, false),
        Text::ImportClock => ("importing a clock without declaring it", UNDECLARED, false),
        Text::ImportRandom => (
            "importing randomness without declaring it",
            UNDECLARED,
            false,
        ),
        Text::ImportChanges => (
            "importing changes in a plugin that reads",
            UNDECLARED,
            false,
        ),
        Text::ImportFolder => (
            "importing the working folder, outside its world",
            UNDECLARED,
            false,
        ),
        Text::ImportTools => (
            "importing the tools of another plugin",
            "this host gives nothing of that name",
            false,
        ),
        Text::ImportUnknown => (
            "importing what nobody knows",
            "this host gives nothing of that name",
            false,
        ),
        Text::ImportOtherVersion => (
            "importing another version of the contract",
            "this host gives 0.1.0",
            false,
        ),
        Text::NeedMemory => (
            "beginning with four gigabytes of memory",
            "needs more than this host gives",
            false,
        ),
        Text::NeedMemory64 => (
            "memory with long addresses",
            "needs more than this host gives",
            false,
        ),
        Text::NeedTable => (
            "beginning with nine million table entries",
            "needs more than this host gives",
            false,
        ),
        Text::NeedThreads => (
            "memory that threads share",
            "needs more than this host gives",
            false,
        ),
        Text::OffersNothing => ("offering nothing", "there is nothing to call", false),
        Text::WrongFunctions => (
            "offering tools without their functions",
            "does not fit this host's contract",
            false,
        ),
    };
    let how = if runs {
        How::Run(text)
    } else {
        How::Load(text)
    };
    attack(name, &[expected], how)
}
