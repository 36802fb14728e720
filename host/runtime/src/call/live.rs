//! The instance of one call, and the functions of it that are called.

mod prompts;

use std::sync::Arc;

use ensemble_broker::Session;
use ensemble_model::surface::{Annotations, Resource, ResourceTemplate, Surface, Tool};
use serde_json::{Map, Value};
use wasmtime::component::{Instance, ResourceTable};
use wasmtime::{Store, StoreContextMut};

use super::{CallError, CallState, not_showable, verdict};
use crate::bindings::ensemble::tools::offer;
use crate::bindings::exports::ensemble::tools::{resources, tools};
use crate::engine::Runtime;
use crate::events::Events;
use crate::gate::{Caller, Full, Turn};
use crate::limiter::Limiter;
use crate::log::CallLog;
use crate::offer::{
    Embedded, Resumption, Shown, ToolStep, embedded, embedded_bytes, fault, output_bytes,
    pause_bytes, tool_step,
};
use crate::pulse::Beat;
use crate::registry::Loaded;
use crate::wasi;

/// Pages of resources that are read; a component with more has no fixed list.
const MAX_PAGES: usize = 20;

/// One instance. The turn comes after the store, so that the next call finds the slot free.
pub(crate) struct Live<'a> {
    loaded: &'a Loaded,
    session: Arc<Session>,
    instance: Instance,
    store: Store<CallState>,
    _beat: Beat,
    _turn: Turn,
}

