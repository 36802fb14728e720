//! `ensemble hub serve`: one hub on one folder, until it is interrupted.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use ensemble_hub_client::Inside;
use ensemble_hub_server::{Hub, HubClock, Serving};
use ensemble_model::Clock as _;
use jiff::Timestamp;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::hub_pages::ThisHost;
use super::{hub_key, hub_mcp, signals};
use crate::backends::clock::SystemClock;
use crate::cli::Serve;
use crate::compose::Hosted;
use crate::config;
use crate::env::{Environment, ProcessEnvironment};
use crate::output;

/// How long tool calls get when the hub stops.
const DRAIN: Duration = Duration::from_secs(8);

const OPEN: &str = "warning: other computers can reach this address, and keys travel over it in the clear: \
                    put a server that speaks https in front of it.";

/// The hub's clock is the process's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HubTime;

impl HubClock for HubTime {
    fn now(&self) -> Timestamp {
        SystemClock.now()
    }
}

pub(crate) async fn run(asked: Serve, env: &dyn Environment) -> anyhow::Result<()> {
    let folder = hub_key::folder(&asked.hub, env)?;
    let (host, port) = match asked.listen {
        Some(address) => address,
        None => config::listen(env)?,
    };
    let listener = listen(&host, port).await?;
    let hub = Hub::open(&folder, Arc::new(HubTime)).await?;
    if let Some(public) = env.filled("HUB_API_PUBLIC_URL") {
        hub.set_base_url(&public);
    }
    hub.set_host(Arc::new(ThisHost(ProcessEnvironment)));
    if let Some(challenge) = env.filled("OPENAI_APPS_CHALLENGE") {
        hub.set_apps_challenge(&challenge);
    }
    if asked.demo {
        ensemble_hub_server::demo::fill(hub.store()).await?;
    }
    let shutdown = CancellationToken::new();
    let asked_to_end = shutdown.clone();
    tokio::spawn(async move {
        signals::end().await;
        asked_to_end.cancel();
    });
    if !listener.local_addr()?.ip().is_loopback() {
        output::note(output::wrap(OPEN, output::width(), "").trim_end());
    }
    let elsewhere = asked.hub.data.is_some();
    let address = listener.local_addr()?;
    if let Some(most) = config::calls_per_minute(env)? {
        hub.set_admissions(most);
    }
    let inside = hub.inside();
    let hosted = Hosted::of(env, Inside::new(move |request| inside(request)))?;
    let hosted = Arc::new(hosted);
    // Said when it is true: the folder is this hub's, and a bridge that looks finds it.
    let serving = Serving::begin(listener, hub.clone()).await?;
    let serving = serving.with(hub_mcp::routes(hub, Arc::clone(&hosted)));
    output::print(&hello(address, &folder.display().to_string(), elsewhere))?;
    let end = shutdown.clone();
    let ending = tokio::spawn(async move {
        end.cancelled().await;
        hosted.close(DRAIN).await;
    });
    serving.until(shutdown).await;
    Ok(ending.await?)
}

/// What is to be copied stands alone on its line. A bridge finds the hub of the default folder by itself, and one `elsewhere` by its address.
fn hello(at: SocketAddr, folder: &str, elsewhere: bool) -> String {
    let (data, address) = if elsewhere {
        let data = format!(" --data {}", output::shell(folder));
        let address = format!(
            "\n\nTell the bridge where it is, in the editor's environment:\n  HUB_API_URL=http://{at}"
        );
        (data, address)
    } else {
        (String::new(), String::new())
    };
    format!(
        "Ensemble hub on http://{at}\nIts data is in {folder}\n\nMake a key for an editor, in another terminal:\n  \
         ensemble hub key create --name \"my editor\" --changes{data}{address}\n\nIts pages are at the same address; a link that signs you in:\n  ensemble hub sign-in{data}\n\nCtrl-C stops the hub."
    )
}

/// Listens, or says in one sentence why not.
pub(crate) async fn listen(host: &str, port: u16) -> anyhow::Result<TcpListener> {
    TcpListener::bind((host, port)).await.map_err(|error| {
        let sentence = match error.kind() {
            io::ErrorKind::AddrInUse => format!(
                "{host}:{port} is in use, perhaps by another hub: stop it, or choose another address with --listen"
            ),
            io::ErrorKind::PermissionDenied => format!(
                "this user may not listen on {host}:{port}: choose a port above 1023 with --listen"
            ),
            io::ErrorKind::AddrNotAvailable => format!(
                "{host} is no address of this computer: choose another one with --listen"
            ),
            _ => format!("cannot listen on {host}:{port} ({error})"),
        };
        anyhow::Error::msg(sentence)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_be_copied_stands_alone_on_its_line() {
        let at = "127.0.0.1:4100".parse().unwrap();
        let lines = hello(at, "/home/a b/hub", true);
        let copied: Vec<&str> = lines
            .lines()
            .filter_map(|line| line.strip_prefix("  "))
            .collect();
        assert_eq!(
            copied,
            [
                "ensemble hub key create --name \"my editor\" --changes --data '/home/a b/hub'",
                "HUB_API_URL=http://127.0.0.1:4100",
                "ensemble hub sign-in --data '/home/a b/hub'"
            ]
        );
        let lines = hello(at, "/home/a b/hub", false);
        assert!(!lines.contains("--data") && !lines.contains("HUB_API_URL"));
    }

    #[tokio::test]
    async fn a_port_in_use_is_one_sentence() {
        let first = listen("127.0.0.1", 0).await.unwrap();
        let port = first.local_addr().unwrap().port();
        let error = listen("127.0.0.1", port).await.unwrap_err();
        assert_eq!(
            format!("{error:#}"),
            format!(
                "127.0.0.1:{port} is in use, perhaps by another hub: stop it, or choose another address with --listen"
            )
        );
    }
}
