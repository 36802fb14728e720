//! Datasets and plots. A dataset is delimited text with what its columns hold; a plot is a specification over one dataset that is drawn when
//! somebody looks.

mod change;
mod import;
mod look;
mod tables;

use super::shared::ByTitle;
use super::{Action, changes, reads};

/// Characters of a specification.
pub(super) const SPEC_MAX: u32 = 8_000;

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_list_plots",
        ByTitle,
        look::plots,
        "Lists the saved plots, the last changed first, each with its mark as `plotType` and a summary; with words of their titles where they are given."
    ),
    reads!(
        "hub_get_plot",
        look::Get,
        look::get,
        "One plot: its specification, its dataset, what it draws in numbers, its `version`, and, when `svg` is true, its picture as SVG."
    ),
    reads!(
        "hub_list_datasets",
        ByTitle,
        look::datasets,
        "Lists the saved datasets, the last changed first, each with its columns and how many rows it has."
    ),
    reads!(
        "hub_get_dataset",
        tables::Get,
        tables::get,
        "One dataset: its columns with their types, missing, least and greatest values, and a part of its rows as text."
    ),
    changes!(
        "hub_import_dataset",
        import::Import,
        import::import,
        "Saves delimited text (CSV by RFC 4180, any delimiter) as a dataset, given as `csv` or taken out of a `file` of the hub. Answers its columns and their types."
    ),
    changes!(
        "hub_create_plot",
        change::Create,
        change::create,
        "Saves a new plot over a dataset. The specification is a part of Vega-Lite: `mark` bar, line, area or point, and `encoding` with x, y and color."
    ),
    changes!(
        "hub_update_plot",
        change::Update,
        change::update,
        "Changes a plot's title, specification, dataset, summary or project: what is left out stays, null empties."
    ),
];
