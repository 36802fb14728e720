//! Diagrams: sources in the language of Mermaid, read and drawn by a library. A source that does not parse is named with its line and column;
//! what is drawn is bounded, because the work grows faster than the source.
//!
//! To add a kind of diagram: its row in [`told::told`], and its name in `docs/diagrams-and-plots.md`.

mod fault;
mod told;

use std::num::NonZeroUsize;
use std::sync::Once;

use selkie::diagrams::{Diagram, DiagramType};

use crate::bounded::{self, Gone};
use crate::error::RouteError;
use crate::svg;

pub(crate) use fault::Fault;
pub(crate) use told::Told;

/// The name of the language in the field `format` of a record.
pub(crate) const MERMAID: &str = "mermaid";
/// Characters of a source.
pub(crate) const SOURCE_MAX: usize = 20_000;
/// Nodes and edges of a diagram that is drawn.
const NODES_MAX: usize = 120;
const EDGES_MAX: usize = 200;
/// Years between the first and the last day of a Gantt chart that is drawn.
const GANTT_YEARS_MAX: i32 = 50;
/// Steps of the parser for one source; an ordinary one takes some thousands.
const STEPS_MAX: usize = 5_000_000;

const SLOW: &str = "The diagram could not be laid out in time: make it smaller, or split it.";
const BROKEN: &str = "The diagram could not be drawn: the library that draws it failed on it.";

/// What a source says, or where it is wrong.
///
/// # Errors
/// [`RouteError`] if it could not be read at all.
pub(crate) async fn read(source: &str) -> Result<Result<Told, Fault>, RouteError> {
    let source = source.to_owned();
    let read = bounded::run(&bounded::READING, move || {
        parsed(&source).map(|read| told::told(&read, &source))
    })
    .await;
    match read {
        Ok(read) => Ok(read),
        Err(Gone::Slow) => Err(RouteError::BadRequest(SLOW.to_owned())),
        Err(Gone::Broken) => Err(RouteError::BadRequest(
            "The library that reads diagrams failed on this source: write it more simply."
                .to_owned(),
        )),
    }
}

/// The picture of a source.
///
/// # Errors
/// [`RouteError`] with a sentence, if the source is wrong, too much to draw, or the library fails on it.
pub(crate) async fn draw(source: &str) -> Result<String, RouteError> {
    let source = source.to_owned();
    let drawn = bounded::run(&bounded::DRAWING, move || {
        let diagram = parsed(&source).map_err(|fault| fault.sentence())?;
        drawable(&diagram, &source)?;
        let drawn = selkie::render(&diagram).map_err(|_| BROKEN.to_owned())?;
        svg::safe(&drawn).map_err(str::to_owned)
    })
    .await;
    let drawn = match drawn {
        Ok(drawn) => drawn,
        Err(Gone::Slow) => Err(SLOW.to_owned()),
        Err(Gone::Broken) => Err(BROKEN.to_owned()),
    };
    drawn.map_err(RouteError::BadRequest)
}

fn parsed(source: &str) -> Result<Diagram, Fault> {
    static BOUND: Once = Once::new();
    BOUND.call_once(|| pest::set_call_limit(NonZeroUsize::new(STEPS_MAX)));
    let (source, skipped) = plain(source);
    let read = || {
        let kind = selkie::diagrams::detect_type(&source).map_err(|_| fault::no_kind(&source))?;
        if !told::is_offered(kind) {
            return Err(fault::other_kind(&source));
        }
        if kind == DiagramType::Pie {
            fault::pie(&source)?;
        }
        selkie::diagrams::parse(kind, &source)
            .map_err(|error| fault::of(&error.to_string(), kind, &source))
    };
    read().map_err(|fault| Fault {
        line: fault.line + skipped,
        ..fault
    })
}

/// The source with one kind of line end from its first line that says something on, and how many lines are before that: comments and front
/// matter, which not every parser of the library takes.
fn plain(source: &str) -> (String, usize) {
    let source = source.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let lines: Vec<&str> = source.split('\n').collect();
    let says = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("%%");
    let from = |at: usize| {
        let next = lines.iter().skip(at).position(says);
        next.map_or(lines.len(), |next| at + next)
    };
    let mut first = from(0);
    if lines.get(first).is_some_and(|line| line.trim() == "---") {
        let end = lines.iter().skip(first + 1).position(|l| l.trim() == "---");
        if let Some(end) = end {
            first = from(first + end + 2);
        }
    }
    // A source without any such line is wrong from its beginning.
    if first == lines.len() {
        first = 0;
    }
    let rest = lines.get(first..).unwrap_or_default();
    (rest.join("\n"), first)
}

/// Refuses what would take too long to lay out.
fn drawable(diagram: &Diagram, source: &str) -> Result<(), String> {
    let told = told::told(diagram, source);
    if told.nodes.len() > NODES_MAX || told.edges.len() > EDGES_MAX {
        return Err(format!(
            "The diagram has {} {} and {} {}; at most {NODES_MAX} and {EDGES_MAX} are drawn: split it.",
            told.nodes.len(),
            told.called.0,
            told.edges.len(),
            told.called.1
        ));
    }
    let Diagram::Gantt(gantt) = diagram else {
        return Ok(());
    };
    let tasks = gantt.clone().get_tasks();
    let ends = tasks
        .iter()
        .flat_map(|task| [task.start_time, task.end_time])
        .flatten();
    let years: Vec<i32> = ends
        .map(|time| time.format("%Y").to_string().parse().unwrap_or(i32::MAX))
        .collect();
    let span = years.iter().max().zip(years.iter().min());
    let long = span.is_some_and(|(last, first)| last.saturating_sub(*first) > GANTT_YEARS_MAX);
    if long || !gantt.tick_interval.is_empty() {
        return Err(format!(
            "A Gantt chart is drawn for at most {GANTT_YEARS_MAX} years, and without `tickInterval`."
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
