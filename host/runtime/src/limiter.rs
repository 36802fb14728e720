//! What one instance may hold, over all its memories and tables. What is refused ends the call, and is remembered, so that
//! the person reads which limit it was.

use ensemble_model::Limits;
use ensemble_model::limits::{MAX_CORE_INSTANCES, MAX_MEMORIES, MAX_TABLES};
use wasmtime::ResourceLimiter;

/// The limits of one call, and what it holds.
#[derive(Debug)]
pub(crate) struct Limiter {
    memory_limit: usize,
    element_limit: usize,
    memory: usize,
    elements: usize,
}

/// A limit was met. Ends the guest as a trap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Met {
    #[error("more than {} of memory", size(*.0))]
    Memory(usize),
    #[error("more than {0} table entries")]
    Elements(usize),
}

fn size(bytes: usize) -> String {
    if bytes >= 1 << 20 {
        format!("{} MiB", bytes >> 20)
    } else {
        format!("{} KiB", bytes >> 10)
    }
}

impl Limiter {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            memory_limit: limits.memory_bytes,
            element_limit: limits.table_elements,
            memory: 0,
            elements: 0,
        }
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let total = self.memory.saturating_add(desired.saturating_sub(current));
        if total > self.memory_limit {
            return Err(Met::Memory(self.memory_limit).into());
        }
        self.memory = total;
        Ok(true)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let total = self
            .elements
            .saturating_add(desired.saturating_sub(current));
        if total > self.element_limit {
            return Err(Met::Elements(self.element_limit).into());
        }
        self.elements = total;
        Ok(true)
    }

    fn instances(&self) -> usize {
        MAX_CORE_INSTANCES
    }

    fn tables(&self) -> usize {
        MAX_TABLES
    }

    fn memories(&self) -> usize {
        MAX_MEMORIES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limiter(memory_bytes: usize, table_elements: usize) -> Limiter {
        Limiter::new(&Limits {
            memory_bytes,
            table_elements,
            ..Limits::DEFAULT
        })
    }

    #[test]
    fn all_memories_count_together() {
        let mut limiter = limiter(100, 0);
        assert!(limiter.memory_growing(0, 60, None).unwrap());
        assert!(limiter.memory_growing(60, 70, None).unwrap());
        let error = limiter.memory_growing(0, 31, None).unwrap_err();
        assert_eq!(error.downcast_ref::<Met>(), Some(&Met::Memory(100)));
        assert!(limiter.memory_growing(0, 30, None).unwrap());
    }

    #[test]
    fn all_tables_count_together() {
        let mut limiter = limiter(0, 100);
        assert!(limiter.table_growing(0, 100, None).unwrap());
        assert!(limiter.table_growing(0, 1, None).is_err());
        assert!(limiter.table_growing(0, usize::MAX, None).is_err());
    }
}
