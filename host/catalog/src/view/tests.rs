//! What one caller sees of the catalog, and which plugins cannot stand beside each other.

use serde_json::json;

use super::*;

fn entry(id: &str, grant: &str, tool: &str) -> Entry {
    let manifest = format!(
        "id = \"{id}\"\nversion = \"0.1.0\"\ngroup = \"g\"\ntitle = \"T\"\ndescription = \"D\"\nworld = \"reader\"\ngrant = \"{grant}\"\nspace = {}\n",
        id != "spaces"
    );
    let surface = json!({
        "tools": [{
            "name": tool, "title": "T", "description": "D", "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": grant == "read", "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
        }],
        "resources": [{"uri": format!("ensemble://{id}"), "name": id}],
        "resourceTemplates": [{"uriTemplate": format!("ensemble://{id}/{{id}}"), "name": id}]
    });
    Entry {
        manifest: Manifest::parse(&manifest).unwrap(),
        surface: Surface::parse(&surface.to_string()).unwrap(),
        origin: Origin::BuiltIn,
    }
}

fn installed(id: &str, tool: &str) -> Entry {
    let mut entry = entry(id, "read", tool);
    entry.surface.resources.clear();
    entry.surface.resource_templates.clear();
    entry.origin = Origin::Installed;
    entry
}

fn names(view: &View) -> Vec<&str> {
    view.tools()
        .iter()
        .map(|listed| listed.tool.name.as_str())
        .collect()
}

#[test]
fn a_caller_sees_what_its_key_opens_and_nothing_else() {
    let catalog = Catalog::new(vec![
        entry("tasks", "read", "ensemble_tasks"),
        entry("task-changes", "changes", "ensemble_create_task"),
        entry("apps", "apps", "ensemble_apps"),
    ])
    .unwrap();
    let view = |changes, apps| catalog.view(KeyGrants { changes, apps });
    assert_eq!(names(&view(false, false)), ["ensemble_tasks"]);
    assert_eq!(
        names(&view(true, false)),
        ["ensemble_tasks", "ensemble_create_task"]
    );
    assert_eq!(
        names(&view(false, true)),
        ["ensemble_tasks", "ensemble_apps"]
    );
    assert!(view(false, false).tool("ensemble_create_task").is_none());
    assert!(view(false, false).resource("ensemble://apps").is_none());
    assert!(view(false, false).resource("ensemble://apps/1").is_none());
    assert_eq!(
        view(true, false)
            .resource("ensemble://task-changes/1")
            .map(|found| found.1),
        Some("ensemble://task-changes/{id}")
    );
}

#[test]
fn two_plugins_cannot_offer_one_name() {
    for name in ["same", "Same"] {
        let twice = Catalog::new(vec![
            entry("tasks", "read", "same"),
            entry("docs", "read", name),
        ]);
        assert!(matches!(twice, Err(CatalogError::Twice { .. })), "{name}");
    }
}

#[test]
fn what_is_installed_has_no_name_that_could_be_taken_for_another() {
    let beside = |id: &str, tool: &str| {
        let ours = entry("tasks", "read", "list_mine");
        match Catalog::new(vec![ours, installed(id, tool)]) {
            Ok(_) => "ok".to_owned(),
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(beside("acme", "acme_list"), "ok");
    for tool in [
        "list_mine",
        "LIST-MINE",
        "1ist_mine",
        "list_rnine",
        "Iist_mine",
    ] {
        let said = beside("acme", tool);
        assert!(
            said.contains("could be taken for “list_mine”"),
            "{tool}: {said}"
        );
    }
    for id in ["tasks", "task5"] {
        let said = beside(id, "acme_list");
        assert_eq!(
            said.contains("could be taken for that"),
            id == "tasks",
            "{said}"
        );
    }
}

#[test]
fn nothing_starts_with_a_write_in_a_plugin_that_reads() {
    for tool in [
        "ensemble_upload_file",
        "ensemble_create_task",
        "ensemble_delete_page",
        "board-remove",
    ] {
        let catalog = Catalog::new(vec![entry("tasks", "read", tool)]);
        assert!(matches!(catalog, Err(CatalogError::Rule(_))), "{tool}");
        assert!(Catalog::new(vec![entry("tasks", "changes", tool)]).is_ok());
    }
}

#[test]
fn every_tool_takes_a_space_unless_its_plugin_says_no() {
    let catalog = Catalog::new(vec![
        entry("tasks", "read", "a"),
        entry("spaces", "read", "b"),
    ])
    .unwrap();
    let view = catalog.view(KeyGrants::default());
    let has = |name: &str| {
        let properties = view.tool(name).unwrap().tool.input_schema.get("properties");
        properties.is_some_and(|p| p.get("space").is_some())
    };
    assert!(has("a") && !has("b"));
}
