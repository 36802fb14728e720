//! Plots: a documented part of the grammar of Vega-Lite over a dataset. What is outside of that part is refused by its name and never passed
//! over: a plot shows what its specification says.
//!
//! | step | module |
//! |---|---|
//! | the specification, as it is given and kept | here |
//! | from rows to marks: types, groups, aggregates | [`marks`] |
//! | from marks to a picture | `picture` |

pub(crate) mod marks;
mod picture;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounded::{self, Gone};
use crate::datasets::Table;
use crate::error::RouteError;
use crate::svg;
pub(crate) use marks::Marks;

/// A specification: the part of Vega-Lite that is drawn here. Its data is the dataset, so it has no `data`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Spec {
    /// The address of Vega-Lite's schema; kept and not used.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub(crate) schema: Option<String>,
    /// A title above the plot.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub(crate) title: Option<String>,
    /// What each group of values is drawn as.
    pub(crate) mark: Mark,
    /// Which columns are shown where.
    pub(crate) encoding: Encoding,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mark {
    Bar,
    Line,
    Area,
    Point,
}

impl Mark {
    /// The name in the field `plotType` of a record.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Bar => "bar",
            Self::Line => "line",
            Self::Area => "area",
            Self::Point => "point",
        }
    }
}

/// Which columns are shown where.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Encoding {
    /// What runs from left to right: a column of any type.
    pub(crate) x: Channel,
    /// What rises: a column of numbers, or an aggregate.
    pub(crate) y: Channel,
    /// A column that splits the values into series, each in its colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) color: Option<Channel>,
}

/// A column, and how its values are taken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Channel {
    /// The name of the column; only `count` needs none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 200))]
    pub(crate) field: Option<String>,
    /// How its values are taken; without it, as the column's type says.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(crate) taken: Option<Taken>,
    /// What is made of the values that share everything else; only for `y`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) aggregate: Option<Aggregate>,
    /// The name of the axis or legend in place of the column's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub(crate) title: Option<String>,
}

/// How values are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Taken {
    Quantitative,
    Temporal,
    Ordinal,
    Nominal,
}

/// What is made of several values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Aggregate {
    Count,
    Sum,
    Mean,
    Min,
    Max,
}

impl Aggregate {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Sum => "sum",
            Self::Mean => "mean",
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

/// The marks of a specification over a table.
///
/// # Errors
/// [`RouteError::BadRequest`] with a sentence that says what does not fit.
pub(crate) fn marks(spec: &Spec, table: &Table) -> Result<Marks, RouteError> {
    Marks::of(spec, table).map_err(RouteError::BadRequest)
}

/// The picture of these marks.
///
/// # Errors
/// [`RouteError`] with a sentence, if the library fails on it or it is too large.
pub(crate) async fn draw(spec: Spec, marks: Marks) -> Result<String, RouteError> {
    let drawn = bounded::run(&bounded::DRAWING, move || {
        let drawn = picture::draw(&spec, &marks).map_err(|_| picture::BROKEN)?;
        svg::safe(&drawn)
    })
    .await;
    let drawn = match drawn {
        Ok(drawn) => drawn,
        Err(Gone::Broken) => Err(picture::BROKEN),
        Err(Gone::Slow) => Err("The plot could not be drawn in time: aggregate its values."),
    };
    drawn.map_err(|sentence| RouteError::BadRequest(sentence.to_owned()))
}

#[cfg(test)]
mod tests;
