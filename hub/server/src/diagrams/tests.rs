//! What is read and drawn of each kind, where sources are wrong, and that hostile ones are sentences.

use super::*;

const ALL: [(&str, &str, usize, usize); 12] = [
    (
        "flowchart",
        "flowchart LR\n  a[One] -->|yes| b\n  subgraph s [Part]\n  b --> c\n  end",
        3,
        2,
    ),
    (
        "sequence diagram",
        "sequenceDiagram\n  participant A as Ana\n  loop often\n  A->>B: hi\n  end\n  B-->>A: ok",
        2,
        2,
    ),
    (
        "class diagram",
        "classDiagram\n  class Animal {\n    +int age\n    +run()\n  }\n  Animal <|-- Duck",
        2,
        1,
    ),
    (
        "state diagram",
        "stateDiagram-v2\n  [*] --> Still\n  Still --> Moving: go\n  Moving --> [*]",
        4,
        3,
    ),
    (
        "entity-relationship diagram",
        "erDiagram\n  A {\n    string name PK\n  }\n  A ||--o{ B : has",
        2,
        1,
    ),
    (
        "Gantt chart",
        "gantt\n  title Plan\n  dateFormat YYYY-MM-DD\n  section S\n  One :a1, 2026-01-01, 3d",
        1,
        0,
    ),
    (
        "pie chart",
        "pie title Pets\n  \"Dogs\" : 3\n  \"Cats\" : 1",
        2,
        0,
    ),
    ("mind map", "mindmap\n  root((x))\n    A\n    B", 3, 2),
    (
        "timeline",
        "timeline\n  title H\n  2002 : LinkedIn\n  2004 : Facebook : Google",
        2,
        0,
    ),
    (
        "user journey",
        "journey\n  title My day\n  section Go\n    Make tea: 5: Me, Cat",
        1,
        0,
    ),
    (
        "Git graph",
        "gitGraph\n  commit\n  branch dev\n  checkout dev\n  commit",
        2,
        0,
    ),
    (
        "quadrant chart",
        "quadrantChart\n  title Reach\n  A: [0.1, 0.2]",
        1,
        0,
    ),
];

#[tokio::test]
async fn every_kind_is_read_and_drawn_also_with_front_matter_and_other_line_ends() {
    for (kind, source, nodes, edges) in ALL {
        for source in [
            source.to_owned(),
            format!("\u{feff}---\ntitle: Called\n---\n{source}").replace('\n', "\r\n"),
            format!("%% a comment\n{source}\n"),
        ] {
            let told = read(&source).await.unwrap();
            let told = told.unwrap_or_else(|fault| panic!("{source}: {fault:?}"));
            assert_eq!(
                (told.kind, told.nodes.len(), told.edges.len()),
                (kind, nodes, edges),
                "{source}: {told:?}"
            );
            let picture = draw(&source).await.unwrap();
            assert!(
                picture.starts_with("<svg") || picture.starts_with("\n<svg"),
                "{kind}"
            );
        }
    }
}

#[tokio::test]
async fn a_wrong_source_is_named_with_its_line_and_column() {
    for (source, line, column) in [
        ("flowchart LR\n  A --> B\n  A[Start --> B\n", 3, 5),
        (
            "---\r\ntitle: x\r\n---\r\nflowchart LR\r\n  A[x --> B",
            5,
            5,
        ),
        ("sequenceDiagram\n  A->>B: hi\n  B->\n", 3, 6),
        ("pie\n  \"a\" : 1\n  \"b\" : x\n  \"c\" : 2\n", 3, 3),
        ("hello", 1, 1),
        ("\n%% x\nradar-beta\n  axis a\n", 3, 1),
        ("", 1, 1),
    ] {
        let fault = read(source).await.unwrap().unwrap_err();
        assert_eq!(
            (fault.line, fault.column),
            (line, column),
            "{source}: {fault:?}"
        );
        assert!(
            !fault.message.is_empty() && fault.sentence().contains("line"),
            "{fault:?}"
        );
        assert!(draw(source).await.is_err());
    }
}

#[tokio::test]
async fn nothing_of_a_source_runs_or_loads() {
    for source in [
        "flowchart LR\n a[\"<script>alert(1)</script>\"]-->b[\"<img src='http://x/y.png' onerror=alert(1)>\"]\n click a \"javascript:alert(1)\"\n",
        "flowchart TB\n a-->b\n classDef x fill:#f9f,stroke:url(javascript:1)\n class a x\n style b fill:url(http://x/y)\n",
        "%%{init: {\"themeCSS\": \"@import url(http://x/y.css)\"}}%%\nflowchart LR\n a-->b\n",
        "classDiagram\n class A\n link A \"javascript:alert(1)\"\n",
        "sequenceDiagram\n A->>B: <img src=x onerror=alert(1)>\n link A: Board @ javascript:alert(1)\n",
        "mindmap\n root((<script>x</script>))\n",
    ] {
        let Ok(picture) = draw(source).await else {
            panic!("{source} was not drawn");
        };
        for bad in [
            "<script",
            "<img",
            "href",
            "javascript:1",
            "@import",
            "url(http",
            "<foreign",
        ] {
            assert!(!picture.contains(bad), "{bad} in {picture}");
        }
    }
}

#[tokio::test]
async fn what_is_too_much_or_too_deep_is_a_sentence() {
    let many =
        |count: usize, one: &dyn Fn(usize) -> String| -> String { (0..count).map(one).collect() };
    for source in [
        format!(
            "flowchart LR\n{}",
            many(150, &|n| format!("n{n}-->n{}\n", n + 1))
        ),
        format!(
            "flowchart LR\n a{}x{}\n",
            "(".repeat(5000),
            ")".repeat(5000)
        ),
        format!(
            "stateDiagram-v2\n{}{}",
            many(300, &|n| format!("state s{n} {{\n")),
            many(300, &|_| "}\n".to_owned())
        ),
        "gantt\n dateFormat YYYY-MM-DD\n a :1900-01-01, 9000000000d\n".to_owned(),
        "gantt\n dateFormat YYYY-MM-DD\n a :1900-01-01, 2999-01-01\n".to_owned(),
        "gantt\n dateFormat YYYY-MM-DD\n tickInterval 1second\n a :2026-01-01, 2d\n".to_owned(),
        "packet-beta\n0-4294967295: \"x\"\n".to_owned(),
    ] {
        let refused = draw(&source).await.unwrap_err().sentence();
        assert!(refused.ends_with('.'), "{refused}");
    }
}
