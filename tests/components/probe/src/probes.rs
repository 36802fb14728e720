//! Every probe of the kit, by its name as a tool. The guest and the host's self-test (`host/selftest`) both include this
//! file and match on it without a wildcard: a probe that is not written, or that no verdict names, does not compile.

/// What the kit can be asked to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Probe {
    Echo,
    Ask,
    Fail,
    Panic,
    Exit,
    State,
    Spin,
    SpinInAllocation,
    SpinInCleanup,
    AllocLoop,
    Recurse,
    RecurseWidely,
    CallInAllocation,
    BigOutput,
    ManyBlocks,
    ManyPairs,
    ManyRequests,
    BigLogLine,
    LogFlood,
    FloodStdout,
    ReadStdin,
    ReadEnvArgs,
    GetRoute,
    Query,
    ShowAFile,
    Structured,
    Lie,
    SearchMemory,
}

impl Probe {
    /// All of them, in the order in which they are listed.
    pub(crate) const ALL: [Self; 28] = [
        Self::Spin,
        Self::SpinInAllocation,
        Self::SpinInCleanup,
        Self::AllocLoop,
        Self::Recurse,
        Self::RecurseWidely,
        Self::CallInAllocation,
        Self::BigOutput,
        Self::ManyBlocks,
        Self::ManyPairs,
        Self::ManyRequests,
        Self::BigLogLine,
        Self::LogFlood,
        Self::FloodStdout,
        Self::ReadStdin,
        Self::ReadEnvArgs,
        Self::Panic,
        Self::Exit,
        Self::State,
        Self::GetRoute,
        Self::Query,
        Self::ShowAFile,
        Self::Structured,
        Self::Lie,
        Self::SearchMemory,
        Self::Echo,
        Self::Ask,
        Self::Fail,
    ];

    /// The tool's name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Echo => "echo",
            Self::Ask => "ask",
            Self::Fail => "fail",
            Self::Panic => "panic",
            Self::Exit => "exit",
            Self::State => "state",
            Self::Spin => "spin",
            Self::SpinInAllocation => "spin_in_allocation",
            Self::SpinInCleanup => "spin_in_cleanup",
            Self::AllocLoop => "alloc_loop",
            Self::Recurse => "recurse",
            Self::RecurseWidely => "recurse_widely",
            Self::CallInAllocation => "call_in_allocation",
            Self::BigOutput => "big_output",
            Self::ManyBlocks => "many_blocks",
            Self::ManyPairs => "many_pairs",
            Self::ManyRequests => "many_requests",
            Self::BigLogLine => "big_log_line",
            Self::LogFlood => "log_flood",
            Self::FloodStdout => "flood_stdout",
            Self::ReadStdin => "read_stdin",
            Self::ReadEnvArgs => "read_env_args",
            Self::GetRoute => "get_route",
            Self::Query => "query",
            Self::ShowAFile => "show_a_file",
            Self::Structured => "structured",
            Self::Lie => "lie",
            Self::SearchMemory => "search_memory",
        }
    }
}

/// Bytes of the string whose allocation never ends.
pub(crate) const SPINS: usize = 77_777;

/// Bytes of the string in whose allocation the host is called.
pub(crate) const CALLS: usize = 77_779;

/// The route that says how the list of tools is to lie.
pub(crate) const LIES: &str = "/api/bridge/lies";

/// What is searched for arrives so: each byte changed by this, so that the guest never holds it in the clear.
pub(crate) const MASK: u8 = 0x5a;
