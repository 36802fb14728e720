//! The named catalog: each action of the hub as a tool of its own, in the place of the two that list and run them. A client sees what there is without
//! asking, and approves each by its name; no call can reach another action than the one its tool is named for.
//!
//! | an action | becomes |
//! |---|---|
//! | `hub_list_boards` | `ensemble_action_hub_list_boards` |
//! | with an `operation`, `action` or `method` of some fixed words | one tool for each word, which the guest then gets, and no such argument |
//! | whose input has `space` or `input` itself | a tool that takes all of it below `input` |
//! | whose name has other characters, or is longer than 64 with what stands before it | the same, changed, with eight characters of its digest |
//!
//! Grants, and everything that the hub checks, stay as they are: this changes what a tool is called.

use ensemble_model::surface::{Annotations, Tool};
use ensemble_model::{Digest, KeyGrants, PluginId};
use serde_json::{Map, Value, json};

use crate::listed::Listed;
use crate::schema::SPACE;
use crate::view::{Catalog, CatalogError};

/// What stands before each name.
const PREFIX: &str = "ensemble_action_";
/// The longest name of a tool that clients take.
const NAME_MAX: usize = 64;
/// Arguments that choose what is done.
const CHOICES: [&str; 3] = ["operation", "action", "method"];
/// Where the arguments are whose own names are taken.
const UNDER: &str = "input";
/// First words of what only adds.
const ADDS: [&str; 10] = [
    "create", "add", "save", "upload", "copy", "import", "start", "comment", "tag", "record",
];
/// Words of what reaches beyond the hub.
const BEYOND: [&str; 2] = ["hub_save_file", "hub_fetch_now"];

/// One action, as the hub has it.
#[derive(Debug, Clone)]
pub struct NamedAction {
    /// Its name.
    pub name: String,
    /// What it does.
    pub does: String,
    /// What a key needs besides reading.
    pub needs: KeyGrants,
    /// The JSON Schema of its input.
    pub input_schema: Map<String, Value>,
}

/// What a named tool calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calls {
    /// The plugin's own tool.
    pub tool: &'static str,
    action: String,
    fixed: Option<(String, String)>,
    under: bool,
}

impl Calls {
    /// The arguments of that tool, for those of the named one.
    pub fn arguments(&self, mut given: Map<String, Value>) -> Map<String, Value> {
        if self.under {
            let input = given.remove(UNDER);
            given = input
                .and_then(|input| input.as_object().cloned())
                .unwrap_or_default();
        }
        if let Some((name, value)) = &self.fixed {
            given.insert(name.clone(), Value::String(value.clone()));
        }
        let mut arguments = Map::new();
        arguments.insert("action".to_owned(), Value::String(self.action.clone()));
        arguments.insert("input".to_owned(), Value::Object(given));
        arguments
    }
}

impl Catalog {
    /// The same with `actions` in the place of the tools `list` and `run` of the plugin that has them. Without such a plugin nothing changes.
    ///
    /// # Errors
    /// Where a name is taken, or a tool would break a client.
    pub fn named(
        &self,
        list: &str,
        run: &'static str,
        actions: &[NamedAction],
    ) -> Result<Self, CatalogError> {
        self.replaced(&[list, run], |plugin| {
            let tools = actions.iter().flat_map(|action| tools(run, action));
            tools
                .map(|(tool, needs, calls)| listed(plugin, tool, needs, calls))
                .collect()
        })
    }
}

fn listed(plugin: &PluginId, tool: Tool, needs: KeyGrants, calls: Calls) -> Listed {
    let mut listed = Listed::of(plugin.clone(), tool, true);
    listed.needs = needs;
    listed.calls = Some(calls);
    listed
}

/// The tools of one action.
fn tools(run: &'static str, action: &NamedAction) -> Vec<(Tool, KeyGrants, Calls)> {
    let Some((choice, words)) = choice(&action.input_schema) else {
        return vec![tool(run, action, None)];
    };
    let variants = words.into_iter();
    variants
        .map(|word| tool(run, action, Some((choice.clone(), word))))
        .collect()
}

/// The argument that chooses what is done, and its words.
fn choice(schema: &Map<String, Value>) -> Option<(String, Vec<String>)> {
    let properties = schema.get("properties")?.as_object()?;
    let (name, property) = CHOICES
        .iter()
        .find_map(|name| properties.get(*name).map(|property| (*name, property)))?;
    let words = property.get("enum")?.as_array()?;
    let words: Option<Vec<String>> = words
        .iter()
        .map(|word| word.as_str().map(str::to_owned))
        .collect();
    Some((name.to_owned(), words?))
}

fn tool(
    run: &'static str,
    action: &NamedAction,
    fixed: Option<(String, String)>,
) -> (Tool, KeyGrants, Calls) {
    let mut schema = action.input_schema.clone();
    let mut whole = action.name.clone();
    let mut does = action.does.clone();
    if let Some((name, word)) = &fixed {
        without(&mut schema, name);
        whole = format!("{whole}_{word}");
        does = format!("{does} This tool: {name} {word}.");
    }
    let under = has(&schema, SPACE) || has(&schema, UNDER);
    if under {
        schema = below(schema);
    }
    let tool = Tool {
        name: name(&whole),
        title: title(&action.name, fixed.as_ref().map(|(_, word)| word.as_str())),
        description: does,
        input_schema: schema,
        output_schema: None,
        annotations: annotations(
            action,
            &whole,
            fixed.as_ref().map(|(_, word)| word.as_str()),
        ),
    };
    let calls = Calls {
        tool: run,
        action: action.name.clone(),
        fixed,
        under,
    };
    (tool, action.needs, calls)
}

