//! From marks to a picture of 800 by 480. Bars and areas of several series stand on each other, as in Vega-Lite; lines and points do not.

use std::collections::BTreeMap;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::marks::{Axis, Marks, ends};
use super::{Mark, Spec};

pub(super) const BROKEN: &str =
    "The plot could not be drawn: the library that draws it failed on it.";

const SIZE: (u32, u32) = (800, 480);
/// The width of the names of the series, and the characters of one.
const LEGEND: u32 = 140;
const LEGEND_NAME: usize = 18;
const HOUR: f64 = 3_600.0;
const DAY: f64 = 24.0 * HOUR;
/// How wide a bar is, of the room that it has.
const BAR: f64 = 0.8;
/// Names on an axis of categories; of more only some are written.
const LABELS_MAX: usize = 12;

/// One for each series, and then again from the first.
const COLORS: [RGBColor; 10] = [
    RGBColor(38, 99, 168),
    RGBColor(224, 122, 31),
    RGBColor(46, 139, 87),
    RGBColor(192, 57, 73),
    RGBColor(125, 91, 166),
    RGBColor(140, 100, 70),
    RGBColor(214, 110, 170),
    RGBColor(110, 115, 120),
    RGBColor(165, 160, 40),
    RGBColor(40, 160, 175),
];

type Failed = DrawingAreaErrorKind<std::io::Error>;
/// A piece of a bar or area: its place, where it begins and where it ends.
type Piece = (f64, f64, f64);

/// The picture as SVG.
pub(super) fn draw(spec: &Spec, marks: &Marks) -> Result<String, Failed> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let (marks, unit) = scaled(marks);
        if marks.series.len() > 1 {
            // Beside the plot, so that it covers nothing.
            let (left, right) = area.split_horizontally(SIZE.0 - LEGEND);
            plot(spec, &marks, unit, &left)?;
            legend(&marks, &right)?;
        } else {
            plot(spec, &marks, unit, &area)?;
        }
        area.present()?;
    }
    Ok(svg)
}

/// The marks with their times in days, hours or minutes, whichever the whole of them is made of, so that the axis is cut at round ones; and
/// the seconds of one.
fn scaled(marks: &Marks) -> (Marks, f64) {
    if marks.axis != Axis::Time {
        return (marks.clone(), 1.0);
    }
    let (least, greatest) = ends(&places(marks));
    let unit = match greatest - least {
        width if width < 2.0 * HOUR => 60.0,
        width if width < 2.0 * DAY => HOUR,
        _ => DAY,
    };
    let mut marks = marks.clone();
    for series in &mut marks.series {
        for (x, _) in &mut series.points {
            *x /= unit;
        }
    }
    (marks, unit)
}

fn color(at: usize) -> RGBColor {
    COLORS.get(at % COLORS.len()).copied().unwrap_or(BLACK)
}

/// The colours of the series with their names, from top to bottom.
fn legend(marks: &Marks, area: &DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), Failed> {
    let mut top = 44;
    for (at, series) in marks.series.iter().enumerate() {
        let square = [(4, top), (14, top + 10)];
        area.draw(&Rectangle::new(square, color(at).filled()))?;
        let name = crate::text::cut::excerpt(&series.name, LEGEND_NAME).0;
        area.draw(&Text::new(name, (20, top - 1), ("sans-serif", 13)))?;
        top += 20;
    }
    Ok(())
}

fn plot(
    spec: &Spec,
    marks: &Marks,
    unit: f64,
    area: &DrawingArea<SVGBackend<'_>, Shift>,
) -> Result<(), Failed> {
    let stacked = stacked(spec.mark, marks);
    let (left, right) = across(spec.mark, marks);
    let (low, high) = upwards(spec.mark, marks, &stacked);
    let mut builder = ChartBuilder::on(area);
    builder
        .margin(16)
        .x_label_area_size(48)
        .y_label_area_size(64);
    if let Some(title) = &spec.title {
        let title = crate::text::trust::one_line(title);
        builder.caption(title, ("sans-serif", 20));
    }
    let mut chart = builder.build_cartesian_2d(left..right, low..high)?;
    let names = |at: &f64| label(&marks.axis, *at, unit);
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(&marks.x_title)
        .y_desc(&marks.y_title)
        .label_style(("sans-serif", 13))
        .axis_desc_style(("sans-serif", 14))
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_label_formatter(&names)
        .y_label_formatter(&|value| plain(*value));
    match &marks.axis {
        Axis::Categories(names) => mesh
            .disable_x_mesh()
            .x_labels(names.len().min(LABELS_MAX) + 1),
        Axis::Time => mesh.x_labels(7),
        Axis::Numbers => mesh.x_labels(10),
    };
    mesh.draw()?;
    let width = bar_width(marks, right - left);
    for (at, (series, pieces)) in marks.series.iter().zip(&stacked).enumerate() {
        let color = color(at);
        let points = series.points.iter().copied();
        match spec.mark {
            Mark::Bar => chart.draw_series(pieces.iter().map(|(x, from, to)| {
                let corners = [(x - width / 2.0, *from), (x + width / 2.0, *to)];
                Rectangle::new(corners, color.filled())
            }))?,
            Mark::Area => chart.draw_series(std::iter::once(Polygon::new(
                outline(pieces),
                color.mix(0.6),
            )))?,
            Mark::Line => chart.draw_series(LineSeries::new(points, color.stroke_width(2)))?,
            Mark::Point => chart
                .draw_series(points.map(|point| Circle::new(point, 4, color.mix(0.7).filled())))?,
        };
    }
    Ok(())
}

