//! The queue in front of the pool of instances. A call begins at once where the host, its plugin and its principal have room, and
//! waits its turn otherwise; who is next, `fair` says. One that finds the queue full is refused, and one plugin can fill half of it
//! at the most.

mod fair;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ensemble_model::PluginId;
use ensemble_model::limits::MAX_CALLS_OF_PRINCIPAL;
use tokio::sync::oneshot;

use fair::Lines;

/// The gate. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Gate {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    state: Mutex<State>,
    max_live: usize,
    max_waiting: usize,
}

#[derive(Debug, Default)]
struct State {
    live: usize,
    of_plugin: BTreeMap<PluginId, usize>,
    of_principal: BTreeMap<String, usize>,
    /// Calls that each plugin may have at once, as its last call said.
    at_once: BTreeMap<PluginId, usize>,
    lines: Lines,
    doors: BTreeMap<u64, oneshot::Sender<()>>,
    tickets: u64,
}

/// Whose call it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Caller<'a> {
    pub(crate) plugin: &'a PluginId,
    /// Which key, as the hub names it.
    pub(crate) principal: &'a str,
    /// Calls that this plugin may have at once.
    pub(crate) at_once: usize,
}

/// The right to one instance, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    gate: Gate,
    plugin: PluginId,
    principal: String,
}

/// The queue is full; holds how many may wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Full(pub(crate) usize);

impl Gate {
    pub(crate) fn new(max_live: usize, max_waiting: usize) -> Self {
        Self {
            inner: Arc::new(Inner {
                state: Mutex::default(),
                max_live,
                max_waiting,
            }),
        }
    }

    /// Waits for a turn. Dropping the future gives the place in the queue up.
    pub(crate) async fn enter(&self, caller: Caller<'_>) -> Result<Turn, Full> {
        let (mut place, door) = {
            let mut state = self.state();
            state
                .at_once
                .insert(caller.plugin.clone(), caller.at_once.max(1));
            // whoever waits now is not let in by its plugin or its principal, so nobody is passed by
            if state.has_room(self.inner.max_live, caller.plugin, caller.principal) {
                state.begin(caller.plugin, caller.principal);
                return Ok(self.turn(caller));
            }
            let most = self.inner.max_waiting;
            let of_plugin = state.lines.waiting_for(caller.plugin);
            if state.lines.waiting() >= most || of_plugin >= most.div_ceil(2) {
                return Err(Full(state.lines.waiting()));
            }
            let ticket = state.tickets;
            state.tickets += 1;
            state.lines.push(caller.plugin, caller.principal, ticket);
            let (open, door) = oneshot::channel();
            state.doors.insert(ticket, open);
            let place = Place {
                gate: self,
                caller,
                ticket,
                taken: false,
            };
            (place, door)
        };
        // the door is dropped only after it was opened
        drop(door.await);
        place.taken = true;
        Ok(self.turn(caller))
    }

