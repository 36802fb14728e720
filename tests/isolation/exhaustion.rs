//! A guest that takes all there is of something ends with a sentence that names the limit; the next call answers.

use std::sync::Arc;
use std::time::Duration;

use ensemble_runtime::{CallError, NoEvents};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::bench::Bench;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_spinning_guest_ends_at_its_deadline() {
    let bench = Bench::probe("deadline-ms = 300").ready().await;
    let error = bench.call("spin", "{}").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "The plugin probe was stopped: one call may take 300 milliseconds, and it was not done."
    );
    bench.answers().await;
    assert_eq!(bench.decisions.endings(), ["deadline", "-"]);
}

#[tokio::test]
async fn a_spinning_guest_ends_on_a_single_thread_too() {
    let bench = Bench::probe("deadline-ms = 300").ready().await;
    let error = bench.call("spin", "{}").await.unwrap_err();
    assert!(
        matches!(error, CallError::Deadline { limit, .. } if limit == Duration::from_millis(300))
    );
    let read = bench
        .registry
        .read_resource(
            &bench.id,
            bench.session("probe://spin").await,
            "probe://spin",
            Arc::new(NoEvents),
        )
        .await;
    assert!(matches!(read, Err(CallError::Deadline { .. })), "{read:?}");
    bench.answers().await;
}

/// What comes over a socket is looked at by a thread that has nothing else to do: long guests leave one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn news_from_outside_arrive_while_guests_spin() {
    let bench = Arc::new(Bench::probe("").ready().await);
    let mut spinning = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let bench = Arc::clone(&bench);
        spinning.spawn(async move { bench.call("spin", "{}").await });
    }
    // they were there first, and so they spin by now
    for _ in 0..20 {
        let bench = Arc::clone(&bench);
        tokio::spawn(async move { bench.answers().await })
            .await
            .unwrap();
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let asked = tokio::spawn(async move {
        // each is half a second where the threads are all taken, and the guests end after thirty
        for _ in 0..200 {
            let (there, here) = tokio::join!(TcpStream::connect(address), listener.accept());
            let (mut there, (mut here, _)) = (there.unwrap(), here.unwrap());
            here.write_all(b"news").await.unwrap();
            let mut news = [0; 4];
            there.read_exact(&mut news).await.unwrap();
        }
    });
    asked.await.unwrap();
    let ended = spinning.try_join_next();
    assert!(ended.is_none(), "they ended first: {ended:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spinning_guests_on_every_thread_let_others_answer() {
    let bench = Bench::probe("").ready().await;
    let spinning = async {
        tokio::join!(
            bench.call("spin", "{}"),
            bench.call("spin", "{}"),
            bench.call("spin", "{}"),
        )
    };
    let answering = async {
        for _ in 0..3 {
            bench.answers().await;
        }
    };
    tokio::select! {
        biased;
        ended = spinning => panic!("they ended first: {ended:?}"),
        () = answering => {}
    }
}

#[tokio::test]
async fn a_guest_that_waits_for_a_silent_hub_ends_at_its_deadline() {
    let bench = Bench::probe("deadline-ms = 300").ready().await;
    let error = bench
        .call("get_route", r#"{"path":"/api/bridge/hang"}"#)
        .await
        .unwrap_err();
    assert!(matches!(error, CallError::Deadline { .. }), "{error}");
    let given_up = bench.hub.given_up.load(std::sync::atomic::Ordering::SeqCst);
    assert_eq!(given_up, 1);
    bench.answers().await;
}

#[tokio::test]
async fn a_memory_bomb_meets_the_limit_of_its_plugin() {
    let bench = Bench::probe("memory-bytes = 16777216").ready().await;
    let error = bench.call("alloc_loop", "{}").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "The plugin probe was stopped: it wanted more than 16 MiB of memory, which one call may not have."
    );
    bench.answers().await;
    assert_eq!(bench.decisions.endings(), ["limit", "-"]);
}

#[tokio::test]
async fn a_guest_that_begins_with_more_memory_than_it_may_have_does_not_begin() {
    let bench = Bench::probe("memory-bytes = 65536").ready().await;
    let error = bench.call("echo", "{}").await.unwrap_err();
    assert!(matches!(error, CallError::Limit { .. }), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_memory_bombs_at_once_meet_the_hosts_limit() {
    let bench = Bench::probe("").ready().await;
    let bomb = || bench.call("alloc_loop", "{}");
    let ended = tokio::join!(
        bomb(),
        bomb(),
        bomb(),
        bomb(),
        bomb(),
        bomb(),
        bomb(),
        bomb(),
        bomb(),
        bomb()
    );
    let ended: [_; 10] = ended.into();
    for error in ended {
        let error = error.unwrap_err().to_string();
        assert!(error.contains("more than 64 MiB of memory"), "{error}");
    }
    bench.answers().await;
}

#[tokio::test]
async fn a_deep_recursion_ends_in_the_guest() {
    let bench = Bench::probe("").ready().await;
    let error = bench.call("recurse", "{}").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "The plugin probe was stopped: it wanted a deeper stack, which one call may not have."
    );
    let error = bench.call("recurse_widely", "{}").await.unwrap_err();
    assert!(matches!(error, CallError::Trapped { .. }), "{error}");
    bench.answers().await;
}

#[tokio::test]
async fn an_answer_has_a_limit_whatever_it_is_made_of() {
    let bench = Bench::probe("output-bytes = 1000").ready().await;
    let whole = bench.call("big_output", r#"{"bytes":900}"#).await.unwrap();
    assert_eq!(whole.len(), 900);
    let error = bench
        .call("big_output", r#"{"bytes":1000000}"#)
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("one answer may have 1000"),
        "{error}"
    );
    let error = bench
        .step("many_blocks", r#"{"blocks":10000}"#)
        .await
        .unwrap_err();
    assert!(matches!(error, CallError::OutputTooLarge { .. }), "{error}");
    let read = bench
        .registry
        .read_resource(
            &bench.id,
            bench.session("probe://big").await,
            "probe://big",
            Arc::new(NoEvents),
        )
        .await;
    assert!(matches!(read, Err(CallError::OutputTooLarge { .. })));
    bench.answers().await;
}

#[tokio::test]
async fn an_answer_of_many_megabytes_ends_the_call_only() {
    let bench = Bench::probe("").ready().await;
    let error = bench
        .call("big_output", r#"{"bytes":30000000}"#)
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "The plugin probe was stopped: it wanted to hand over more than 8 MiB at once, which one call may not have."
    );
    bench.answers().await;
}
