//! From rows to marks. A row without a value for one of the channels is left out and counted; the others are grouped by everything that is not
//! aggregated, as Vega-Lite does. Categories stand in their order by text, numbers by value.

use std::collections::{BTreeMap, BTreeSet};

use ensemble_hub_api::sentences::quoted;
use serde_json::{Value, json};

use super::{Aggregate, Channel, Mark, Spec, Taken};
use crate::datasets::{Holds, Table, number, seconds};
use crate::text::cut;
use crate::text::trust::one_line;

/// Marks of one plot.
const MARKS_MAX: usize = 2_000;
/// Series of one plot.
const SERIES_MAX: usize = 20;
/// Categories of one axis.
const CATEGORIES_MAX: usize = 100;
/// Characters of a category or series.
const NAME_MAX: usize = 60;

/// What the horizontal axis is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Axis {
    Numbers,
    /// Seconds since 1970.
    Time,
    /// The places 0, 1, … have these names.
    Categories(Vec<String>),
}

/// Values of one colour, by rising place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Series {
    /// Empty where the plot has one.
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// What a plot draws.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Marks {
    pub(crate) axis: Axis,
    pub(crate) x_title: String,
    pub(crate) y_title: String,
    pub(crate) series: Vec<Series>,
    /// Rows that have no value for one of the channels.
    pub(crate) left_out: usize,
}

/// A column as a channel takes it.
struct Column {
    at: usize,
    taken: Taken,
}

impl Column {
    fn of(channel: &Channel, place: &str, table: &Table) -> Result<Self, String> {
        let name = channel
            .field
            .as_deref()
            .ok_or_else(|| format!("`{place}` needs a `field`: the name of a column."))?;
        let at = table.column(name)?;
        let holds = table.columns.get(at).map_or(Holds::Text, |c| c.holds);
        let taken = channel.taken.unwrap_or(match holds {
            Holds::Number => Taken::Quantitative,
            Holds::Date => Taken::Temporal,
            Holds::Boolean | Holds::Text => Taken::Nominal,
        });
        let fits = match taken {
            Taken::Quantitative => holds == Holds::Number,
            Taken::Temporal => holds == Holds::Date,
            Taken::Ordinal | Taken::Nominal => true,
        };
        if fits {
            Ok(Self { at, taken })
        } else {
            Err(format!(
                "The column {} of `{place}` does not hold what its `type` says: hub_get_dataset shows the types of the columns.",
                quoted(name)
            ))
        }
    }

    fn cell<'a>(&self, row: &'a [String]) -> Option<&'a str> {
        row.get(self.at)
            .map(|cell| cell.trim())
            .filter(|cell| !cell.is_empty())
    }
}

impl Marks {
    /// The marks of `spec` over `table`.
    ///
    /// # Errors
    /// A sentence that says what does not fit.
    pub(crate) fn of(spec: &Spec, table: &Table) -> Result<Self, String> {
        let encoding = &spec.encoding;
        let x = Column::of(&encoding.x, "x", table)?;
        if encoding.x.aggregate.is_some()
            || encoding
                .color
                .as_ref()
                .is_some_and(|c| c.aggregate.is_some())
        {
            return Err(
                "Only `y` takes an `aggregate`; swap x and y where the bars are to lie.".to_owned(),
            );
        }
        let y = Values::of(&encoding.y, table)?;
        let color = encoding.color.as_ref();
        let color = color
            .map(|channel| Column::of(channel, "color", table))
            .transpose()?;
        let mut left_out = 0;
        let mut rows = Vec::new();
        for row in &table.rows {
            let name = color.as_ref().map_or(Some(""), |color| color.cell(row));
            match (x.cell(row), y.value(row), name) {
                (Some(x), Some(y), Some(name)) => rows.push((x, y, name)),
                _ => left_out += 1,
            }
        }
        let (axis, place) = axis(&x, rows.iter().map(|(x, ..)| *x))?;
        let names: BTreeSet<&str> = rows.iter().map(|(.., name)| *name).collect();
        if names.len() > SERIES_MAX {
            return Err(format!(
                "`color` has {} different values; at most {SERIES_MAX} are drawn.",
                names.len()
            ));
        }
        let mut series = Vec::new();
        for name in names {
            let of = rows.iter().filter(|(.., series)| *series == name);
            let points = of.filter_map(|(x, y, _)| Some((place(x)?, *y)));
            series.push(Series {
                name: short(name),
                points: y.made_of(points.collect()),
            });
        }
        let marks = Self {
            axis,
            x_title: title(&encoding.x),
            y_title: title(&encoding.y),
            series,
            left_out,
        };
        marks.check(spec.mark)?;
        Ok(marks)
    }

    fn check(&self, mark: Mark) -> Result<(), String> {
        let count: usize = self.series.iter().map(|series| series.points.len()).sum();
        if count == 0 {
            return Err("No row of the dataset has a value for every channel.".to_owned());
        }
        if count > MARKS_MAX {
            return Err(format!(
                "The plot would have {count} marks; at most {MARKS_MAX} are drawn: give `y` an `aggregate`, or `x` a column with fewer values."
            ));
        }
        // Two bars on one place would hide each other.
        let twice = self.series.iter().any(|series| {
            let pairs = series.points.iter().zip(series.points.iter().skip(1));
            pairs
                .into_iter()
                .any(|(one, next)| one.0.to_bits() == next.0.to_bits())
        });
        if twice && matches!(mark, Mark::Bar | Mark::Area) {
            return Err(
                "Several rows have the same `x`: give `y` an `aggregate`, as sum or mean."
                    .to_owned(),
            );
        }
        Ok(())
    }

