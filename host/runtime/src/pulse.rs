//! Advances the engine's epoch while a guest lives, and sleeps otherwise: a bridge that nobody asks costs no processor time.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use ensemble_model::limits::EPOCH_TICK;
use wasmtime::{Engine, EngineWeak};

/// The thread that ticks. It ends when this is dropped.
pub(crate) struct Pulse {
    shared: Arc<Shared>,
}

/// While one of these lives, the epoch advances.
pub(crate) struct Beat {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    live: usize,
    ended: bool,
}

impl Pulse {
    pub(crate) fn start(engine: &Engine) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let (weak, ticking) = (engine.weak(), Arc::clone(&shared));
        std::thread::Builder::new()
            .name("ensemble-epoch".to_owned())
            .spawn(move || tick(&weak, &ticking))?;
        Ok(Self { shared })
    }

    pub(crate) fn beat(&self) -> Beat {
        self.shared.change(|state| state.live += 1);
        Beat {
            shared: Arc::clone(&self.shared),
        }
    }
}

impl Drop for Pulse {
    fn drop(&mut self) {
        self.shared.change(|state| state.ended = true);
    }
}

impl Drop for Beat {
    fn drop(&mut self) {
        self.shared.change(|state| state.live -= 1);
    }
}

impl Shared {
    fn change(&self, how: impl FnOnce(&mut State)) {
        how(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_one();
    }

    /// Waits until a guest lives; `false` when there will be no more.
    fn wanted(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let state = self
            .changed
            .wait_while(state, |state| state.live == 0 && !state.ended)
            .unwrap_or_else(PoisonError::into_inner);
        !state.ended
    }
}

fn tick(engine: &EngineWeak, shared: &Shared) {
    while shared.wanted() {
        let Some(engine) = engine.upgrade() else {
            return;
        };
        engine.increment_epoch();
        drop(engine);
        std::thread::sleep(EPOCH_TICK);
    }
}
