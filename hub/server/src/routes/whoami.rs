//! `GET whoami`: the key's grants and where it acts.

use axum::Json;
use axum::extract::State;
use ensemble_hub_api::account::{SpaceName, Whoami};

use crate::auth::Caller;
use crate::hub::Hub;

pub(super) async fn get(caller: Caller, State(_hub): State<Hub>) -> Json<Whoami> {
    Json(Whoami {
        cross_space: caller.account_id.is_some(),
        cross_space_note: caller.fixed_note(),
        can_write: caller.can_write,
        can_use_apps: caller.can_use_apps,
        // This hub connects no apps.
        apps: Vec::new(),
        space_id: caller.space.id,
        space_name: caller.space.name,
        default_space: SpaceName {
            id: caller.default_space.id,
            name: caller.default_space.name,
        },
        key_name: caller.key_name,
        key_id: Some(caller.key_id),
    })
}
