//! Notes out of connected apps.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::actions::{Changing, Done};
use crate::error::RouteError;

/// The apps that keep notes or recordings of meetings.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum App {
    Zoom,
    GoogleMeet,
    MicrosoftTeams,
    Notion,
}

impl App {
    const fn name(self) -> &'static str {
        match self {
            Self::Zoom => "Zoom",
            Self::GoogleMeet => "Google Meet",
            Self::MicrosoftTeams => "Microsoft Teams",
            Self::Notion => "Notion",
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Import {
    /// The app that has the notes.
    app: App,
    /// The meeting or document there: its id or link.
    #[schemars(length(min = 1, max = 2000))]
    #[expect(dead_code, reason = "no app is connected that could be asked for it")]
    item: String,
}

pub(super) async fn import(_: &mut Changing, asked: Import) -> Result<Done, RouteError> {
    Err(RouteError::Conflict(format!(
        "{} is not connected to this hub: the person connects it in Ensemble first. Text that you have can be saved with hub_create_meeting_note.",
        asked.app.name()
    )))
}
