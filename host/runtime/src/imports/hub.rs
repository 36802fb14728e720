//! `ensemble:hub`: requests, as the session decides them.

use ensemble_broker::Upload;
use ensemble_model::Method;

use crate::bindings::ensemble::hub::{act, change, files, read, uploads};
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

impl act::Host for CallState {
    async fn run(&mut self, action: String, input: String) -> Result<String, Error> {
        Ok(self.session().act(&action, &input).await?)
    }
}

impl uploads::Host for CallState {
    async fn from_base64(&mut self, data: String) -> Result<String, Error> {
        Ok(self.session().take_base64(data).await?)
    }

    async fn save(
        &mut self,
        handle: String,
        filename: String,
        media_type: Option<String>,
        options: String,
    ) -> Result<String, Error> {
        let upload = Upload {
            handle: &handle,
            filename: &filename,
            media_type: media_type.as_deref(),
            options: &options,
        };
        Ok(self.session().save_upload(upload).await?)
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
