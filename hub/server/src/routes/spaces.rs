//! `GET spaces`: every space the key's account can open, and which of them the key may act in.

use axum::Json;
use axum::extract::State;
use ensemble_hub_api::account::{Access, Space, Spaces};
use ensemble_hub_api::sentences;

use crate::auth::Caller;
use crate::error::RouteError;
use crate::hub::Hub;
use crate::store::SpaceRow;

pub(super) async fn get(
    caller: Caller,
    State(hub): State<Hub>,
) -> Result<Json<Spaces>, RouteError> {
    let Some(account) = &caller.account_id else {
        return Ok(Json(Spaces {
            spaces: vec![own(&caller, caller.default_space.clone())],
        }));
    };
    let mut spaces: Vec<Space> = hub
        .store()
        .spaces_of(account)
        .await?
        .into_iter()
        .map(|space| own(&caller, space))
        .collect();
    for shared in hub.store().memberships_of(account).await? {
        spaces.push(Space {
            refusal: Some(sentences::space_shared(&shared.space.name)),
            id: shared.space.id,
            name: shared.space.name,
            access: Access::Member,
            role: shared.role,
            default: false,
            current: false,
            usable: false,
        });
    }
    // Both lists come by name; the key's own space is what most callers look for.
    spaces.sort_by_key(|space| !space.default);
    Ok(Json(Spaces { spaces }))
}

fn own(caller: &Caller, space: SpaceRow) -> Space {
    Space {
        default: space.id == caller.default_space.id,
        current: space.id == caller.space.id,
        id: space.id,
        name: space.name,
        access: Access::Own,
        role: "owner".to_owned(),
        usable: true,
        refusal: None,
    }
}
