//! What is in this process's memory and environment stays there: the system writes no core file of it, and no other process of the same user
//! can look into it or read its environment. Root can.
//!
//! A debugger cannot attach to it either. Programs that it starts begin as any other.

/// Closes it, as far as the platform can: Linux wholly, other Unix systems write no core file.
pub(crate) fn keep_to_oneself() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let none = Rlimit {
            current: Some(0),
            maximum: Some(0),
        };
        if let Err(error) = setrlimit(Resource::Core, none) {
            tracing::warn!(%error, "a crash may write a core file");
        }
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        if let Err(error) = set_dumpable_behavior(DumpableBehavior::NotDumpable) {
            tracing::warn!(%error, "other processes of this user may look into this one");
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::process::{DumpableBehavior, Resource, dumpable_behavior, getrlimit};

    #[test]
    fn nobody_looks_into_this_process_and_it_leaves_no_core_file() {
        super::keep_to_oneself();
        let behavior = dumpable_behavior().unwrap();
        assert!(matches!(behavior, DumpableBehavior::NotDumpable));
        let core = getrlimit(Resource::Core);
        assert_eq!((core.current, core.maximum), (Some(0), Some(0)));
    }
}
