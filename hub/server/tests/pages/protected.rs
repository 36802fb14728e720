//! What holds for every page and every form.

use axum::http::{Request, StatusCode, header};

use crate::browser::{HOST, Site};

const PAGES: [&str; 5] = ["/sign-in", "/connect", "/plugins", "/log", "/style.css"];

#[tokio::test]
async fn no_page_is_kept_framed_or_loads_anything_from_elsewhere() {
    let site = Site::new().await;
    let mut browser = site.owner().await;
    for path in PAGES {
        let page = browser.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}: {}", page.body);
        assert_eq!(page.header("cache-control"), "no-store", "{path}");
        assert_eq!(page.header("x-frame-options"), "DENY", "{path}");
        assert_eq!(page.header("x-content-type-options"), "nosniff", "{path}");
        let policy = page.header("content-security-policy").to_owned();
        for part in [
            "default-src 'none'",
            "frame-ancestors 'none'",
            "form-action 'self'",
            "base-uri 'none'",
        ] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        let mut tags = page
            .body
            .split('<')
            .map(|tag| tag.split('>').next().unwrap_or_default());
        let active =
            |tag: &str| tag.starts_with("script") || tag.contains(" style=") || tag.contains(" on");
        assert!(!tags.any(active), "{path}: {}", page.body);
    }
}

#[tokio::test]
async fn a_page_of_an_account_needs_a_sign_in() {
    let site = Site::new().await;
    for path in ["/connect", "/plugins", "/log"] {
        for cookie in [None, Some("ensemble_session=made-up".to_owned())] {
            let mut browser = site.browser();
            browser.cookie = cookie;
            let page = browser.get(path).await;
            assert_eq!(page.status, StatusCode::SEE_OTHER);
            assert!(
                page.header("location").starts_with("/sign-in?then=%2F"),
                "{path}"
            );
        }
    }
}

#[tokio::test]
async fn a_form_of_another_site_or_without_its_proof_changes_nothing() {
    let site = Site::new().await;
    let mut browser = site.owner().await;
    let proof = browser.get("/connect").await.hidden("proof");
    let space = site.hub.admin().spaces().await.unwrap().remove(0).id;
    let fields = |proof| {
        [
            ("proof", proof),
            ("name", "stolen"),
            ("space", space.as_str()),
        ]
    };
    for headers in [
        &[][..],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("origin", "http://127.0.0.1:4001")],
        &[
            ("origin", "http://127.0.0.1:4000"),
            ("sec-fetch-site", "cross-site"),
        ],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "none")],
    ] {
        let refused = browser
            .post_from("/connect/keys", &fields(&proof), headers)
            .await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{headers:?}");
    }
    for wrong in ["", "made-up", &"0".repeat(64)] {
        let refused = browser.post("/connect/keys", &fields(wrong)).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{wrong}");
    }
    // what a forgotten field leaves out is a bad form, and no key either
    assert!(
        browser
            .post("/connect/keys", &[("name", "stolen")])
            .await
            .status
            .is_client_error()
    );
    assert!(site.hub.admin().keys().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_name_that_somebody_points_here_gets_no_page() {
    let site = Site::new().await;
    let mut browser = site.owner().await;
    for (host, status) in [
        (HOST, StatusCode::OK),
        ("localhost:4000", StatusCode::OK),
        ("[::1]:4000", StatusCode::OK),
        ("192.168.1.20:4000", StatusCode::OK),
        ("evil.example", StatusCode::MISDIRECTED_REQUEST),
        ("evil.example:4000", StatusCode::MISDIRECTED_REQUEST),
        ("localhost.evil.example", StatusCode::MISDIRECTED_REQUEST),
        (
            "127.0.0.1.evil.example:4000",
            StatusCode::MISDIRECTED_REQUEST,
        ),
        ("", StatusCode::MISDIRECTED_REQUEST),
    ] {
        let request = Request::get("/connect").header(header::HOST, host);
        assert_eq!(
            browser.send(request, String::new()).await.status,
            status,
            "{host}"
        );
    }
    site.hub.set_base_url("https://hub.example.org");
    let mut named = site.browser();
    let request = Request::get("/sign-in").header(header::HOST, "hub.example.org");
    assert_eq!(
        named.send(request, String::new()).await.status,
        StatusCode::OK
    );
}
