//! The parts of each kind of diagram under the names that its language gives them.

use selkie::diagrams::mindmap::MindmapNode;
use selkie::diagrams::sequence::SequenceDb;
use selkie::diagrams::state::StateType;
use selkie::diagrams::{
    Diagram, class::ClassDb, er::ErDb, flowchart::FlowchartDb, git::GitGraphDb, state::StateDb,
};

use super::{Edge, Node, Told, label};

type Parts = (Vec<Node>, Vec<Edge>);

fn node(id: &str, text: &str) -> Node {
    Node {
        id: label(id).unwrap_or_default(),
        text: label(text).filter(|text| text != id),
    }
}

fn edge(from: &str, to: &str, text: &str) -> Edge {
    Edge {
        from: label(from).unwrap_or_default(),
        to: label(to).unwrap_or_default(),
        text: label(text),
    }
}

fn called(
    kind: &'static str,
    names: (&'static str, &'static str),
    title: &str,
    (nodes, edges): Parts,
) -> Told {
    Told {
        kind,
        called: names,
        title: label(title),
        nodes,
        edges,
        groups: Vec::new(),
    }
}

/// The parts of `diagram`.
pub(super) fn of(diagram: &Diagram) -> Told {
    match diagram {
        Diagram::Flowchart(db) => flowchart(db),
        Diagram::Sequence(db) => sequence(db),
        Diagram::Class(db) => class(db),
        Diagram::State(db) => state(db),
        Diagram::Er(db) => er(db),
        Diagram::Git(db) => git(db),
        Diagram::Pie(db) => {
            let slices = db.get_sections().iter();
            let nodes = slices
                .map(|(name, value)| node(name, &value.to_string()))
                .collect();
            let title = db.get_diagram_title().unwrap_or_default();
            called("pie chart", ("slices", ""), title, (nodes, Vec::new()))
        }
        Diagram::Gantt(db) => {
            let nodes = db.tasks.iter().map(|task| node(&task.id, &task.task));
            let parts = (nodes.collect(), Vec::new());
            with_groups(
                called("Gantt chart", ("tasks", ""), &db.title, parts),
                &db.sections,
            )
        }
        Diagram::Mindmap(db) => {
            let mut parts = Parts::default();
            if let Some(root) = db.get_mindmap() {
                branch(root, &mut parts);
            }
            called("mind map", ("topics", "branches"), "", parts)
        }
        Diagram::Timeline(db) => {
            let periods = db.get_tasks().iter();
            let nodes = periods.map(|period| node(&period.task, &period.events.join("; ")));
            let parts = (nodes.collect(), Vec::new());
            with_groups(
                called("timeline", ("periods", ""), &db.title, parts),
                &db.sections,
            )
        }
        Diagram::Journey(db) => {
            let steps = db.get_tasks().iter();
            let nodes = steps.map(|step| {
                node(
                    &step.task,
                    &format!("{} of 5; {}", step.score, step.people.join(", ")),
                )
            });
            let parts = (nodes.collect(), Vec::new());
            with_groups(
                called("user journey", ("steps", ""), &db.title, parts),
                &db.sections,
            )
        }
        Diagram::Quadrant(db) => {
            let points = db.get_points().iter();
            let nodes = points.map(|point| node(&point.text, &format!("{}, {}", point.x, point.y)));
            let parts = (nodes.collect(), Vec::new());
            called("quadrant chart", ("points", ""), &db.title, parts)
        }
        _ => called("diagram", ("nodes", ""), "", Parts::default()),
    }
}

fn with_groups(told: Told, groups: &[String]) -> Told {
    Told {
        groups: groups.iter().filter_map(|group| label(group)).collect(),
        ..told
    }
}

fn flowchart(db: &FlowchartDb) -> Told {
    let mut nodes: Vec<Node> = Vec::new();
    #[expect(
        clippy::iter_over_hash_type,
        reason = "the caller puts them into the order of the source"
    )]
    for vertex in db.vertices().values() {
        nodes.push(node(&vertex.id, vertex.text.as_deref().unwrap_or_default()));
    }
    let edges = db.edges().iter();
    let edges = edges.map(|one| edge(&one.start, &one.end, &one.text));
    let groups = db.subgraphs().iter().map(|group| group.title.clone());
    let told = called(
        "flowchart",
        ("nodes", "edges"),
        "",
        (nodes, edges.collect()),
    );
    with_groups(told, &groups.collect::<Vec<_>>())
}

