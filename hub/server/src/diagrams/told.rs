//! What a diagram has, in words: its kind, its title, its nodes and what is between them. Each kind has its own names for them.

mod kinds;

use selkie::diagrams::{Diagram, DiagramType};
use serde::Serialize;
use serde_json::{Value, json};

use crate::text::cut;
use crate::text::trust::one_line;

/// How sources of the offered kinds begin.
pub(super) const OFFERED: &str = "flowchart, sequenceDiagram, classDiagram, stateDiagram-v2, erDiagram, gantt, pie, mindmap, timeline, journey, gitGraph, quadrantChart";

/// Nodes and edges that an explanation names.
const NAMED_MAX: usize = 100;
/// Characters of one label.
const LABEL_MAX: usize = 200;

/// Whether sources of this kind are read here. The others can ask for pictures of any size.
pub(super) const fn is_offered(kind: DiagramType) -> bool {
    matches!(
        kind,
        DiagramType::Flowchart
            | DiagramType::Sequence
            | DiagramType::Class
            | DiagramType::State
            | DiagramType::Er
            | DiagramType::Gantt
            | DiagramType::Pie
            | DiagramType::Mindmap
            | DiagramType::Timeline
            | DiagramType::Journey
            | DiagramType::Git
            | DiagramType::Quadrant
    )
}

/// A node: what the source calls it, and what it shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Node {
    pub(crate) id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
}

/// What is between two nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Edge {
    pub(crate) from: String,
    pub(crate) to: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
}

/// What a diagram has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    /// The kind, in words.
    pub(crate) kind: &'static str,
    /// What its nodes and edges are called.
    pub(crate) called: (&'static str, &'static str),
    pub(crate) title: Option<String>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    /// Subgraphs, sections and the like.
    pub(crate) groups: Vec<String>,
}

/// What `diagram` has, its nodes in the order in which `source` first names them.
pub(super) fn told(diagram: &Diagram, source: &str) -> Told {
    let mut told = kinds::of(diagram);
    // Some are kept without an order.
    told.nodes
        .sort_by_cached_key(|node| (source.find(&node.id), node.id.clone()));
    if told.title.is_none() {
        told.title = front_title(source);
    }
    told
}

/// `title:` of the front matter.
fn front_title(source: &str) -> Option<String> {
    let rest = source.trim_start().strip_prefix("---")?;
    let (front, _) = rest.split_once("\n---")?;
    let title = front
        .lines()
        .find_map(|line| line.trim().strip_prefix("title:"))?;
    label(title.trim().trim_matches(['"', '\'']))
}

/// A text of the diagram on one line; `None` when it is empty.
fn label(text: &str) -> Option<String> {
    let text = cut::excerpt(&one_line(text), LABEL_MAX).0;
    (!text.is_empty()).then_some(text)
}

impl Told {
    /// It as an answer: in one sentence, in lines, and as lists.
    pub(crate) fn answer(&self) -> Value {
        let nodes = self.nodes.get(..NAMED_MAX).unwrap_or(&self.nodes);
        let edges = self.edges.get(..NAMED_MAX).unwrap_or(&self.edges);
        let mut answer = json!({
            "kind": self.kind,
            "says": self.sentence(),
            "nodesAre": self.called.0,
            "nodes": nodes,
        });
        if let Some(answer) = answer.as_object_mut() {
            if let Some(title) = &self.title {
                answer.insert("title".to_owned(), title.as_str().into());
            }
            if !edges.is_empty() {
                answer.insert("edgesAre".to_owned(), self.called.1.into());
                answer.insert("edges".to_owned(), json!(edges));
            }
            if !self.groups.is_empty() {
                answer.insert("groups".to_owned(), json!(self.groups));
            }
            let left = (self.nodes.len() - nodes.len()) + (self.edges.len() - edges.len());
            if left > 0 {
                answer.insert("notNamed".to_owned(), left.into());
            }
        }
        answer
    }

    /// “A flowchart with 6 nodes and 5 edges.”
    pub(crate) fn sentence(&self) -> String {
        let (nodes, edges) = self.called;
        let mut says = format!("A {} with {} {nodes}", self.kind, self.nodes.len());
        if !edges.is_empty() {
            says = format!("{says} and {} {edges}", self.edges.len());
        }
        match &self.title {
            Some(title) => format!("{says}, called “{title}”."),
            None => format!("{says}."),
        }
    }
}
