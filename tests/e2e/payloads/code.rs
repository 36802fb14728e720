//! The files of a checkout that the person allowed, against the folder on disk.

use std::path::Path;

use ensemble_hub_api::Kind;
use serde_json::json;

use super::probe::Probe;
use super::rows::{Rows, handle};
use crate::support::World;

/// What lies in the checkout, and whether the outline shows it.
const FILES: [(&str, &str, bool); 6] = [
    (
        "README.md",
        "# Tíme\n\nWords.\n\n## How long → how often\n",
        true,
    ),
    ("Cargo.toml", "[package]\nname = \"time\"\n", true),
    (
        "src/main.rs",
        "fn main() {\n    println!(\"漢字 🚀 é\");\n}\n",
        true,
    ),
    (".gitignore", "built/\n", true),
    ("built/out.txt", "made", false),
    (".env", "TOKEN=1", false),
];

fn fill(folder: &Path) {
    std::fs::create_dir_all(folder.join(".git")).unwrap();
    for (path, text, _) in FILES {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

pub(super) async fn checkouts(probe: &Probe, world: &World, home: &Rows, second: &Rows) {
    for (rows, name) in [(home, "encode/httpx"), (second, "robin/watering")] {
        let repo = rows.one(Kind::Repo, name);
        let asked = json!({"repo": handle(repo)});
        let refused = probe
            .refused(rows, "ensemble_repo_overview", asked.clone())
            .await;
        assert!(refused.contains("ensemble hub repo allow"), "{refused}");
        let folder = tempfile::tempdir().unwrap();
        fill(folder.path());
        let admin = world.hub.hub().admin();
        let allowed = admin.allow_checkout(rows.name.as_deref(), name, folder.path());
        allowed.await.unwrap();
        let found = probe.ask(rows, "ensemble_repo_overview", asked).await;
        assert_eq!(found["repo"]["id"], repo.id);
        assert_eq!(found["trust"], "untrusted");
        let files = FILES.iter().filter(|(.., shown)| *shown);
        let mut tree: Vec<&str> = files.map(|(path, ..)| *path).collect();
        tree.push("src/");
        tree.sort_unstable();
        assert_eq!(found["tree"], json!(tree), "{found}");
        assert_eq!(
            (&found["fileCount"], &found["folderCount"]),
            (&json!(4), &json!(1))
        );
        assert_eq!(found["manifests"][0]["path"], "Cargo.toml");
        assert_eq!(found["entryPoints"], json!(["src/main.rs"]));
        let headings = json!(["# Tíme", "## How long → how often"]);
        assert_eq!(
            found["readme"],
            json!({"path": "README.md", "headings": headings})
        );
        assert!(
            found["languages"].to_string().contains("\"Rust\""),
            "{found}"
        );
        for (path, text, shown) in FILES {
            file(probe, rows, (&repo.id, path), text, shown).await;
        }
    }
}

async fn file(probe: &Probe, rows: &Rows, (repo, path): (&str, &str), text: &str, shown: bool) {
    let asked =
        |offset, limit| json!({"repo": repo, "path": path, "offset": offset, "limit": limit});
    if !shown {
        let refused = probe.refused(rows, "ensemble_repo_file", asked(0, 9)).await;
        assert!(!refused.contains(text), "{refused}");
        return;
    }
    let whole = json!({"repo": repo, "path": path});
    let whole = probe.ask(rows, "ensemble_repo_file", whole).await;
    assert_eq!(
        (&whole["path"], &whole["size"]),
        (&json!(path), &json!(text.len()))
    );
    assert_eq!(whole["text"]["text"], text);
    assert_eq!(whole["text"]["trust"], "untrusted");
    let (mut parts, mut at) = (String::new(), 0);
    loop {
        let part = probe.ask(rows, "ensemble_repo_file", asked(at, 7)).await;
        parts.push_str(part["text"]["text"].as_str().unwrap());
        let Some(next) = part["text"]["nextOffset"].as_u64() else {
            break;
        };
        at = next;
    }
    assert_eq!(parts, text, "{path}");
}
