//! What needs a connected app. This hub has none, so these actions say which one the person would have to connect, and do nothing.

use ensemble_hub_api::sentences::quoted;

use crate::error::RouteError;

/// The refusal of an action that needs `app`, in the person's words: “Jira”, “a board app”.
pub(crate) fn not_connected(app: &str) -> RouteError {
    RouteError::Conflict(format!(
        "This needs {app}, which is not connected to this space: the person connects apps in Ensemble first. Nothing was done."
    ))
}

/// The same for an app that the caller names.
pub(crate) fn named(app: &str) -> RouteError {
    not_connected(&format!("the app {}", quoted(app)))
}

/// What every list about apps says.
pub(crate) const NONE: &str = "No app is connected to this space.";
