//! A resource is listed by its URI, or found through a template, and read as text or bytes.

use crate::{Body, Embedded, Error, Listed, Page, Template};

/// The media type of JSON text.
const JSON: &str = "application/json";

/// The resources of a plugin: the export `resources`.
pub trait Resources {
    /// The resources, in the order in which they are listed.
    fn resources() -> Vec<Listed>;

    /// The URI templates, in the order in which they are listed.
    fn templates() -> Vec<Template> {
        Vec::new()
    }

    /// Reads one resource.
    ///
    /// # Errors
    /// [`unknown_resource`](Error::unknown_resource) for a URI of another form, else what the hub said.
    fn read(uri: &str) -> Result<Vec<Embedded>, Error>;

    /// One page of the list. Only a plugin with more resources than one page holds writes this one.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a cursor that no page gave.
    fn page(cursor: Option<&str>) -> Result<Page, Error> {
        match cursor {
            None => Ok(Page {
                items: Self::resources(),
                next: None,
            }),
            Some(_) => Err(Error::Invalid(
                "There is no such page of resources.".to_owned(),
            )),
        }
    }
}

impl Listed {
    /// A resource that reads as JSON.
    #[must_use]
    pub fn json(uri: &str, name: &str, title: &str, description: &str) -> Self {
        Self {
            uri: uri.to_owned(),
            name: name.to_owned(),
            title: Some(title.to_owned()),
            description: Some(description.to_owned()),
            mime_type: Some(JSON.to_owned()),
            size: None,
            hints: None,
        }
    }
}

impl Template {
    /// Resources that read as JSON. `uri_template` as RFC 6570, level 1: `ensemble://tasks/{id}`.
    #[must_use]
    pub fn json(uri_template: &str, name: &str, title: &str, description: &str) -> Self {
        Self {
            uri_template: uri_template.to_owned(),
            name: name.to_owned(),
            title: Some(title.to_owned()),
            description: Some(description.to_owned()),
            mime_type: Some(JSON.to_owned()),
        }
    }
}

impl Embedded {
    /// JSON text under its URI.
    #[must_use]
    pub fn json(uri: &str, json: impl Into<String>) -> Self {
        Self {
            uri: uri.to_owned(),
            mime_type: Some(JSON.to_owned()),
            body: Body::Text(json.into()),
            hints: None,
        }
    }
}

impl Error {
    /// The answer to a URI that this plugin does not have. A long one is cut at 200 characters.
    #[must_use]
    pub fn unknown_resource(uri: &str) -> Self {
        let uri: String = uri.chars().take(200).collect();
        Self::NotFound(format!("There is no resource {uri}."))
    }
}
