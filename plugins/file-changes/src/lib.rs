//! The file-changes plugin: adds a file. It exists only for a key that may make changes.
//!
//! The file comes as base64 or as a path of the working folder. Either way its bytes stay in the host, which checks that they are
//! whole; what kinds of files are taken, and what becomes of them, the hub decides.

mod offer;

use ensemble_sdk::{Error, Output, Tool, Tools, Value, args, files, given, json};
use serde::Deserialize;

struct FileChanges;

impl Tools for FileChanges {
    fn tools() -> Vec<Tool> {
        vec![offer::upload()]
    }

    fn call(name: &str, arguments: Value) -> Result<Output, Error> {
        match name {
            "ensemble_upload_file" => upload(arguments),
            other => Err(ensemble_sdk::unknown_tool(other)),
        }
    }
}

/// Everything but the data, which can be half of the memory there is and is therefore never copied.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Upload {
    filename: Option<String>,
    path: Option<String>,
    media_type: Option<String>,
    attach_to: Option<String>,
    summarize: Option<bool>,
}

/// Where the file is.
#[derive(Debug, PartialEq)]
enum Source {
    Data(String),
    Path(String),
}

fn upload(mut arguments: Value) -> Result<Output, Error> {
    let data = match arguments
        .as_object_mut()
        .and_then(|a| a.remove("dataBase64"))
    {
        Some(Value::String(data)) => Some(data),
        None | Some(Value::Null) => None,
        Some(_) => return Err(Error::Invalid("dataBase64 has to be a text.".to_owned())),
    };
    let upload: Upload = args(arguments)?;
    let source = source(data, upload.path.clone())?;
    let filename = filename(given(upload.filename.clone()), &source)?;
    let file = match source {
        Source::Data(data) => files::from_base64(&data)?,
        Source::Path(path) => files::from_folder(&path)?,
    };
    let media_type = given(upload.media_type.clone());
    let answer = files::add(&file, &filename, media_type.as_deref(), &options(upload))?;
    Ok(Output::json_text(answer))
}

fn source(data: Option<String>, path: Option<String>) -> Result<Source, Error> {
    match (given(data), given(path)) {
        (Some(data), None) => Ok(Source::Data(data)),
        (None, Some(path)) => Ok(Source::Path(path)),
        (Some(_), Some(_)) => Err(Error::Invalid(
            "Give dataBase64 or path, not both: nothing was added.".to_owned(),
        )),
        (None, None) => Err(Error::Invalid(
            "Give the file: path, where it is in the working folder, or dataBase64.".to_owned(),
        )),
    }
}

fn filename(named: Option<String>, source: &Source) -> Result<String, Error> {
    match (named, source) {
        (Some(name), _) => Ok(name),
        (None, Source::Path(path)) => Ok(path.rsplit('/').next().unwrap_or_default().to_owned()),
        (None, Source::Data(_)) => Err(Error::Invalid(
            "dataBase64 has no name of its own: give filename.".to_owned(),
        )),
    }
}

fn options(upload: Upload) -> Value {
    let mut options = json!({});
    if let Some(handle) = given(upload.attach_to) {
        options["attachTo"] = json!(handle);
    }
    if let Some(summarize) = upload.summarize {
        options["summarize"] = json!(summarize);
    }
    options
}

ensemble_sdk::export!(FileChanges: tools);

#[cfg(test)]
mod tests {
    use ensemble_sdk::surface::Surface;

    use super::*;

    #[test]
    fn the_surface_is_the_approved_one() {
        Surface::of_tools::<FileChanges>()
            .check(
                env!("CARGO_MANIFEST_DIR"),
                std::env::var_os("BLESS").is_some(),
            )
            .unwrap();
    }

    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn a_file_has_one_source() {
        let path = || Source::Path("a/b.md".to_owned());
        assert_eq!(
            source(text("QQ=="), None).unwrap(),
            Source::Data("QQ==".to_owned())
        );
        // clients that fill in every argument send an empty text for what they leave out
        assert_eq!(source(text(""), text("a/b.md")).unwrap(), path());
        for (data, file) in [
            (None, None),
            (text(""), text(" ")),
            (text("QQ=="), text("a")),
        ] {
            assert!(matches!(source(data, file), Err(Error::Invalid(_))));
        }
    }

    #[test]
    fn a_path_names_its_file_and_data_does_not() {
        let path = Source::Path("a/b.md".to_owned());
        let data = Source::Data("QQ==".to_owned());
        assert_eq!(filename(None, &path).unwrap(), "b.md");
        assert_eq!(filename(text("c.md"), &path).unwrap(), "c.md");
        assert_eq!(filename(text("c.md"), &data).unwrap(), "c.md");
        let sentence = filename(None, &data).unwrap_err().sentence();
        assert!(sentence.contains("give filename"), "{sentence}");
    }

    #[test]
    fn options_are_sent_where_they_are_given() {
        let read = |arguments: Value| options(args::<Upload>(arguments).unwrap());
        assert_eq!(read(json!({})), json!({}));
        assert_eq!(read(json!({ "attachTo": "" })), json!({}));
        assert_eq!(
            read(json!({ "attachTo": "ensemble://task/t1", "summarize": false })),
            json!({ "attachTo": "ensemble://task/t1", "summarize": false })
        );
    }

    #[test]
    fn what_is_not_as_it_should_be_is_refused_before_the_host_is_asked() {
        for (arguments, says) in [
            (json!({ "dataBase64": 5 }), "has to be a text"),
            (json!({ "filename": "a" }), "Give the file"),
            (
                json!({ "filename": "a", "path": "b", "dataBase64": "QQ==" }),
                "not both",
            ),
            (json!({ "data": "QQ==" }), "unknown field"),
        ] {
            let sentence = upload(arguments).unwrap_err().sentence();
            assert!(sentence.contains(says), "{sentence}");
        }
    }
}
