//! Tries every attack, one after the other, each beside a well-behaved guest.

use std::sync::Arc;
use std::time::Duration;

use ensemble_runtime::CallError;
use ensemble_runtime::offer::ToolStep;
use serde_json::Value;

use crate::attack::{Attack, How, Kit};
use crate::attacks::probes::masked;
use crate::attacks::{self, files, lists};
use crate::beside::{self, Quiet};
use crate::client;
use crate::guests::{Probe, Text};
use crate::row::{Row, Verdict};
use crate::stage::{Stage, installed, json, text, told};
use crate::{Host, SetupError};

/// How long the hub may take to notice that a client has left.
const NOTICED: Duration = Duration::from_secs(10);

/// Tries all of them. `tell` is called with each row as it is known.
///
/// # Errors
/// When nothing could be tried: see [`SetupError`]. What an attack does to the host is a row and no error.
pub async fn hostile(host: Host, mut tell: impl FnMut(&Row)) -> Result<Vec<Row>, SetupError> {
    let stage = Stage::set(host).await?;
    let quiet = Quiet::of(&stage).await?;
    let mut rows = Vec::new();
    for attack in attacks::all() {
        let row = row(&stage, quiet, attack).await;
        tell(&row);
        rows.push(row);
    }
    let row = planted(&stage);
    tell(&row);
    rows.push(row);
    Ok(rows)
}

async fn row(stage: &Stage, quiet: Quiet, attack: Attack) -> Row {
    // what came late of the attack before it is not this one's
    drop((stage.inner.hub.saw(), stage.said()));
    let (observed, took, neighbour) = beside::run(stage, quiet, observe(stage, &attack.how)).await;
    let mut phrases = vec![observed];
    if reaches_the_hub(&attack.how) {
        phrases.push(stage.inner.hub.saw());
    }
    phrases.extend(stage.said());
    let observed = phrases.join("; ");
    stage.look("what was observed", &observed);
    let mut row = Row::of(&attack.name, &attack.expected, observed, took);
    row.beside = Some(neighbour.beside);
    if let Some(fault) = neighbour.fault {
        row.verdict = Verdict::Differs;
        row.observed = format!("{}; a call beside it was {fault}", row.observed);
    }
    row
}

/// Whether what arrives at the hub is a part of the verdict.
fn reaches_the_hub(how: &How) -> bool {
    matches!(
        how,
        How::Search(_)
            | How::Hang(_)
            | How::Call(
                _,
                Probe::GetRoute | Probe::Query | Probe::ManyPairs | Probe::ManyRequests,
                ..
            )
    )
}

async fn observe(stage: &Stage, how: &How) -> String {
    match how {
        How::Call(kit, probe, arguments, times) => {
            let mut told_all = Vec::new();
            for _ in 0..*times {
                let ended = stage.call(kit.id(), probe.name(), json(arguments)).await;
                told_all.push(told(&ended));
            }
            told_all.join(", ")
        }
        How::Crowd(kit, probe, times) => crowd(stage, *kit, *probe, *times).await,
        How::Hang(arguments) => hang(stage, arguments).await,
        How::Search(arguments) => search(stage, arguments).await,
        How::Mcp(probe, arguments) => {
            let bridge = stage.inner.bridge.clone();
            let told = client::call(bridge, probe.name(), arguments).await;
            stage.look("a result of the MCP server", &told);
            told
        }
        How::Load(text) => load(stage, &text.id()).await,
        How::Run(text) => run(stage, *text).await,
        How::File(broken) => load(stage, broken.id()).await,
        How::Kept(tampered) => files::kept(stage, *tampered).await,
        How::Lie(lie) => lists::listed(stage, lie).await,
    }
}

/// The call ends, and then the hub notices that nobody waits any more.
async fn hang(stage: &Stage, arguments: &Value) -> String {
    let (kit, probe) = (Kit::Waiting, Probe::GetRoute);
    let ended = stage.call(kit.id(), probe.name(), json(arguments)).await;
    let noticed = tokio::time::timeout(NOTICED, stage.inner.hub.one_given_up()).await;
    match noticed {
        Ok(()) => told(&ended),
        Err(_) => format!("{}; the request goes on", told(&ended)),
    }
}

/// What the kit found in its memory: the key, and what is certainly there.
async fn search(stage: &Stage, arguments: &Value) -> String {
    let mut arguments = arguments.clone();
    if let Some(arguments) = arguments.as_object_mut() {
        let key = masked(stage.inner.watch.canary().expose());
        arguments.insert("absent".to_owned(), key.into());
    }
    let (kit, probe) = (Kit::Usual, Probe::SearchMemory);
    let ended = stage.call(kit.id(), probe.name(), json(&arguments)).await;
    let Ok(ToolStep::Done(output)) = &ended else {
        return told(&ended);
    };
    let found: Value = serde_json::from_str(&text(output)).unwrap_or_default();
    let number = |name: &str| found.get(name).and_then(Value::as_u64);
    match (number("bytes"), number("absent"), number("present")) {
        (Some(bytes), Some(key), Some(present)) if present > 0 => format!(
            "searched {bytes} bytes and found what it holds {present} times, the key {key} times"
        ),
        _ => format!("the search does not work: {}", told(&ended)),
    }
}

/// Each kind of outcome, with how often it was seen.
async fn crowd(stage: &Stage, kit: Kit, probe: Probe, times: usize) -> String {
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..times {
        let stage = stage.clone();
        calls
            .spawn(async move { told(&stage.call(kit.id(), probe.name(), "{}".to_owned()).await) });
    }
    let mut outcomes: Vec<(String, usize)> = Vec::new();
    while let Some(ended) = calls.join_next().await {
        let ended = ended.unwrap_or_else(|_| "the host failed inside itself".to_owned());
        match outcomes.iter_mut().find(|(known, _)| *known == ended) {
            Some((_, count)) => *count += 1,
            None => outcomes.push((ended, 1)),
        }
    }
    let outcomes = outcomes
        .iter()
        .map(|(told, count)| format!("{count} × {told}"));
    outcomes.collect::<Vec<_>>().join(", ")
}

async fn load(stage: &Stage, id: &str) -> String {
    let registry = &stage.inner.registry;
    let loaded = match installed(registry, id) {
        Ok(plugin) => registry
            .load(&plugin.manifest.id)
            .await
            .map_err(CallError::from),
        Err(error) => Err(error),
    };
    match loaded {
        Ok(()) => "loaded".to_owned(),
        Err(error) => {
            stage.look("a refusal", &format!("{error:?} {error}"));
            format!("refused: {error}")
        }
    }
}

async fn run(stage: &Stage, text: Text) -> String {
    if text == Text::LongList {
        return lists::long(stage, text).await;
    }
    told(&stage.call(&text.id(), "run", "{}".to_owned()).await)
}

/// The last row: where the planted key was seen, over all attacks.
fn planted(stage: &Stage) -> Row {
    let host = &stage.inner.host;
    let clock = Arc::clone(&host.clock);
    let begun = clock.instant();
    let watch = &stage.inner.watch;
    watch.look("the decision log", &(host.recorded)());
    watch.note("the log of the process", (host.logged)());
    let took: Duration = clock.instant().saturating_duration_since(begun);
    let attack =
        "the planted key, in every answer, error, log line and decision of all of the above";
    Row::of(attack, &["found nowhere"], watch.found(), took)
}
