//! `GET actions`: what can be run by name. `groups` and `names` are separated by commas; `schema=true` gives descriptions and schemas of groups.

use axum::Json;
use ensemble_hub_api::limits;

use crate::actions::list::{self, Actions, Asked};
use crate::auth::Caller;
use crate::error::RouteError;
use crate::params::Params;

pub(super) async fn get(caller: Caller, params: Params) -> Result<Json<Actions>, RouteError> {
    let names = |name: &str| -> Result<Vec<String>, RouteError> {
        let text = params.text(name, limits::QUERY_MAX)?.unwrap_or_default();
        let parts = text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty());
        Ok(parts.map(str::to_owned).collect())
    };
    let asked = Asked {
        groups: names("groups")?,
        names: names("names")?,
        schema: params.flag("schema")?,
    };
    list::list(&caller, &asked).map(Json)
}