impl<'a> Live<'a> {
    /// Waits for a turn and starts a fresh instance.
    pub(crate) async fn start(
        runtime: &Runtime,
        loaded: &'a Loaded,
        session: Arc<Session>,
        events: Arc<dyn Events>,
    ) -> Result<Self, CallError> {
        let limits = session.limits();
        let caller = Caller {
            plugin: &loaded.plugin,
            principal: session.caller(),
            at_once: limits.calls_at_once,
        };
        let turn = runtime
            .gate()
            .enter(caller)
            .await
            .map_err(|Full(waiting)| CallError::Busy { waiting })?;
        let beat = runtime.beat();
        let log = CallLog::new(loaded.plugin.clone(), events, limits.log_bytes);
        let state = CallState {
            wasi: wasi::context(&log, &session),
            log,
            limiter: Limiter::new(limits),
            table: ResourceTable::new(),
            session: Arc::clone(&session),
        };
        let mut store = Store::new(runtime.engine(), state);
        store.limiter(|state| &mut state.limiter);
        store.set_hostcall_fuel(limits.hostcall_bytes);
        store.set_max_component_handles(limits.handles);
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(|store: StoreContextMut<'_, CallState>| {
            store.data().at_tick()
        });
        let instance = loaded
            .pre
            .instantiate_async(&mut store)
            .await
            .map_err(|e| verdict(&loaded.plugin, &session, &e))?;
        Ok(Self {
            loaded,
            session,
            instance,
            store,
            _beat: beat,
            _turn: turn,
        })
    }

    pub(crate) async fn call_tool(
        &mut self,
        name: &str,
        arguments: &String,
        resumed: Option<Resumption>,
    ) -> Result<ToolStep, CallError> {
        let guest = self.tools()?.ok_or_else(|| self.no("tools"))?;
        let resumed = resumed.map(Into::into);
        let answer = guest
            .call_call(&mut self.store, name, arguments, resumed.as_ref())
            .await;
        let step = self.answered(answer)?;
        let step = tool_step(&mut Shown::new(&self.session), step)
            .await
            .map_err(|e| not_showable(&self.loaded.plugin, e))?;
        self.within_limit(match &step {
            ToolStep::Done(output) => output_bytes(output),
            ToolStep::Ask(pause) => pause_bytes(pause),
        })?;
        Ok(step)
    }

    pub(crate) async fn read_resource(&mut self, uri: &str) -> Result<Vec<Embedded>, CallError> {
        let guest = self.resources()?.ok_or_else(|| self.no("resources"))?;
        let answer = guest.call_read(&mut self.store, uri).await;
        let mut shown = Shown::new(&self.session);
        let mut read = Vec::new();
        for resource in self.answered(answer)? {
            let resource = embedded(&mut shown, resource)
                .await
                .map_err(|e| not_showable(&self.loaded.plugin, e))?;
            read.push(resource);
        }
        self.within_limit(read.iter().map(embedded_bytes).sum())?;
        Ok(read)
    }

    /// Everything that the component lists.
    pub(crate) async fn surface(&mut self) -> Result<Surface, CallError> {
        let mut surface = Surface::default();
        if let Some(guest) = self.tools()? {
            let answer = guest.call_list_tools(&mut self.store).await;
            for listed in self.answered(answer)? {
                surface.tools.push(self.tool(listed)?);
            }
        }
        if let Some(guest) = self.resources()? {
            self.list_resources(&guest, &mut surface).await?;
            let answer = guest.call_templates(&mut self.store).await;
            let templates = self.answered(answer)?;
            surface.resource_templates = templates.into_iter().map(template).collect();
        }
        self.list_prompts(&mut surface).await?;
        surface.completes = self.loaded.exports.completion.is_some();
        self.within_limit(surface.render().len())?;
        Ok(surface)
    }

    async fn list_resources(
        &mut self,
        guest: &resources::Guest,
        surface: &mut Surface,
    ) -> Result<(), CallError> {
        let mut cursor = None;
        for _ in 0..MAX_PAGES {
            let answer = guest
                .call_list_resources(&mut self.store, cursor.as_deref())
                .await;
            let page = self.answered(answer)?;
            surface
                .resources
                .extend(page.items.into_iter().map(resource));
            match page.next {
                Some(next) => cursor = Some(next),
                None => return Ok(()),
            }
        }
        Err(self.bad(format!(
            "its list of resources has more than {MAX_PAGES} pages"
        )))
    }

    fn tool(&self, listed: offer::Tool) -> Result<Tool, CallError> {
        let object = |what: &str, json: &str| -> Result<Map<String, Value>, CallError> {
            serde_json::from_str(json).map_err(|_| {
                let name: String = listed.name.chars().take(64).collect();
                self.bad(format!(
                    "the {what} schema of its tool {name} is not a JSON object"
                ))
            })
        };
        Ok(Tool {
            input_schema: object("input", &listed.input_schema)?,
            output_schema: listed
                .output_schema
                .as_deref()
                .map(|json| object("output", json))
                .transpose()?,
            annotations: Annotations {
                read_only_hint: listed.behaviour.read_only,
                destructive_hint: listed.behaviour.destructive,
                idempotent_hint: listed.behaviour.idempotent,
                open_world_hint: listed.behaviour.open_world,
            },
            name: listed.name,
            title: listed.title,
            description: listed.description,
        })
    }

    fn tools(&mut self) -> Result<Option<tools::Guest>, CallError> {
        let indices = self.loaded.exports.tools.as_ref();
        indices
            .map(|indices| indices.load(&mut self.store, &self.instance))
            .transpose()
            .map_err(|e| verdict(&self.loaded.plugin, &self.session, &e))
    }

    fn resources(&mut self) -> Result<Option<resources::Guest>, CallError> {
        let indices = self.loaded.exports.resources.as_ref();
        indices
            .map(|indices| indices.load(&mut self.store, &self.instance))
            .transpose()
            .map_err(|e| verdict(&self.loaded.plugin, &self.session, &e))
    }

    /// Keeps the guest's own fault and the end of the guest apart.
    fn answered<T>(
        &self,
        answer: wasmtime::Result<Result<T, crate::bindings::ensemble::types::types::Error>>,
    ) -> Result<T, CallError> {
        answer
            .map_err(|e| verdict(&self.loaded.plugin, &self.session, &e))?
            .map_err(|error| CallError::Guest(fault(error)))
    }

    fn within_limit(&self, bytes: usize) -> Result<(), CallError> {
        let limit = self.session.limits().output_bytes;
        if bytes <= limit {
            return Ok(());
        }
        Err(CallError::OutputTooLarge {
            plugin: self.loaded.plugin.clone(),
            bytes,
            limit,
        })
    }

    fn no(&self, what: &'static str) -> CallError {
        CallError::NoExport {
            plugin: self.loaded.plugin.clone(),
            what,
        }
    }

    fn bad(&self, reason: String) -> CallError {
        CallError::BadOutput {
            plugin: self.loaded.plugin.clone(),
            reason,
        }
    }
}

fn resource(listed: offer::Listed) -> Resource {
    Resource {
        uri: listed.uri,
        name: listed.name,
        title: listed.title,
        description: listed.description,
        mime_type: listed.mime_type,
    }
}

fn template(listed: offer::Template) -> ResourceTemplate {
    ResourceTemplate {
        uri_template: listed.uri_template,
        name: listed.name,
        title: listed.title,
        description: listed.description,
        mime_type: listed.mime_type,
    }
}
