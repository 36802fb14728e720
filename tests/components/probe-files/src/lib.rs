//! Opens, shows, reads and saves files, also with names that nobody gave it.

use ensemble_sdk::{
    Block, Error, Output, Presentation, ShownFile, Tool, Tools, Value, files, json, workspace,
};

struct Probe;

impl Tools for Probe {
    fn tools() -> Vec<Tool> {
        ["show", "show_twice", "show_name", "bytes", "save", "check"]
            .iter()
            .map(|name| Tool::read(name, name, "One thing that is done with a file."))
            .collect()
    }

    fn call(name: &str, arguments: Value) -> Result<Output, Error> {
        let text = |name: &str| arguments[name].as_str().unwrap_or_default();
        let presentation = match text("as") {
            "image" => Presentation::Image,
            "text" => Presentation::Text,
            _ => Presentation::Embedded,
        };
        match name {
            "show" => {
                let (details, file) = files::open(text("id"))?;
                let mut output = Output::json(&details);
                output.content.push(file.shown(presentation, text("type")));
                Ok(output)
            }
            "show_twice" => {
                let (_, file) = files::open(text("id"))?;
                let mut output = Output::text("twice");
                for _ in 0..2 {
                    output.content.push(file.shown(presentation, text("type")));
                }
                Ok(output)
            }
            "show_name" => {
                let mut output = Output::text("shown");
                output.content.push(Block::File(ShownFile {
                    handle: text("name").to_owned(),
                    presentation,
                    mime_type: "text/plain".to_owned(),
                }));
                Ok(output)
            }
            "bytes" => {
                let (_, file) = files::open(text("id"))?;
                let offset = arguments["offset"].as_u64().unwrap_or_default();
                let bytes = files::bytes(&file, offset, u32::MAX)?;
                Ok(Output::text(format!("{} {}", file.as_str(), bytes.len())))
            }
            "check" => {
                workspace::check(text("path"), false)?;
                Ok(Output::text("free"))
            }
            "save" => {
                let (_, file) = files::open(text("id"))?;
                let saved = workspace::save(&file, text("path"), false)?;
                Ok(Output::json(
                    &json!({ "path": saved.path, "bytes": saved.bytes, "sha256": saved.sha256 }),
                ))
            }
            other => Err(ensemble_sdk::unknown_tool(other)),
        }
    }
}

ensemble_sdk::export!(Probe: tools);
