//! The resources of the suite: a text, bytes, one that is watched, and a family.

use ensemble_sdk::{Body, Embedded, Error, Listed, Resources, Template, json};

use crate::Conformance;
use crate::content::PIXEL;

const FAMILY: (&str, &str) = ("test://template/", "/data");

impl Resources for Conformance {
    fn resources() -> Vec<Listed> {
        vec![
            listed("test://static-text", "static-text", "text/plain"),
            listed("test://static-binary", "static-binary", "image/png"),
            listed("test://watched-resource", "watched-resource", "text/plain"),
        ]
    }

    fn templates() -> Vec<Template> {
        vec![Template::json(
            "test://template/{id}/data",
            "template",
            "Template",
            "Shows its id.",
        )]
    }

    fn read(uri: &str) -> Result<Vec<Embedded>, Error> {
        let (mime_type, body) = match uri {
            "test://static-text" => text("This is the content of the static text resource."),
            "test://static-binary" => ("image/png", Body::Blob(PIXEL.to_vec())),
            "test://watched-resource" => text("This is the content of the watched resource."),
            _ => {
                let id = uri.strip_prefix(FAMILY.0);
                let id = id.and_then(|rest| rest.strip_suffix(FAMILY.1));
                let id = id.ok_or_else(|| Error::unknown_resource(uri))?;
                let data = format!("Data for ID: {id}");
                let data = json!({ "id": id, "templateTest": true, "data": data });
                return Ok(vec![Embedded::json(uri, data.to_string())]);
            }
        };
        Ok(vec![Embedded {
            uri: uri.to_owned(),
            mime_type: Some(mime_type.to_owned()),
            body,
            hints: None,
        }])
    }
}

fn text(text: &str) -> (&'static str, Body) {
    ("text/plain", Body::Text(text.to_owned()))
}

fn listed(uri: &str, name: &str, mime_type: &str) -> Listed {
    let mut listed = Listed::json(uri, name, name, "A resource of the suite.");
    listed.mime_type = Some(mime_type.to_owned());
    listed
}
