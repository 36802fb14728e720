//! Links, passwords and sessions.

use axum::http::StatusCode;
use jiff::SignedDuration;

use crate::browser::{NAME, PASSWORD, Site};

#[tokio::test]
async fn nobody_can_take_a_new_hub_from_its_address() {
    let site = Site::new().await;
    let mut browser = site.browser();
    let page = browser.get("/sign-in").await;
    assert!(
        page.body.contains("ensemble hub sign-in") && !page.body.contains("password\""),
        "{}",
        page.body
    );
    let guessed = browser.get("/set-up?code=guessed").await;
    assert_eq!(guessed.status, StatusCode::NOT_FOUND);
    let tried = [
        ("code", "guessed"),
        ("name", "Eve"),
        ("password", PASSWORD),
        ("again", PASSWORD),
    ];
    assert_eq!(
        browser.post("/set-up", &tried).await.status,
        StatusCode::NOT_FOUND
    );
    assert!(browser.cookie.is_none());
    assert!(site.hub.store().passwords().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_link_works_once_and_for_ten_minutes() {
    let site = Site::new().await;
    let link = site.link().await;
    let mut browser = site.browser();
    // looking uses nothing up
    for _ in 0..3 {
        assert_eq!(browser.get(&link).await.status, StatusCode::OK);
    }
    let short = browser.choose(&link, NAME, "short").await;
    assert!(
        short.body.contains("at least 10 characters"),
        "{}",
        short.body
    );
    let code = browser.get(&link).await.hidden("code");
    let fields = [
        ("code", code.as_str()),
        ("name", NAME),
        ("password", PASSWORD),
        ("again", "another one"),
    ];
    assert!(
        browser
            .post("/set-up", &fields)
            .await
            .body
            .contains("not the same")
    );
    let done = browser.choose(&link, NAME, PASSWORD).await;
    assert_eq!(
        (done.status, done.header("location")),
        (StatusCode::SEE_OTHER, "/")
    );
    let cookie = done.header("set-cookie").to_owned();
    for part in ["ensemble_session=", "HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert_eq!(browser.get(&link).await.status, StatusCode::NOT_FOUND);

    let late = site.link().await;
    site.clock.advance(SignedDuration::from_mins(10));
    assert_eq!(browser.get(&late).await.status, StatusCode::NOT_FOUND);
    // a newer link ends an older one
    let (older, newer) = (site.link().await, site.link().await);
    assert_eq!(browser.get(&older).await.status, StatusCode::NOT_FOUND);
    assert_eq!(browser.get(&newer).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_person_signs_in_and_out_and_a_session_ends_by_itself() {
    let site = Site::new().await;
    let mut first = site.owner().await;
    let mut second = site.browser();
    let done = second.sign_in("  ana SOUZA ", PASSWORD, "/connect").await;
    assert_eq!(
        (done.status, done.header("location")),
        (StatusCode::SEE_OTHER, "/connect")
    );
    let page = second.get("/connect").await;
    assert_eq!(page.status, StatusCode::OK);
    let out = second
        .post("/sign-out", &[("proof", &page.hidden("proof"))])
        .await;
    assert_eq!(out.status, StatusCode::SEE_OTHER);
    assert!(second.cookie.is_none());
    // the other browser stays signed in, as long as it is used
    for _ in 0..3 {
        site.clock.advance(SignedDuration::from_hours(24 * 13));
        assert_eq!(first.get("/connect").await.status, StatusCode::OK);
    }
    site.clock.advance(SignedDuration::from_hours(24 * 15));
    assert_eq!(first.get("/connect").await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_new_password_signs_out_every_browser() {
    let site = Site::new().await;
    let mut old = site.owner().await;
    let mut new = site.browser();
    new.choose(&site.link().await, NAME, "another long one")
        .await;
    assert_eq!(old.get("/connect").await.status, StatusCode::SEE_OTHER);
    assert_eq!(new.get("/connect").await.status, StatusCode::OK);
    assert_eq!(
        old.sign_in(NAME, PASSWORD, "/").await.status,
        StatusCode::UNAUTHORIZED
    );
}

#[tokio::test]
async fn a_wrong_password_and_a_name_that_nobody_has_are_the_same_and_rare() {
    let site = Site::new().await;
    site.owner().await;
    let mut eve = site.browser();
    let wrong = eve.sign_in(NAME, "not the right one", "/").await;
    let nobody = eve.sign_in("Nobody", "not the right one", "/").await;
    assert_eq!(
        (wrong.status, nobody.status),
        (StatusCode::UNAUTHORIZED, StatusCode::UNAUTHORIZED)
    );
    assert_eq!(
        wrong.within("role=\"alert\">"),
        nobody.within("role=\"alert\">")
    );
    let mut last = wrong;
    for _ in 0..10 {
        last = eve.sign_in(NAME, "not the right one", "/").await;
    }
    assert_eq!(last.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(last.header("retry-after").parse::<u64>().unwrap() > 0);
    // neither does the right one get in meanwhile
    assert_eq!(
        eve.sign_in(NAME, PASSWORD, "/").await.status,
        StatusCode::TOO_MANY_REQUESTS
    );
    site.clock.advance(SignedDuration::from_mins(1));
    assert_eq!(
        eve.sign_in(NAME, PASSWORD, "/").await.status,
        StatusCode::SEE_OTHER
    );
}

#[tokio::test]
async fn after_the_sign_in_the_page_that_was_wanted_comes_and_never_another_site() {
    let site = Site::new().await;
    site.owner().await;
    let mut browser = site.browser();
    let asked = browser.get("/log?verdict=denied").await;
    let there = asked.header("location").to_owned();
    assert_eq!(there, "/sign-in?then=%2Flog%3Fverdict%3Ddenied");
    let then = browser.get(&there).await.hidden("then");
    assert_eq!(then, "/log?verdict=denied");
    for (then, leads) in [
        ("/log?verdict=denied", "/log?verdict=denied"),
        ("//evil.example/", "/"),
        ("https://evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("/a\r\nset-cookie: x=1", "/"),
        ("", "/"),
    ] {
        let done = site.browser().sign_in(NAME, PASSWORD, then).await;
        assert_eq!(done.header("location"), leads, "{then}");
        // as many sign-ins as a person has a minute
        site.clock.advance(SignedDuration::from_mins(1));
    }
}
