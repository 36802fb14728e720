//! A person who signs in to a hub's pages and answers an app's request there, as a browser without scripts would.

use std::collections::BTreeMap;

use reqwest::redirect::Policy;
use reqwest::{Client, Method, Url};

use crate::support::{Served, with_crypto};

pub(crate) const NAME: &str = "Ana Souza";
pub(crate) const PASSWORD: &str = "a long enough one";

pub(crate) struct Person {
    base: String,
    client: Client,
    cookies: BTreeMap<String, String>,
}

/// A page, or where the browser is sent on to.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) status: u16,
    pub(crate) location: String,
    pub(crate) text: String,
}

impl Page {
    /// The value of a form's hidden field.
    #[track_caller]
    pub(crate) fn hidden(&self, name: &str) -> String {
        let field = format!("name=\"{name}\" value=\"");
        let (_, after) = self
            .text
            .split_once(&field)
            .unwrap_or_else(|| panic!("no {name}: {self:?}"));
        after.split_once('"').unwrap().0.to_owned()
    }

    #[track_caller]
    fn first_space(&self) -> String {
        let (_, after) = self.text.split_once("<option value=\"").unwrap();
        after.split_once('"').unwrap().0.to_owned()
    }
}

impl Person {
    /// Who chose a name and a password with the link that the hub's computer made.
    pub(crate) async fn signed_in(hub: &Served) -> Self {
        with_crypto();
        let client = Client::builder()
            .no_proxy()
            .redirect(Policy::none())
            .build()
            .unwrap();
        let mut person = Self {
            base: hub.base.clone(),
            client,
            cookies: BTreeMap::new(),
        };
        let link = hub.run(&["hub", "sign-in"]).await;
        let code = person.get(&link).await.hidden("code");
        let fields = [
            ("code", code.as_str()),
            ("name", NAME),
            ("password", PASSWORD),
            ("again", PASSWORD),
        ];
        let done = person.post("/set-up", &fields).await;
        assert_eq!(done.status, 303, "{done:?}");
        person
    }

    pub(crate) async fn get(&mut self, url: &str) -> Page {
        self.send(Method::GET, url, "").await
    }

    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        let query = Url::parse_with_params("http://x/", fields).unwrap();
        let body = query.query().unwrap_or_default().to_owned();
        let url = format!("{}{path}", self.base);
        self.send(Method::POST, &url, &body).await
    }

    async fn send(&mut self, method: Method, url: &str, body: &str) -> Page {
        let cookies: Vec<String> = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let mut request = self.client.request(method.clone(), url);
        request = request.header("cookie", cookies.join("; "));
        if method == Method::POST {
            request = request
                .header("content-type", "application/x-www-form-urlencoded")
                .header("origin", &self.base)
                .body(body.to_owned());
        }
        let response = request.send().await.unwrap();
        for set in response.headers().get_all("set-cookie") {
            let pair = set.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        let location = response.headers().get("location");
        let location = location.map_or("", |to| to.to_str().unwrap()).to_owned();
        Page {
            status: response.status().as_u16(),
            location,
            text: response.text().await.unwrap(),
        }
    }

    /// Goes where an app sends the browser, and allows it these; where the browser goes then.
    pub(crate) async fn allows(&mut self, url: &str, grants: &[&str]) -> String {
        let begun = self.get(url).await;
        assert_eq!(begun.status, 302, "{begun:?}");
        let asked = self.get(&begun.location).await;
        assert_eq!(asked.status, 200, "{asked:?}");
        let (proof, request, space) = (
            asked.hidden("proof"),
            asked.hidden("request"),
            asked.first_space(),
        );
        let mut fields = vec![
            ("proof", proof.as_str()),
            ("request", request.as_str()),
            ("space", space.as_str()),
            ("choice", "allow"),
        ];
        fields.extend(grants.iter().map(|grant| (*grant, "on")));
        let done = self.post("/oauth", &fields).await;
        assert_eq!(done.status, 303, "{done:?}");
        done.location
    }
}