fn has(schema: &Map<String, Value>, name: &str) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.is_some_and(|properties| properties.contains_key(name))
}

fn without(schema: &mut Map<String, Value>, name: &str) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.remove(name);
    }
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|required| required != name);
        if required.is_empty() {
            schema.remove("required");
        }
    }
}

fn below(mut schema: Map<String, Value>) -> Map<String, Value> {
    let about = "What the action takes.";
    schema.insert("description".to_owned(), Value::String(about.to_owned()));
    let outer = json!({
        "type": "object", "additionalProperties": false,
        "properties": {UNDER: schema}, "required": [UNDER],
    });
    outer.as_object().cloned().unwrap_or_default()
}

/// The tool's name: the action's, where that fits and has plain characters.
fn name(whole: &str) -> String {
    let plain: String = whole
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '_' {
                c
            } else {
                '_'
            }
        })
        .collect();
    let name = format!("{PREFIX}{plain}");
    if plain == whole && name.len() <= NAME_MAX {
        return name;
    }
    let digest = Digest::of(whole.as_bytes());
    let mark: String = digest.as_str().chars().take(8).collect();
    let kept: String = name.chars().take(NAME_MAX - 9).collect();
    format!("{kept}_{mark}")
}

/// `hub_list_boards` is “List boards”.
fn title(action: &str, word: Option<&str>) -> String {
    let words = action
        .strip_prefix("hub_")
        .unwrap_or(action)
        .replace('_', " ");
    let mut letters = words.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    let title: String = first.into_iter().chain(letters).collect();
    match word {
        Some(word) => format!("{title}: {}", word.replace('_', " ")),
        None => title,
    }
}

fn annotations(action: &NamedAction, whole: &str, word: Option<&str>) -> Annotations {
    let writes = action.needs.changes;
    let verb = word.unwrap_or_else(|| action.name.strip_prefix("hub_").unwrap_or(&action.name));
    let first = verb.split('_').next().unwrap_or_default();
    let last = verb.rsplit('_').next().unwrap_or_default();
    let adds = (ADDS.contains(&first) && !["delete", "edit"].contains(&last)) || last == "add";
    Annotations {
        read_only_hint: !writes,
        destructive_hint: writes && !adds,
        idempotent_hint: !writes,
        open_world_hint: action.needs.apps || BEYOND.contains(&whole),
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails at once")]
mod tests {
    use super::*;

    fn action(name: &str, schema: &Value) -> NamedAction {
        NamedAction {
            name: name.to_owned(),
            does: "Does it.".to_owned(),
            needs: KeyGrants {
                changes: true,
                apps: false,
            },
            input_schema: schema.as_object().unwrap().clone(),
        }
    }

    fn given(value: &Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn an_operation_is_a_tool_and_no_argument() {
        let schema = json!({"type": "object", "required": ["operation", "id"], "properties": {
            "operation": {"type": "string", "enum": ["pause", "delete"]}, "id": {"type": "string"}}});
        let made = tools("run", &action("hub_update_routine", &schema));
        let names: Vec<&str> = made.iter().map(|(tool, ..)| tool.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "ensemble_action_hub_update_routine_pause",
                "ensemble_action_hub_update_routine_delete"
            ]
        );
        let (tool, _, calls) = made.last().unwrap();
        assert_eq!(tool.input_schema["required"], json!(["id"]));
        assert!(!has(&tool.input_schema, "operation"));
        assert_eq!(tool.title, "Update routine: delete");
        // whatever else is given, it is this operation of this action
        let sent = calls.arguments(given(
            &json!({"id": "1", "operation": "pause", "action": "hub_x"}),
        ));
        assert_eq!(sent["action"], "hub_update_routine");
        assert_eq!(sent["input"]["operation"], "delete");
    }

    #[test]
    fn an_input_with_names_of_the_hosts_stands_below_one() {
        let schema = json!({"type": "object", "properties": {"space": {"type": "string"}}});
        let made = tools("run", &action("hub_x", &schema));
        let (tool, _, calls) = made.first().unwrap();
        assert!(has(&tool.input_schema, "input") && !has(&tool.input_schema, "space"));
        let sent = calls.arguments(given(&json!({"input": {"space": "theirs"}})));
        assert_eq!(sent["input"], json!({"space": "theirs"}));
    }

    #[test]
    fn a_name_is_short_plain_and_always_the_same() {
        assert_eq!(name("hub_list_boards"), "ensemble_action_hub_list_boards");
        let long = "hub_".to_owned() + &"a".repeat(80);
        assert_eq!(name(&long).len(), NAME_MAX);
        assert_eq!(name(&long), name(&long));
        assert_ne!(name(&long), name(&(long.clone() + "b")));
        assert_ne!(name("a.b"), name("a-b"));
    }

    #[test]
    fn hints_say_what_a_tool_does() {
        let schema = || json!({"type": "object", "properties": {}});
        for (name, destructive) in [
            ("hub_create_page", false),
            ("hub_delete_board", true),
            ("hub_update_page", true),
            ("hub_add_diagram", false),
        ] {
            let hints = annotations(&action(name, &schema()), name, None);
            assert_eq!(hints.destructive_hint, destructive, "{name}");
            assert!(!hints.read_only_hint && !hints.idempotent_hint);
        }
        let made = annotations(
            &action("hub_manage_record", &schema()),
            "",
            Some("comment_delete"),
        );
        assert!(made.destructive_hint);
        let made = annotations(
            &action("hub_manage_record", &schema()),
            "",
            Some("comment_add"),
        );
        assert!(!made.destructive_hint);
    }
}
