//! What may be a secret goes nowhere else, and does not come back.

use std::sync::atomic::Ordering;

use ensemble_hub_client::{Call, ClientError};

use crate::fake::{KEY, WAIT, answer, client, fake, get, json, post};

#[tokio::test]
async fn a_key_that_comes_back_is_not_passed_on() {
    let echo = |status: &str, name: &str| {
        answer(
            status,
            "application/json",
            "",
            &format!("{{\"{name}\":\"Bearer {KEY}\"}}"),
        )
    };
    let hub = fake(vec![
        echo("200 OK", "headers"),
        echo("400 Bad Request", "error"),
    ])
    .await;
    let reply = get(&hub).await.unwrap();
    assert!(!String::from_utf8(reply).unwrap().contains(KEY));
    assert!(!get(&hub).await.unwrap_err().to_string().contains(KEY));
}

/// Neither to another origin nor to another path of the same one, whatever the status says about repeating the request.
#[tokio::test]
async fn no_redirect_takes_the_key_along() {
    for status in [
        "301 Moved Permanently",
        "302 Found",
        "303 See Other",
        "307 Temporary Redirect",
        "308 Permanent Redirect",
    ] {
        let other = fake(vec![json("200 OK", "{}")]).await;
        for to in [other.base.as_str(), ""] {
            let head = format!("location: {to}/api/bridge/whoami\r\n");
            let hub = fake(vec![answer(status, "application/json", &head, "{}")]).await;
            assert_eq!(get(&hub).await, Err(ClientError::BadAnswer), "{status}");
            assert_eq!(
                post(&hub, Some("k")).await,
                Err(ClientError::OutcomeUnknown),
                "{status}"
            );
            let call = Call::get("/api/bridge/files/f1/original", WAIT);
            let download = client(&hub.base).download(call, None).await;
            assert_eq!(download.unwrap_err(), ClientError::BadAnswer, "{status}");
            assert_eq!(hub.served.load(Ordering::SeqCst), 3, "{status}");
        }
        assert_eq!(other.served.load(Ordering::SeqCst), 0, "{status}");
    }
}

#[tokio::test]
async fn what_a_refusal_says_holds_no_secret_of_anybody() {
    let body = format!(
        "{{\"error\":\"GET http://ada:hunter2@10.0.0.7/x?token=hunter2 with Bearer {KEY} or ens_anotherkeyanotherkey failed.\"}}"
    );
    let hub = fake(vec![json("400 Bad Request", &body)]).await;
    let expected = "GET http://…@10.0.0.7/x… with Bearer … or ens_… failed.";
    assert_eq!(get(&hub).await.unwrap_err().to_string(), expected);
    let call = Call::get("/api/bridge/files/f1/original", WAIT);
    let refused = client(&hub.base).download(call, None).await.unwrap_err();
    assert_eq!(refused.to_string(), expected);
    assert!(!format!("{refused:?}").contains("hunter2"));
}
