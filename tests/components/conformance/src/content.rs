//! Answers of each kind, and what a call tells while it runs.

use ensemble_sdk::run::{self, Catalog, Level};
use ensemble_sdk::{Block, Body, Embedded, Error, Media, Output};

/// One red pixel.
pub(crate) const PIXEL: &[u8] = include_bytes!("pixel.png");

pub(crate) const TOOLS: &[(&str, &str)] = &[
    ("test_simple_text", "Answers with a text."),
    ("test_image_content", "Answers with an image."),
    ("test_audio_content", "Answers with a sound."),
    ("test_embedded_resource", "Answers with a resource."),
    (
        "test_multiple_content_types",
        "Answers with a text, an image and a resource.",
    ),
    ("test_tool_with_logging", "Logs three lines."),
    ("test_logging_tool", "Logs three lines."),
    ("test_error_handling", "Does not succeed."),
    (
        "test_tool_with_progress",
        "Reports its progress three times.",
    ),
    ("test_reconnection", "Answers with a text."),
    (
        "test_trigger_tool_change",
        "Says that the list of tools has changed.",
    ),
    (
        "test_trigger_prompt_change",
        "Says that the list of prompts has changed.",
    ),
    (
        "test_trigger_resource_change",
        "Says that the watched resource has changed.",
    ),
];

/// The answer of one of [`TOOLS`].
pub(crate) fn answer(name: &str) -> Option<Result<Output, Error>> {
    let output = match name {
        "test_simple_text" => Output::text("This is a simple text response for testing."),
        "test_image_content" => blocks(vec![Block::Image(pixel())]),
        "test_audio_content" => blocks(vec![Block::Audio(sound())]),
        "test_embedded_resource" => blocks(vec![text_resource(
            "test://embedded-resource",
            "text/plain",
            "This is an embedded resource content.",
        )]),
        "test_multiple_content_types" => blocks(vec![
            Block::plain("Multiple content types test:"),
            Block::Image(pixel()),
            text_resource(
                "test://mixed-content-resource",
                "application/json",
                "{\"test\":\"data\",\"value\":123}",
            ),
        ]),
        "test_tool_with_logging" | "test_logging_tool" => {
            for line in [
                "Tool execution started",
                "Tool processing data",
                "Tool execution completed",
            ] {
                run::log(Level::Info, line);
            }
            Output::text("Three lines were logged.")
        }
        "test_error_handling" => {
            Output::unsuccessful("This tool intentionally returns an error for testing")
        }
        "test_tool_with_progress" => {
            for done in [0.0, 50.0, 100.0] {
                run::progress(done, Some(100.0), None);
            }
            Output::text("It is done.")
        }
        "test_reconnection" | "test_custom_header" => Output::text("It was called."),
        "test_trigger_tool_change" => told(Catalog::Tools),
        "test_trigger_prompt_change" => told(Catalog::Prompts),
        "test_trigger_resource_change" => {
            run::resource_updated("test://watched-resource");
            Output::text("It was said.")
        }
        _ => return None,
    };
    Some(Ok(output))
}

fn told(which: Catalog) -> Output {
    run::changed(which);
    Output::text("It was said.")
}

fn blocks(content: Vec<Block>) -> Output {
    Output {
        content,
        structured: None,
        is_error: false,
    }
}

pub(crate) fn pixel() -> Media {
    Media {
        mime_type: "image/png".to_owned(),
        data: PIXEL.to_vec(),
        hints: None,
    }
}

/// A WAV file of eight silent samples.
fn sound() -> Media {
    let mut data = b"RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x08\0\0\0".to_vec();
    data.extend([0x80; 8]);
    Media {
        mime_type: "audio/wav".to_owned(),
        data,
        hints: None,
    }
}

pub(crate) fn text_resource(uri: &str, mime_type: &str, text: &str) -> Block {
    Block::Embedded(Embedded {
        uri: uri.to_owned(),
        mime_type: Some(mime_type.to_owned()),
        body: Body::Text(text.to_owned()),
        hints: None,
    })
}
