//! Who is next: round-robin by plugin, and inside a plugin by principal, and in the order of arrival for one of each. So a plugin that is
//! called a thousand times delays another by one call and not by a thousand. Pure; the gate holds the calls.

use std::collections::VecDeque;

use ensemble_model::PluginId;

/// Those who wait.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    plugins: VecDeque<PluginLine>,
    waiting: usize,
}

#[derive(Debug)]
struct PluginLine {
    plugin: PluginId,
    principals: VecDeque<PrincipalLine>,
}

#[derive(Debug)]
struct PrincipalLine {
    principal: String,
    /// Tickets, in the order in which they came.
    tickets: VecDeque<u64>,
}

/// The next one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Next {
    pub(crate) plugin: PluginId,
    pub(crate) principal: String,
    pub(crate) ticket: u64,
}

impl Lines {
    /// How many wait.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }

    /// How many wait for that plugin.
    pub(crate) fn waiting_for(&self, plugin: &PluginId) -> usize {
        let line = self.plugins.iter().find(|line| line.plugin == *plugin);
        line.map_or(0, |line| {
            let lines = line.principals.iter();
            lines.map(|principal| principal.tickets.len()).sum()
        })
    }

    /// Adds one at the end of its line. A line that was empty goes behind all others.
    pub(crate) fn push(&mut self, plugin: &PluginId, principal: &str, ticket: u64) {
        let at = self.plugins.iter().position(|line| line.plugin == *plugin);
        let at = at.unwrap_or_else(|| {
            self.plugins.push_back(PluginLine {
                plugin: plugin.clone(),
                principals: VecDeque::new(),
            });
            self.plugins.len() - 1
        });
        let Some(line) = self.plugins.get_mut(at) else {
            return;
        };
        let of_it = |line: &&mut PrincipalLine| line.principal == principal;
        match line.principals.iter_mut().find(of_it) {
            Some(line) => line.tickets.push_back(ticket),
            None => line.principals.push_back(PrincipalLine {
                principal: principal.to_owned(),
                tickets: VecDeque::from([ticket]),
            }),
        }
        self.waiting += 1;
    }

    /// Takes the next one out of those that may run. Its plugin goes behind the others, and so does its principal inside the plugin.
    pub(crate) fn next(&mut self, may: impl Fn(&PluginId, &str) -> bool) -> Option<Next> {
        let (at, within) = self.plugins.iter().enumerate().find_map(|(at, line)| {
            let within = line
                .principals
                .iter()
                .position(|principal| may(&line.plugin, &principal.principal));
            within.map(|within| (at, within))
        })?;
        let mut line = self.plugins.remove(at)?;
        let mut principal = line.principals.remove(within)?;
        let ticket = principal.tickets.pop_front()?;
        self.waiting -= 1;
        let next = Next {
            plugin: line.plugin.clone(),
            principal: principal.principal.clone(),
            ticket,
        };
        if !principal.tickets.is_empty() {
            line.principals.push_back(principal);
        }
        if !line.principals.is_empty() {
            self.plugins.push_back(line);
        }
        Some(next)
    }

    /// Takes out one that gave up. `false` when it does not wait any more.
    pub(crate) fn remove(&mut self, ticket: u64) -> bool {
        for line in &mut self.plugins {
            for principal in &mut line.principals {
                let found = principal.tickets.iter().position(|other| *other == ticket);
                if found.and_then(|at| principal.tickets.remove(at)).is_some() {
                    self.waiting -= 1;
                    line.principals.retain(|line| !line.tickets.is_empty());
                    self.plugins.retain(|line| !line.principals.is_empty());
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn plugin(number: u8) -> PluginId {
        format!("p{number}").parse().unwrap()
    }

    fn lines(waiting: &[(u8, u8)]) -> Lines {
        let mut lines = Lines::default();
        for (ticket, (of, who)) in (0..).zip(waiting) {
            lines.push(&plugin(*of), &who.to_string(), ticket);
        }
        lines
    }

    fn all(mut lines: Lines) -> Vec<Next> {
        std::iter::from_fn(|| lines.next(|_, _| true)).collect()
    }

    #[test]
    fn a_plugin_that_is_called_a_thousand_times_delays_another_by_one() {
        let mut waiting = vec![(1, 1); 1_000];
        waiting.push((2, 1));
        let order = all(lines(&waiting));
        assert_eq!(order[1].plugin, plugin(2));
        let mut waiting = vec![(1, 1); 1_000];
        waiting.push((1, 2));
        assert_eq!(all(lines(&waiting))[1].principal, "2");
    }

    #[test]
    fn who_may_not_run_holds_nobody_up() {
        let mut lines = lines(&[(1, 1), (1, 2), (2, 1)]);
        let next = lines
            .next(|of, who| *of != plugin(1) || who == "2")
            .unwrap();
        assert_eq!((next.plugin, next.principal.as_str()), (plugin(1), "2"));
        let next = lines.next(|of, _| *of != plugin(1)).unwrap();
        assert_eq!(next.plugin, plugin(2));
        assert_eq!(lines.next(|of, _| *of != plugin(1)), None);
        assert_eq!(lines.waiting(), 1);
    }

    proptest! {
        /// Everybody is served once, in the order of arrival among equals; and while a plugin waits, no other is served twice before it.
        #[test]
        fn nobody_is_lost_and_nobody_is_served_twice_while_another_waits(
            waiting in prop::collection::vec((0_u8..5, 0_u8..4), 0..200),
        ) {
            let order = all(lines(&waiting));
            prop_assert_eq!(order.len(), waiting.len());
            let mut last: BTreeMap<(&PluginId, &str), u64> = BTreeMap::new();
            for next in &order {
                let before = last.insert((&next.plugin, &next.principal), next.ticket);
                prop_assert!(before.is_none_or(|before| before < next.ticket));
            }
            for (at, next) in order.iter().enumerate() {
                let again = order[at + 1..].iter().position(|other| other.plugin == next.plugin);
                let Some(again) = again else { continue };
                let between = &order[at + 1..at + 1 + again];
                let after = &order[at + 1 + again..];
                for other in after.iter().filter(|other| other.plugin != next.plugin) {
                    prop_assert!(between.iter().any(|served| served.plugin == other.plugin));
                }
            }
        }

        /// Whoever gives up is out, and the others are served as if it had never come.
        #[test]
        fn giving_up_leaves_the_others(
            waiting in prop::collection::vec((0_u8..3, 0_u8..3), 1..60),
            gone in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
        ) {
            let mut lines = lines(&waiting);
            let gone: std::collections::BTreeSet<u64> =
                gone.iter().map(|index| index.index(waiting.len()) as u64).collect();
            for ticket in &gone {
                prop_assert!(lines.remove(*ticket));
                prop_assert!(!lines.remove(*ticket));
            }
            prop_assert_eq!(lines.waiting(), waiting.len() - gone.len());
            let served: std::collections::BTreeSet<u64> =
                all(lines).iter().map(|next| next.ticket).collect();
            let left: std::collections::BTreeSet<u64> =
                (0..waiting.len() as u64).filter(|ticket| !gone.contains(ticket)).collect();
            prop_assert_eq!(served, left);
        }
    }
}
