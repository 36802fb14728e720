//! Search input: whatever was typed is text. The hub never answers with an error of its database, and what it shows of a text is part of it.

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use ensemble_hub_server::search::excerpt;
use ensemble_hub_server::text::{cut, fold, terms, visible};
use serde_json::Value;
use tower::ServiceExt as _;

pub(crate) fn run(data: &[u8]) {
    let text = crate::text(data);
    let query = terms::query_terms(&text);
    let tokens = query.iter().map(|term| term.token.clone());
    let indexed = terms::index_text(&text);
    for token in tokens
        .chain(indexed.split(' ').map(str::to_owned))
        .chain([terms::literal_token(&text)])
    {
        // nothing that the language of the database's queries knows
        assert!(
            token.chars().all(|c| c == '_' || c.is_ascii_alphanumeric()),
            "{token}"
        );
    }
    for limit in [0, 1, 7, 200] {
        assert!(cut::head(&text, limit).chars().count() <= limit);
        assert!(text.starts_with(cut::head(&text, limit)));
        let (shown, _) = excerpt::around(&text, &query, limit);
        assert!(shown.chars().count() <= limit + 2, "{limit}: {shown}");
    }
    assert_eq!(
        visible::visible(&visible::visible(&text)),
        visible::visible(&text)
    );
    assert_eq!(fold::fold(&fold::fold(&text)), fold::fold(&text));
    crate::executor().block_on(asked(&text));
}

/// Asks the hub for it, as a client would.
async fn asked(text: &str) {
    let url =
        url::Url::parse_with_params("http://hub/api/bridge/search", [("query", text)]).unwrap();
    let path = format!("{}?{}", url.path(), url.query().unwrap());
    let (router, key) = crate::hub::demo().await;
    let request = Request::get(path)
        .header("authorization", format!("Bearer {key}"))
        .body(Body::empty())
        .unwrap();
    let response = router.oneshot(request).await.unwrap();
    let status = response.status();
    let body = to_bytes(response.into_body(), 8 << 20).await.unwrap();
    let answer: Value = serde_json::from_slice(&body).unwrap();
    match status {
        StatusCode::OK => assert!(answer["results"].is_array(), "{answer}"),
        StatusCode::BAD_REQUEST => assert!(
            answer["error"]
                .as_str()
                .is_some_and(|says| says.ends_with('.')),
            "{answer}"
        ),
        other => panic!("{other} for {text:?}: {answer}"),
    }
}
