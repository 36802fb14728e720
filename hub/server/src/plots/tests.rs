//! Marks and pictures of every mark, and what does not fit.

use serde_json::{Value, json};

use super::*;

fn table() -> Table {
    let text = "timeout,day,p99,kind,note\n5,2026-01-01,1.5,fast,a\n10,2026-01-02,2.5,fast,b\n5,2026-01-01,3.5,slow,\n10,2026-01-02,,slow,d\n20,2026-01-03,4.5,slow,<b>\n";
    Table::read(text, None, true).unwrap()
}

fn spec(mark: &str, encoding: &Value) -> Spec {
    serde_json::from_value(
        json!({ "mark": mark, "encoding": encoding, "title": "<script>T</script>" }),
    )
    .unwrap()
}

#[test]
fn rows_are_grouped_by_what_is_not_aggregated() {
    for (aggregate, first) in [
        ("mean", 2.5),
        ("sum", 5.0),
        ("min", 1.5),
        ("max", 3.5),
        ("count", 2.0),
    ] {
        let y = json!({ "field": "p99", "aggregate": aggregate });
        let spec = spec("bar", &json!({ "x": { "field": "timeout" }, "y": y }));
        let marks = Marks::of(&spec, &table()).unwrap();
        assert_eq!(marks.series.len(), 1);
        assert_eq!(marks.series[0].points[0], (5.0, first), "{aggregate}");
        assert_eq!((marks.series[0].points.len(), marks.left_out), (3, 1));
    }
    let by_kind = json!({ "x": { "field": "kind" }, "y": { "aggregate": "count" }, "color": { "field": "timeout" } });
    let marks = Marks::of(&spec("bar", &by_kind), &table()).unwrap();
    assert_eq!(
        marks.axis,
        marks::Axis::Categories(vec!["fast".to_owned(), "slow".to_owned()])
    );
    let names: Vec<&str> = marks
        .series
        .iter()
        .map(|series| series.name.as_str())
        .collect();
    assert_eq!(names, ["10", "20", "5"]);
}

#[tokio::test]
async fn every_mark_is_drawn_over_every_axis_and_texts_stay_texts() {
    for mark in ["bar", "line", "area", "point"] {
        for x in ["timeout", "day", "kind", "note"] {
            for color in [None, Some("kind")] {
                let mut encoding =
                    json!({ "x": { "field": x }, "y": { "field": "p99", "aggregate": "sum" } });
                if let Some(color) = color {
                    encoding["color"] = json!({ "field": color });
                }
                let spec = spec(mark, &encoding);
                let marks = marks(&spec, &table()).unwrap();
                let picture = draw(spec, marks).await.unwrap();
                assert!(picture.contains("<svg"), "{mark} {x}");
                assert!(
                    !picture.contains("<script") && !picture.contains("<b>"),
                    "{picture}"
                );
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_a_sentence() {
    let y = json!({ "field": "p99" });
    for (mark, encoding, says) in [
        (
            "bar",
            json!({ "x": { "field": "nope" }, "y": y }),
            "no column “nope”",
        ),
        (
            "bar",
            json!({ "x": { "field": "timeout" }, "y": { "field": "kind" } }),
            "column of numbers",
        ),
        ("bar", json!({ "x": {}, "y": y }), "`x` needs a `field`"),
        (
            "bar",
            json!({ "x": { "field": "kind", "type": "quantitative" }, "y": y }),
            "does not hold",
        ),
        (
            "bar",
            json!({ "x": { "field": "kind" }, "y": y }),
            "same `x`",
        ),
        (
            "line",
            json!({ "x": { "field": "timeout", "aggregate": "mean" }, "y": y }),
            "Only `y`",
        ),
    ] {
        let refused = Marks::of(&spec(mark, &encoding), &table()).unwrap_err();
        assert!(refused.contains(says), "{refused}");
    }
    let empty = Table::read("a,b\n,\n", None, true).unwrap();
    let count = json!({ "x": { "field": "a" }, "y": { "aggregate": "count" } });
    assert!(
        Marks::of(&spec("bar", &count), &empty)
            .unwrap_err()
            .contains("No row")
    );
}
