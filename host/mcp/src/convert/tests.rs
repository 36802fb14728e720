//! Conversion, case by case.

use ensemble_runtime::offer::Text;
use serde_json::json;

use super::*;

fn plugin() -> PluginId {
    "tasks".parse().unwrap()
}

fn text(text: &str) -> Block {
    Block::Text(Text {
        text: text.to_owned(),
        hints: None,
    })
}

fn link() -> Block {
    Block::Link(Link {
        uri: "ensemble://tasks/1".to_owned(),
        name: "1".to_owned(),
        title: Some("Ünï".to_owned()),
        mime_type: None,
        size: Some(1 << 60),
        hints: None,
    })
}

fn media(bytes: &[u8]) -> Media {
    Media {
        mime_type: "audio/wav".to_owned(),
        data: bytes.to_vec(),
        hints: None,
    }
}

fn shown(
    content: Vec<Block>,
    structured: Option<&str>,
    version: Option<&ProtocolVersion>,
) -> Value {
    let answer = Output {
        content,
        structured: structured.map(ToOwned::to_owned),
        is_error: false,
    };
    serde_json::to_value(output(&plugin(), answer, false, version)).unwrap()
}

#[test]
fn text_comes_first_and_structured_content_beside_it() {
    let plain = shown(vec![text("three tasks"), link()], Some("{\"n\":3}"), None);
    assert_eq!(
        plain["content"][0],
        json!({"type": "text", "text": "three tasks"})
    );
    assert_eq!(plain["content"][1]["type"], "resource_link");
    assert_eq!(plain["structuredContent"], json!({"n": 3}));
    assert_eq!(plain["isError"], false);

    let bare = shown(Vec::new(), Some("{\"n\":3}"), None);
    assert_eq!(
        bare["content"],
        json!([{"type": "text", "text": "{\"n\":3}"}])
    );
    let linked = shown(vec![link()], None, None);
    assert_eq!(linked["content"][0]["text"], "Ünï: ensemble://tasks/1");
    let empty = shown(Vec::new(), None, None);
    assert_eq!(
        empty["content"][0]["text"],
        "The tool answered without content."
    );
}

#[test]
fn an_old_client_gets_what_it_can_read() {
    let old = ProtocolVersion::V_2024_11_05;
    let answer = shown(
        vec![text("x"), link(), Block::Audio(media(b"abc"))],
        None,
        Some(&old),
    );
    assert_eq!(
        answer["content"][1],
        json!({"type": "text", "text": "Ünï: ensemble://tasks/1"})
    );
    assert_eq!(answer["content"][2]["type"], "text");
    let newer = ProtocolVersion::V_2025_06_18;
    let answer = shown(
        vec![text("x"), link(), Block::Audio(media(b"abc"))],
        None,
        Some(&newer),
    );
    assert_eq!(answer["content"][1]["size"], json!(1_u64 << 60));
    assert_eq!(answer["content"][2]["data"], "YWJj");
}

#[test]
fn a_broken_promise_is_an_error_that_names_the_plugin() {
    let answer = |structured: Option<&str>, is_error| {
        let answer = Output {
            content: vec![text("x")],
            structured: structured.map(ToOwned::to_owned),
            is_error,
        };
        output(&plugin(), answer, true, None)
    };
    for broken in [answer(None, false), answer(Some("{"), false)] {
        assert_eq!(broken.is_error, Some(true));
        let first = broken.content[0].as_text().unwrap();
        assert!(first.text.starts_with("The plugin tasks answered"));
    }
    assert_eq!(answer(Some("{}"), false).is_error, Some(false));
    // what did not succeed need not keep the schema
    assert_eq!(answer(None, true).content[0].as_text().unwrap().text, "x");
}

#[test]
fn bytes_and_hints_become_what_the_protocol_has() {
    let blob = contents(Embedded {
        uri: "ensemble://x".to_owned(),
        mime_type: Some("image/png".to_owned()),
        body: Body::Blob(vec![0, 255]),
        hints: None,
    });
    assert_eq!(
        serde_json::to_value(blob).unwrap(),
        json!({"uri": "ensemble://x", "mimeType": "image/png", "blob": "AP8="})
    );
    let hints = annotations(Hints {
        audience: vec![Audience::User],
        priority: Some(7.0),
        last_modified: Some("2026-11-30T00:00:00Z".to_owned()),
    });
    assert_eq!(
        serde_json::to_value(hints).unwrap(),
        json!({"audience": ["user"], "priority": 1.0, "lastModified": "2026-11-30T00:00:00Z"})
    );
}

#[test]
fn a_listed_tool_says_all_four_hints() {
    let surface = json!({"tools": [{
        "name": "t", "title": "T", "description": "D", "inputSchema": {"type": "object"},
        "outputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true}
    }]});
    let manifest = "id = \"t\"\nversion = \"0.1.0\"\ngroup = \"t\"\ntitle = \"T\"\ndescription = \"D\"\nworld = \"changer\"\ngrant = \"changes\"\nspace = false\n";
    let entry = ensemble_catalog::Entry {
        manifest: ensemble_model::Manifest::parse(manifest).unwrap(),
        surface: ensemble_model::Surface::parse(&surface.to_string()).unwrap(),
        origin: ensemble_model::Origin::BuiltIn,
    };
    let catalog = ensemble_catalog::Catalog::new(vec![entry]).unwrap();
    let view = catalog.view(KeyGrants {
        changes: true,
        apps: false,
    });
    let shown = serde_json::to_value(tool(view.tool("t").unwrap())).unwrap();
    assert_eq!(
        shown,
        json!({
            "name": "t", "title": "T", "description": "D", "inputSchema": {"type": "object"},
            "outputSchema": {"type": "object"},
            "annotations": {"title": "T", "readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true}
        })
    );
}
