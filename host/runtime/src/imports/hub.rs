//! `ensemble:hub`: requests, as the session decides them.

use ensemble_model::Method;

use crate::bindings::ensemble::hub::{change, files, read};
use crate::bindings::ensemble::types::types::Error;
use crate::call::CallState;

impl read::Host for CallState {
    async fn get(&mut self, path: String, query: Vec<(String, String)>) -> Result<String, Error> {
        Ok(self.session().hub_get(&path, query).await?)
    }
}

impl change::Host for CallState {
    async fn send(
        &mut self,
        method: change::Method,
        path: String,
        body: String,
    ) -> Result<String, Error> {
        let method = match method {
            change::Method::Post => Method::Post,
            change::Method::Patch => Method::Patch,
        };
        Ok(self.session().hub_send(method, &path, body).await?)
    }
}

impl files::Host for CallState {
    async fn open(&mut self, id: String) -> Result<(String, String), Error> {
        Ok(self.session().open_file(&id).await?)
    }

    async fn bytes(&mut self, handle: String, offset: u64, limit: u32) -> Result<Vec<u8>, Error> {
        Ok(self.session().file_bytes(&handle, offset, limit).await?)
    }
}
