//! `GET gaps`: what the bridge does not have or will not give.

use axum::Json;

use crate::auth::Caller;
use crate::gaps::{self, Gaps};

pub(super) async fn get(_caller: Caller) -> Json<Gaps> {
    Json(gaps::gaps())
}
