//! What an attack is: a name, what has to be observed, and how it is tried.

use serde_json::Value;

use crate::guests::{Probe, Text};

/// One attack.
#[derive(Debug)]
pub(crate) struct Attack {
    pub(crate) name: String,
    /// Phrases that all have to stand in what is observed.
    pub(crate) expected: Vec<&'static str>,
    pub(crate) how: How,
}

/// Under which limits the kit runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kit {
    /// Those of a plugin that declares none.
    Usual,
    /// With 300 milliseconds for a call.
    Hurried,
    /// With two seconds, of which a request to the hub gets all but the last half.
    Waiting,
}

impl Kit {
    pub(crate) const ALL: [Self; 3] = [Self::Usual, Self::Hurried, Self::Waiting];

    /// The id under which it is installed here.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::Usual => "kit",
            Self::Hurried => "kit-hurried",
            Self::Waiting => "kit-waiting",
        }
    }

    /// `[limits]` of its manifest.
    pub(crate) fn limits(self) -> &'static str {
        match self {
            Self::Usual => "",
            Self::Hurried => "deadline-ms = 300",
            Self::Waiting => "deadline-ms = 2000",
        }
    }
}

/// How it is tried.
#[derive(Debug)]
pub(crate) enum How {
    /// A probe is called, so often one after the other.
    Call(Kit, Probe, Value, usize),
    /// A probe is called so often at once.
    Crowd(Kit, Probe, usize),
    /// A request is sent that the hub never answers.
    Hang(Value),
    /// The memory of the kit is searched for the key, after what these arguments say.
    Search(Value),
    /// A probe is called through the MCP server.
    Mcp(Probe, Value),
    /// A component is loaded.
    Load(Text),
    /// A component is loaded and called.
    Run(Text),
    /// The component of a file is loaded.
    File(crate::attacks::files::Broken),
    /// Kept code of a component is not as it was written.
    Kept(crate::attacks::files::Tampered),
    /// The kit lists its tools so.
    Lie(&'static str),
}

/// `probe` is called once, under the usual limits.
pub(crate) fn call(
    name: &str,
    probe: Probe,
    arguments: Value,
    expected: &[&'static str],
) -> Attack {
    attack(name, expected, How::Call(Kit::Usual, probe, arguments, 1))
}

/// As [`call`], with little time.
pub(crate) fn hurried(name: &str, probe: Probe, arguments: Value) -> Attack {
    let how = How::Call(Kit::Hurried, probe, arguments, 1);
    attack(name, &["one call may take 300 milliseconds"], how)
}

pub(crate) fn attack(name: &str, expected: &[&'static str], how: How) -> Attack {
    Attack {
        name: name.to_owned(),
        expected: expected.to_vec(),
        how,
    }
}
