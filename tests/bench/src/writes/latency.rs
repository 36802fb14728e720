//! What the bridge adds to an action: the same call straight at the hub and through `ensemble mcp`, in turns, each round in a space and
//! with a task of its own. Both check the key, the grant and the input, and both have an idempotency key; only the bridge runs a component.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use ensemble_hub_api::paths;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::{IN_ONE, create, post};
use crate::client::Server;
use crate::hub::Hub;
use crate::measure::{milliseconds, percentiles};

/// Rounds of each action and way.
const ROUNDS: usize = 5;
/// Calls that open a round and are not counted.
const WARM: usize = 19;
/// Calls of a round: one write of the space's minute makes its task.
const CALLS: usize = IN_ONE - 1;
/// Spaces that are needed: two actions in two ways.
pub(super) const SPACES: usize = 4 * ROUNDS;

/// Prints both actions.
pub(super) fn print(
    ensemble: &Path,
    hub: &Hub,
    runtime: &Runtime,
    spaces: &[String],
) -> anyhow::Result<()> {
    let mut bridge = Server::start(hub.server(ensemble, "mcp"))?.warm(
        "ensemble_act",
        &json!({"action": "hub_list_tasks", "input": {"limit": 1}}),
    )?;
    let client = hub.client()?;
    let mut straight = |space: &str, action: &str, input: &Value| {
        let path = paths::ACT.replace("{name}", action);
        let body = json!({ "input": input });
        let reply = runtime.block_on(post(&client, &path, space, &body))?;
        reply.json::<Value>().map_err(anyhow::Error::from)
    };
    let mut through = |space: &str, action: &str, input: &Value| {
        let call = json!({"action": action, "input": input, "space": space});
        let text = bridge.answer("ensemble_act", &call)?;
        serde_json::from_str(&text).context("the answer is not JSON")
    };
    println!(
        "\n{:<34} {:>9} {:>9} {:>10} {:>9} {:>7} {:>7}",
        "milliseconds", "hub p50", "p99", "bridge p50", "p99", "p50 x", "p99 x"
    );
    let mut spaces = spaces.iter();
    for action in ["hub_update_task", "hub_get_task"] {
        let (mut hub_times, mut bridge_times) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            for (times, call) in [
                (&mut hub_times, &mut straight as Calling<'_>),
                (&mut bridge_times, &mut through),
            ] {
                let space = spaces.next().context("too few spaces")?;
                let task = runtime.block_on(create(&client, space, "Measured"))?;
                times.extend(round(call, space, action, &task)?);
            }
        }
        let [hub50, hub99] = percentiles(hub_times, [50, 99]);
        let [bridge50, bridge99] = percentiles(bridge_times, [50, 99]);
        println!(
            "{action:<34} {hub50:>9.2} {hub99:>9.2} {bridge50:>10.2} {bridge99:>9.2} {:>7.2} {:>7.2}",
            bridge50 / hub50,
            bridge99 / hub99
        );
    }
    Ok(())
}

/// Runs an action in a space with an input, and gives the hub's answer.
type Calling<'a> = &'a mut dyn FnMut(&str, &str, &Value) -> anyhow::Result<Value>;

/// One call after the other.
fn round(call: Calling<'_>, space: &str, action: &str, task: &str) -> anyhow::Result<Vec<f64>> {
    let mut times = Vec::with_capacity(CALLS);
    for at in 0..CALLS {
        let input = match action {
            "hub_update_task" => json!({ "task": task, "title": format!("Measured {at}") }),
            _ => json!({ "task": task }),
        };
        let started = Instant::now();
        let answer = call(space, action, &input)?;
        let time = milliseconds(started);
        ensure!(
            answer.get("action").and_then(Value::as_str) == Some(action)
                && answer.to_string().contains(task),
            "{action} answered {answer}"
        );
        if at >= WARM {
            times.push(time);
        }
    }
    Ok(times)
}
