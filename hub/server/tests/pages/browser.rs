//! A hub, and a browser that keeps cookies and sends forms as browsers do.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode, header};
use ensemble_hub_server::Hub;
use ensemble_hub_server::clock::StillClock;
use tempfile::TempDir;
use tower::ServiceExt as _;

pub(crate) const HOST: &str = "127.0.0.1:4000";
pub(crate) const NAME: &str = "Ana Souza";
pub(crate) const PASSWORD: &str = "a long enough one";

pub(crate) struct Site {
    pub(crate) hub: Hub,
    pub(crate) clock: Arc<StillClock>,
    _folder: TempDir,
}

impl Site {
    pub(crate) async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let clock = Arc::new(StillClock::at("2026-03-02T09:00:00Z".parse().unwrap()));
        let hub = Hub::open(folder.path(), Arc::<StillClock>::clone(&clock))
            .await
            .unwrap();
        Self {
            hub,
            clock,
            _folder: folder,
        }
    }

    pub(crate) fn browser(&self) -> Browser {
        Browser {
            hub: self.hub.clone(),
            cookie: None,
            app: None,
        }
    }

    /// The path of a link to choose a password.
    pub(crate) async fn link(&self) -> String {
        self.hub
            .admin()
            .sign_in_link()
            .await
            .unwrap()
            .expose()
            .to_owned()
    }

    /// A browser of the owner's, signed in.
    pub(crate) async fn owner(&self) -> Browser {
        let mut browser = self.browser();
        let done = browser.choose(&self.link().await, NAME, PASSWORD).await;
        assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
        browser
    }
}

/// A page that came.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Page {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The value of the form's hidden field.
    pub(crate) fn hidden(&self, name: &str) -> String {
        let field = format!("name=\"{name}\" value=\"");
        let (_, after) = self
            .body
            .split_once(&field)
            .unwrap_or_else(|| panic!("no {name}: {}", self.body));
        after.split_once('"').unwrap().0.to_owned()
    }

    /// What stands in the element that begins so.
    pub(crate) fn within(&self, begins: &str) -> String {
        let (_, after) = self
            .body
            .split_once(begins)
            .unwrap_or_else(|| panic!("no {begins}: {}", self.body));
        after.split_once('<').unwrap().0.to_owned()
    }
}

pub(crate) struct Browser {
    hub: Hub,
    pub(crate) cookie: Option<String>,
    /// What binds an app's request to it.
    app: Option<String>,
}

impl Browser {
    pub(crate) async fn get(&mut self, path: &str) -> Page {
        let request = Request::get(path).header(header::HOST, HOST);
        self.send(request, String::new()).await
    }

    /// Sends a form from a page of the hub.
    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        self.post_from(
            path,
            fields,
            &[
                ("origin", "http://127.0.0.1:4000"),
                ("sec-fetch-site", "same-origin"),
            ],
        )
        .await
    }

    /// Sends a form with these headers besides.
    pub(crate) async fn post_from(
        &mut self,
        path: &str,
        fields: &[(&str, &str)],
        headers: &[(&str, &str)],
    ) -> Page {
        let url = reqwest::Url::parse_with_params("http://hub/", fields).unwrap();
        let mut request = Request::post(path)
            .header(header::HOST, HOST)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request, url.query().unwrap_or_default().to_owned())
            .await
    }

    pub(crate) async fn send(
        &mut self,
        mut request: axum::http::request::Builder,
        body: String,
    ) -> Page {
        if let Some(cookie) = &self.cookie {
            request = request.header(header::COOKIE, format!("other=1; {cookie}"));
        }
        if let Some(app) = &self.app {
            request = request.header(header::COOKIE, app);
        }
        let request = request.body(Body::from(body)).unwrap();
        let response = self.hub.router().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        if let Some(set) = parts.headers.get(header::SET_COOKIE) {
            let pair = set.to_str().unwrap().split(';').next().unwrap();
            let kept = (!pair.ends_with('=')).then(|| pair.to_owned());
            if pair.starts_with("ensemble_oauth=") {
                self.app = kept;
            } else {
                self.cookie = kept;
            }
        }
        let body = to_bytes(body, 1 << 20).await.unwrap();
        Page {
            status: parts.status,
            headers: parts.headers,
            body: String::from_utf8(body.to_vec()).unwrap(),
        }
    }

    /// Opens a link and chooses a name and a password.
    pub(crate) async fn choose(&mut self, link: &str, name: &str, password: &str) -> Page {
        let code = self.get(link).await.hidden("code");
        let fields = [
            ("code", code.as_str()),
            ("name", name),
            ("password", password),
            ("again", password),
        ];
        self.post("/set-up", &fields).await
    }

    pub(crate) async fn sign_in(&mut self, name: &str, password: &str, then: &str) -> Page {
        self.post(
            "/sign-in",
            &[("name", name), ("password", password), ("then", then)],
        )
        .await
    }
}