    /// What is drawn, as an answer.
    pub(crate) fn shown(&self) -> Value {
        let points = self.series.iter().flat_map(|series| &series.points);
        let values: Vec<f64> = points.map(|(_, y)| *y).collect();
        let (least, greatest) = ends(&values);
        let mut shown = json!({
            "marks": values.len(), "leftOutRows": self.left_out,
            "x": self.x_title, "y": self.y_title, "yMin": least, "yMax": greatest,
        });
        if let Axis::Categories(names) = &self.axis {
            shown["categories"] = json!(names);
        }
        if self.series.len() > 1 {
            let names: Vec<&str> = self.series.iter().map(|s| s.name.as_str()).collect();
            shown["series"] = json!(names);
        }
        shown
    }

    /// What is drawn, in a sentence.
    pub(crate) fn sentence(&self, mark: Mark) -> String {
        let points = self.series.iter().flat_map(|series| &series.points);
        let values: Vec<f64> = points.map(|(_, y)| *y).collect();
        let (least, greatest) = ends(&values);
        let series = match self.series.len() {
            1 => String::new(),
            many => format!(" in {many} series"),
        };
        format!(
            "A {} plot of {} by {}: {} values{series}, from {least} to {greatest}.",
            mark.as_str(),
            self.y_title,
            self.x_title,
            values.len()
        )
    }
}

/// The least and the greatest.
pub(super) fn ends(values: &[f64]) -> (f64, f64) {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (least, greatest)
}

type Place = Box<dyn Fn(&str) -> Option<f64>>;

/// The axis of these cells, and where a cell stands on it.
fn axis<'a>(x: &Column, cells: impl Iterator<Item = &'a str>) -> Result<(Axis, Place), String> {
    match x.taken {
        Taken::Quantitative => return Ok((Axis::Numbers, Box::new(number))),
        Taken::Temporal => return Ok((Axis::Time, Box::new(seconds))),
        Taken::Ordinal | Taken::Nominal => {}
    }
    let names: BTreeSet<&str> = cells.collect();
    if names.len() > CATEGORIES_MAX {
        return Err(format!(
            "`x` has {} different values; at most {CATEGORIES_MAX} are drawn.",
            names.len()
        ));
    }
    let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    let value = |name: &String| number(name);
    if names.iter().all(|name| value(name).is_some()) {
        names.sort_by(|one, other| {
            value(one)
                .unwrap_or(0.0)
                .total_cmp(&value(other).unwrap_or(0.0))
        });
    }
    let shown = names.iter().map(|name| short(name)).collect();
    let place = move |cell: &str| {
        let at = names.iter().position(|name| name == cell)?;
        u32::try_from(at).ok().map(f64::from)
    };
    Ok((Axis::Categories(shown), Box::new(place)))
}

/// How `y` is taken.
struct Values {
    column: Option<usize>,
    aggregate: Option<Aggregate>,
}

impl Values {
    fn of(y: &Channel, table: &Table) -> Result<Self, String> {
        if y.aggregate == Some(Aggregate::Count) {
            let column = y
                .field
                .as_deref()
                .map(|name| table.column(name))
                .transpose()?;
            return Ok(Self {
                column,
                aggregate: y.aggregate,
            });
        }
        let column = Column::of(y, "y", table)?;
        if column.taken == Taken::Quantitative {
            Ok(Self {
                column: Some(column.at),
                aggregate: y.aggregate,
            })
        } else {
            Err("`y` has to be a column of numbers, or an `aggregate` count: swap x and y, or count.".to_owned())
        }
    }

    /// The value of a row; 1 where rows are counted.
    fn value(&self, row: &[String]) -> Option<f64> {
        let cell = self
            .column
            .map(|at| row.get(at).map_or("", |cell| cell.trim()));
        match (self.aggregate, cell) {
            (Some(Aggregate::Count), Some("")) => None,
            (Some(Aggregate::Count), _) => Some(1.0),
            (_, cell) => number(cell?),
        }
    }

    /// The values by rising place, those of one place made into one where that is asked.
    fn made_of(&self, mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        let Some(aggregate) = self.aggregate else {
            return points;
        };
        let mut groups: BTreeMap<usize, (f64, Vec<f64>)> = BTreeMap::new();
        let mut group = 0;
        let mut last = None;
        for (x, y) in points {
            if last.is_some_and(|last: f64| last.to_bits() != x.to_bits()) {
                group += 1;
            }
            last = Some(x);
            groups.entry(group).or_insert((x, Vec::new())).1.push(y);
        }
        let made = groups.into_values();
        made.map(|(x, values)| (x, one_of(aggregate, &values)))
            .collect()
    }
}

fn one_of(aggregate: Aggregate, values: &[f64]) -> f64 {
    let sum: f64 = values.iter().sum();
    match aggregate {
        Aggregate::Count | Aggregate::Sum => sum,
        Aggregate::Mean => sum / f64::from(u32::try_from(values.len()).unwrap_or(u32::MAX)),
        Aggregate::Min => ends(values).0,
        Aggregate::Max => ends(values).1,
    }
}

/// What the axis of a channel is called.
fn title(channel: &Channel) -> String {
    if let Some(title) = &channel.title {
        return short(title);
    }
    let field = channel.field.as_deref().unwrap_or_default();
    match channel.aggregate {
        Some(Aggregate::Count) => "count".to_owned(),
        Some(aggregate) => short(&format!("{} of {field}", aggregate.as_str())),
        None => short(field),
    }
}

fn short(name: &str) -> String {
    cut::excerpt(&one_line(name), NAME_MAX).0
}