    fn turn(&self, caller: Caller<'_>) -> Turn {
        Turn {
            gate: self.clone(),
            plugin: caller.plugin.clone(),
            principal: caller.principal.to_owned(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.inner
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether one more may run for them.
    fn has_room(&self, max_live: usize, plugin: &PluginId, principal: &str) -> bool {
        let of = |count: Option<&usize>| count.copied().unwrap_or(0);
        let at_once = self.at_once.get(plugin).copied().unwrap_or(1);
        self.live < max_live
            && of(self.of_plugin.get(plugin)) < at_once
            && of(self.of_principal.get(principal)) < MAX_CALLS_OF_PRINCIPAL
    }

    fn begin(&mut self, plugin: &PluginId, principal: &str) {
        self.live += 1;
        *self.of_plugin.entry(plugin.clone()).or_default() += 1;
        *self.of_principal.entry(principal.to_owned()).or_default() += 1;
    }

    /// Ends one, and lets in whoever may run now.
    fn end(&mut self, max_live: usize, plugin: &PluginId, principal: &str) {
        self.live = self.live.saturating_sub(1);
        take_one(&mut self.of_plugin, plugin);
        take_one(&mut self.of_principal, principal);
        self.let_in(max_live);
    }

    fn let_in(&mut self, max_live: usize) {
        while self.live < max_live {
            let mut lines = std::mem::take(&mut self.lines);
            let next = lines.next(|plugin, principal| self.has_room(max_live, plugin, principal));
            self.lines = lines;
            let Some(next) = next else { return };
            self.begin(&next.plugin, &next.principal);
            if let Some(door) = self.doors.remove(&next.ticket) {
                // whoever gave up meanwhile ends its turn in `Place`
                let _left = door.send(()).is_err();
            }
        }
    }
}

/// One less; who has none is not counted any more.
fn take_one<K: Ord + std::borrow::Borrow<Q>, Q: Ord + ?Sized>(
    counts: &mut BTreeMap<K, usize>,
    whose: &Q,
) {
    if let Some(count) = counts.get_mut(whose) {
        *count -= 1;
        if *count == 0 {
            counts.remove(whose);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let max_live = self.gate.inner.max_live;
        self.gate
            .state()
            .end(max_live, &self.plugin, &self.principal);
    }
}

/// A place in the queue, until its turn was taken.
struct Place<'a> {
    gate: &'a Gate,
    caller: Caller<'a>,
    ticket: u64,
    taken: bool,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if self.taken {
            return;
        }
        let mut state = self.gate.state();
        state.doors.remove(&self.ticket);
        if !state.lines.remove(self.ticket) {
            // its turn had come, and nobody was there to take it
            let Caller {
                plugin, principal, ..
            } = self.caller;
            state.end(self.gate.inner.max_live, plugin, principal);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    type Entering<'a> = Pin<Box<dyn Future<Output = Result<Turn, Full>> + 'a>>;

    fn poll(entering: &mut Entering<'_>) -> Poll<Result<Turn, Full>> {
        entering
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
    }

    fn id(name: &str) -> PluginId {
        name.parse().unwrap()
    }

    fn entering<'a>(gate: &'a Gate, plugin: &'a PluginId, at_once: usize) -> Entering<'a> {
        let caller = Caller {
            plugin,
            principal: "key",
            at_once,
        };
        Box::pin(gate.enter(caller))
    }

    fn turn(entering: &mut Entering<'_>) -> Turn {
        match poll(entering) {
            Poll::Ready(turn) => turn.unwrap(),
            Poll::Pending => panic!("there was room"),
        }
    }

    #[test]
    fn one_more_than_may_wait_is_refused_and_a_given_up_place_is_free_again() {
        let (gate, plugin) = (Gate::new(1, 1), id("a"));
        let held = turn(&mut entering(&gate, &plugin, 9));
        let mut second = entering(&gate, &plugin, 9);
        assert!(poll(&mut second).is_pending());
        assert!(matches!(
            poll(&mut entering(&gate, &plugin, 9)),
            Poll::Ready(Err(Full(1)))
        ));
        drop(second);
        let mut fourth = entering(&gate, &plugin, 9);
        assert!(poll(&mut fourth).is_pending());
        drop(held);
        drop(turn(&mut fourth));
    }

    #[test]
    fn a_plugin_has_its_calls_at_once_and_others_go_on() {
        let (gate, one, two) = (Gate::new(4, 8), id("one"), id("two"));
        let _first = turn(&mut entering(&gate, &one, 2));
        let second = turn(&mut entering(&gate, &one, 2));
        let mut third = entering(&gate, &one, 2);
        assert!(poll(&mut third).is_pending());
        let _other = turn(&mut entering(&gate, &two, 2));
        drop(second);
        turn(&mut third);
    }

    #[test]
    fn a_principal_has_its_calls_at_once_and_another_goes_on() {
        let gate = Gate::new(MAX_CALLS_OF_PRINCIPAL + 2, 8);
        let ids: Vec<PluginId> = (0..=MAX_CALLS_OF_PRINCIPAL)
            .map(|number| id(&format!("p{number}")))
            .collect();
        let mut held: Vec<Turn> = ids[1..]
            .iter()
            .map(|plugin| turn(&mut entering(&gate, plugin, 1)))
            .collect();
        let mut over = entering(&gate, &ids[0], 1);
        assert!(poll(&mut over).is_pending());
        let other = Caller {
            plugin: &ids[0],
            principal: "another key",
            at_once: 1,
        };
        drop(turn(&mut (Box::pin(gate.enter(other)) as Entering<'_>)));
        assert!(poll(&mut over).is_pending());
        held.pop();
        turn(&mut over);
    }

    #[test]
    fn one_plugin_fills_half_of_the_queue_and_no_more() {
        let (gate, one, two) = (Gate::new(1, 4), id("one"), id("two"));
        let _held = turn(&mut entering(&gate, &one, 9));
        let mut waiting: Vec<Entering<'_>> = (0..2).map(|_| entering(&gate, &one, 9)).collect();
        assert!(waiting.iter_mut().all(|one| poll(one).is_pending()));
        assert!(matches!(
            poll(&mut entering(&gate, &one, 9)),
            Poll::Ready(Err(Full(2)))
        ));
        assert!(poll(&mut entering(&gate, &two, 9)).is_pending());
    }

    #[test]
    fn a_turn_that_nobody_takes_any_more_is_the_next_ones() {
        let (gate, plugin) = (Gate::new(1, 4), id("a"));
        let held = turn(&mut entering(&gate, &plugin, 9));
        let (mut gone, mut next) = (entering(&gate, &plugin, 9), entering(&gate, &plugin, 9));
        assert!(poll(&mut gone).is_pending() && poll(&mut next).is_pending());
        // its door is open now, and it leaves without having looked
        drop(held);
        drop(gone);
        drop(turn(&mut next));
        drop(turn(&mut entering(&gate, &plugin, 9)));
    }
}