fn sequence(db: &SequenceDb) -> Told {
    let actors = db.get_actors_in_order().into_iter();
    let nodes = actors.map(|actor| node(&actor.name, &actor.description));
    let messages = db.get_messages().iter();
    // What opens and closes a block is between nobody.
    let edges = messages
        .filter_map(|one| Some(edge(one.from.as_deref()?, one.to.as_deref()?, &one.message)))
        .filter(|one| !one.from.is_empty() && !one.to.is_empty());
    let parts = (nodes.collect(), edges.collect());
    called(
        "sequence diagram",
        ("participants", "messages"),
        &db.diagram_title,
        parts,
    )
}

fn class(db: &ClassDb) -> Told {
    let mut nodes: Vec<Node> = Vec::new();
    #[expect(
        clippy::iter_over_hash_type,
        reason = "the caller puts them into the order of the source"
    )]
    for class in db.classes.values() {
        let members = class.members.iter().chain(&class.methods);
        let members: Vec<&str> = members.map(|member| member.id.as_str()).collect();
        nodes.push(node(&class.id, &members.join(", ")));
    }
    let edges = db.relations.iter();
    let edges = edges.map(|one| edge(&one.id1, &one.id2, &one.title));
    called(
        "class diagram",
        ("classes", "relations"),
        &db.acc_title,
        (nodes, edges.collect()),
    )
}

fn state(db: &StateDb) -> Told {
    let mut nodes: Vec<Node> = Vec::new();
    #[expect(
        clippy::iter_over_hash_type,
        reason = "the caller puts them into the order of the source"
    )]
    for state in db.get_states().values() {
        let text = match state.state_type {
            StateType::Start => "where it begins".to_owned(),
            StateType::End => "where it ends".to_owned(),
            _ => state.descriptions.join(" "),
        };
        nodes.push(node(&state.id, &text));
    }
    let edges = db.get_relations().iter();
    let edges = edges.map(|one| {
        let text = one.description.as_deref().unwrap_or_default();
        edge(&one.state1, &one.state2, text)
    });
    called(
        "state diagram",
        ("states", "transitions"),
        &db.diagram_title,
        (nodes, edges.collect()),
    )
}

fn er(db: &ErDb) -> Told {
    let mut nodes: Vec<Node> = Vec::new();
    let mut names: Vec<(&str, &str)> = Vec::new();
    #[expect(
        clippy::iter_over_hash_type,
        reason = "the caller puts them into the order of the source"
    )]
    for entity in db.get_entities().values() {
        let attributes = entity.attributes.iter();
        let attributes: Vec<&str> = attributes.map(|one| one.name.as_str()).collect();
        nodes.push(node(&entity.label, &attributes.join(", ")));
        names.push((&entity.id, &entity.label));
    }
    // A relationship names its ends by ids of the library's own.
    let name = |id: &str| {
        let known = names.iter().find(|(known, _)| *known == id);
        known.map_or_else(|| id.to_owned(), |(_, name)| (*name).to_owned())
    };
    let edges = db.get_relationships().iter();
    let edges = edges.map(|one| edge(&name(&one.entity_a), &name(&one.entity_b), &one.role_a));
    called(
        "entity-relationship diagram",
        ("entities", "relationships"),
        &db.diagram_title,
        (nodes, edges.collect()),
    )
}

fn git(db: &GitGraphDb) -> Told {
    let mut commits: Vec<_> = db.get_commits().values().collect();
    commits.sort_by_key(|commit| commit.seq);
    let nodes = commits
        .iter()
        .map(|commit| node(&commit.id, &commit.message));
    let branches = db.get_branches_as_obj_array();
    let groups: Vec<String> = branches.into_iter().map(|branch| branch.name).collect();
    let parts = (nodes.collect(), Vec::new());
    let told = called("Git graph", ("commits", ""), &db.diagram_title, parts);
    with_groups(told, &groups)
}

fn branch(topic: &MindmapNode, parts: &mut Parts) {
    parts.0.push(node(&topic.descr, ""));
    for child in &topic.children {
        parts.1.push(edge(&topic.descr, &child.descr, ""));
        branch(child, parts);
    }
}