/// The pieces of each series: from the ends of those before it; below zero the negative ones.
fn stacked(mark: Mark, marks: &Marks) -> Vec<Vec<Piece>> {
    let stacks = matches!(mark, Mark::Bar | Mark::Area);
    let mut tops: BTreeMap<(u64, bool), f64> = BTreeMap::new();
    let every: Vec<f64> = if mark == Mark::Area {
        places(marks)
    } else {
        Vec::new()
    };
    let pieces = marks.series.iter().map(|series| {
        let mut points = series.points.clone();
        // An area is drawn over every place; where it has no value it has no height.
        for x in &every {
            if points
                .iter()
                .all(|(known, _)| known.to_bits() != x.to_bits())
            {
                points.push((*x, 0.0));
            }
        }
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        let piece = |(x, y): (f64, f64)| {
            let top = tops.entry((x.to_bits(), y < 0.0)).or_insert(0.0);
            let from = if stacks { *top } else { 0.0 };
            *top = from + y;
            (x, from, from + y)
        };
        points.into_iter().map(piece).collect()
    });
    pieces.collect()
}

/// Every place that has a value, each once.
fn places(marks: &Marks) -> Vec<f64> {
    let points = marks.series.iter().flat_map(|series| &series.points);
    let mut places: Vec<f64> = points.map(|(x, _)| *x).collect();
    places.sort_by(f64::total_cmp);
    places.dedup_by(|one, other| one.to_bits() == other.to_bits());
    places
}

/// The tops of an area from left to right and its bottoms back.
fn outline(pieces: &[Piece]) -> Vec<(f64, f64)> {
    let tops = pieces.iter().map(|(x, _, to)| (*x, *to));
    let bottoms = pieces.iter().rev().map(|(x, from, _)| (*x, *from));
    tops.chain(bottoms).collect()
}

fn across(mark: Mark, marks: &Marks) -> (f64, f64) {
    if let Axis::Categories(names) = &marks.axis {
        let count = u32::try_from(names.len()).unwrap_or(u32::MAX);
        return (-0.5, f64::from(count) - 0.5);
    }
    let (least, greatest) = ends(&places(marks));
    let room = match mark {
        Mark::Bar => bar_width(marks, greatest - least),
        _ => (greatest - least) * 0.03,
    };
    let room = if room > 0.0 { room } else { 1.0 };
    (least - room, greatest + room)
}

/// The range of the values: from zero, where bars and areas begin; elsewhere with some room.
fn upwards(mark: Mark, marks: &Marks, stacked: &[Vec<Piece>]) -> (f64, f64) {
    let values: Vec<f64> = match mark {
        Mark::Bar | Mark::Area => {
            let pieces = stacked.iter().flatten();
            pieces
                .flat_map(|(_, from, to)| [*from, *to])
                .chain([0.0])
                .collect()
        }
        _ => {
            let points = marks.series.iter().flat_map(|series| &series.points);
            points.map(|(_, y)| *y).collect()
        }
    };
    let (least, greatest) = ends(&values);
    let room = (greatest - least) * 0.05;
    let room = if room > 0.0 { room } else { 1.0 };
    let stands = matches!(mark, Mark::Bar | Mark::Area);
    let low = if stands && least >= 0.0 {
        0.0
    } else {
        least - room
    };
    let high = if stands && greatest <= 0.0 {
        0.0
    } else {
        greatest + room
    };
    if high > low {
        (low, high)
    } else {
        (low, low + 1.0)
    }
}

/// The width of a bar: most of the least distance between two places.
fn bar_width(marks: &Marks, whole: f64) -> f64 {
    if matches!(marks.axis, Axis::Categories(_)) {
        return BAR;
    }
    let places = places(marks);
    let gaps = places.iter().zip(places.iter().skip(1)).map(|(a, b)| b - a);
    let least = gaps.fold(f64::INFINITY, f64::min);
    if least.is_finite() {
        least * BAR
    } else if whole > 0.0 {
        whole * BAR
    } else {
        BAR
    }
}

/// What stands at a place of the axis: between two categories nothing, and between two days, hours or minutes neither.
fn label(axis: &Axis, at: f64, unit: f64) -> String {
    match axis {
        Axis::Numbers => plain(at),
        Axis::Time if (at - at.round()).abs() > 0.01 => String::new(),
        Axis::Time => {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a place between two dates that were read"
            )]
            let instant = jiff::Timestamp::from_second((at.round() * unit) as i64);
            let instant = instant.unwrap_or(jiff::Timestamp::UNIX_EPOCH);
            let format = if unit < DAY {
                "%m-%d %H:%M"
            } else {
                "%Y-%m-%d"
            };
            instant.strftime(format).to_string()
        }
        Axis::Categories(names) => {
            let near = names.iter().enumerate().find(|(place, _)| {
                u32::try_from(*place).is_ok_and(|place| (f64::from(place) - at).abs() < 0.01)
            });
            near.map(|(_, name)| name.clone()).unwrap_or_default()
        }
    }
}

/// A number as an axis writes it: no digits that only come from computing.
fn plain(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(0.001..1e7).contains(&size) {
        return format!("{value:.2e}");
    }
    let text = format!("{value:.4}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" {
        "0".to_owned()
    } else {
        short.to_owned()
    }
}
