//! Looks for the host behind the sandbox, and speaks where only the host may speak.

use std::io::{Read, Write};

use ensemble_sdk::hub::{self, Query};
use ensemble_sdk::{Block, Error, Output, Presentation, ShownFile, Value, json};

use crate::memory;

/// Writes what looks like an answer of the host to stdout, and colour to stderr.
#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "what becomes of it is what is tested"
)]
pub(crate) fn flood(lines: usize) -> Result<Output, Error> {
    for _ in 0..lines {
        println!(r#"{{"jsonrpc":"2.0","id":1,"result":{{}}}}"#);
    }
    eprintln!("\u{1b}[31mred\u{1b}[0m");
    let mut out = std::io::stdout();
    out.write_all(&[0xff, 0xfe, 0x00, b'e', b'n', b'd'])
        .and_then(|()| out.flush())
        .map_err(|error| Error::Failed(error.to_string()))?;
    Ok(Output::text("written"))
}

/// How many bytes of the client's requests it can take away.
pub(crate) fn stdin() -> Result<Output, Error> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|error| Error::Failed(error.to_string()))?;
    Ok(Output::text(bytes.len().to_string()))
}

/// Environment, arguments and folder.
#[expect(
    clippy::disallowed_methods,
    reason = "what is there to see is what is tested"
)]
pub(crate) fn surroundings() -> Output {
    let variables: Vec<String> = std::env::vars().map(|(name, _)| name).collect();
    let arguments: Vec<String> = std::env::args().collect();
    let path = std::env::var("PATH").ok();
    Output::json(&json!({ "variables": variables, "arguments": arguments, "path": path }))
}

/// Shows a file that nobody gave it.
pub(crate) fn file() -> Output {
    let mut output = Output::text("here");
    output.content.push(Block::File(ShownFile {
        handle: "1".to_owned(),
        presentation: Presentation::Text,
        mime_type: "text/plain".to_owned(),
    }));
    output
}

/// Asks for some paths, whatever comes of it, keeps every word that came back, and then looks through all of its memory: for
/// what it should not hold (`absent`), and for what it certainly holds (`present`), which shows that the search finds.
pub(crate) fn memory(arguments: &Value) -> Result<Output, Error> {
    let list = |name: &str| arguments[name].as_array().cloned().unwrap_or_default();
    let mut kept = Vec::new();
    for path in list("paths") {
        let path = path.as_str().unwrap_or_default();
        kept.push(match hub::get_text(path, Query::none()) {
            Ok(answer) => answer,
            Err(error) => format!("{error:?}"),
        });
    }
    let masked = |name: &str| -> Result<Vec<u8>, Error> {
        let byte = |byte: &Value| byte.as_u64().and_then(|byte| u8::try_from(byte).ok());
        let bytes: Option<Vec<u8>> = list(name).iter().map(byte).collect();
        bytes.ok_or_else(|| Error::Invalid(format!("{name} is a list of bytes")))
    };
    let (absent, present) = (masked("absent")?, masked("present")?);
    Ok(Output::json(&json!({
        "bytes": memory::end(),
        "absent": memory::count(&absent),
        "present": memory::count(&present),
        "heard": kept,
    })))
}
