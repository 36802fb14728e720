//! The order of the desk. Each entry has a position, a number; one that is moved gets the number in the middle of its neighbours', so that no
//! other entry changes and moving two of them can be undone one by one. Where the middle is no new number, all are numbered anew.

use serde_json::Value;

use crate::store::Record;

/// The field of an entry's position.
pub(super) const POSITION: &str = "position";

/// Where an entry stands; one without a position stands first.
pub(super) fn position(entry: &Record) -> f64 {
    entry
        .fields
        .get(POSITION)
        .and_then(Value::as_f64)
        .unwrap_or(0.0)
}

/// The position that comes to stand at `place` (from 0) among these; `None` where there is no number between the two neighbours.
pub(super) fn between(others: &[f64], place: usize) -> Option<f64> {
    let before = place.checked_sub(1).and_then(|at| others.get(at)).copied();
    match (before, others.get(place).copied()) {
        (None, None) => Some(1.0),
        (Some(before), None) => Some(before + 1.0),
        (None, Some(after)) => Some(after - 1.0),
        (Some(before), Some(after)) => {
            let middle = f64::midpoint(before, after);
            (before < middle && middle < after).then_some(middle)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::between;

    #[test]
    fn a_place_is_between_its_neighbours() {
        assert_eq!(between(&[], 0), Some(1.0));
        assert_eq!(between(&[1.0, 2.0], 0), Some(0.0));
        assert_eq!(between(&[1.0, 2.0], 1), Some(1.5));
        assert_eq!(between(&[1.0, 2.0], 2), Some(3.0));
        assert_eq!(between(&[1.0, 1.0], 1), None);
    }

    #[test]
    fn the_numbers_between_two_neighbours_end() {
        let (low, mut high) = (1.0, 2.0);
        let mut moves = 0;
        while let Some(middle) = between(&[low, high], 1) {
            high = middle;
            moves += 1;
        }
        assert_eq!(moves, 52);
    }
}
