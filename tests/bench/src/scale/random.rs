//! Numbers that are the same each time: `SplitMix64`.

/// A generator.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0 to `below`, without it.
    pub(super) fn below(&mut self, below: usize) -> usize {
        let below = u64::try_from(below.max(1)).unwrap_or(1);
        usize::try_from(self.next() % below).unwrap_or(0)
    }

    /// Small numbers more often than large ones: the first tenth comes about a third of the time.
    pub(super) fn skewed(&mut self, below: usize) -> usize {
        let (a, b) = (self.below(below), self.below(below));
        let c = a * b / below.max(1);
        (c + self.below(below.div_ceil(20))).min(below.saturating_sub(1))
    }

    /// True in so many of a hundred.
    pub(super) fn percent(&mut self, of: usize) -> bool {
        self.below(100) < of
    }

    pub(super) fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        let at = self.below(of.len());
        &of[at]
    }
}
