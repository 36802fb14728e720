//! `ensemble hub sign-in`: a link to the hub's pages, made where the hub's data is.

use ensemble_hub_server::SignInLink;

use super::hub_key;
use crate::cli::HubData;
use crate::env::Environment;
use crate::{discovery, output};

pub(crate) async fn run(asked: HubData, env: &dyn Environment) -> anyhow::Result<()> {
    let admin = hub_key::existing(&asked, env).await?;
    let link = admin.sign_in_link().await;
    admin.close().await;
    let link = link?;
    let public = env.filled("HUB_API_PUBLIC_URL");
    let running = discovery::running(&hub_key::folder(&asked, env)?).map(|running| running.base);
    let stopped = public.is_none() && running.is_none();
    let base = public.or(running);
    let base = base.as_deref().unwrap_or("http://127.0.0.1:4000");
    output::print(&format!("{}{}", base.trim_end_matches('/'), link.expose()))?;
    let minutes = SignInLink::minutes();
    let note = if stopped {
        format!(
            "The hub does not run now: start it with `ensemble hub serve`, then open this link under the address that it shows. It works once and for {minutes} minutes."
        )
    } else {
        format!("Open this link in a browser. It works once and for {minutes} minutes.")
    };
    output::note(output::wrap(&note, output::width(), "").trim_end());
    Ok(())
}
