//! A call stands alone: a fresh instance, its turn in the queue, and an end that nobody else notices.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use ensemble_broker::Fault;
use ensemble_runtime::offer::{Answer, Body, Question, Resumption, ToolStep};
use ensemble_runtime::{CallError, LoadState, NoEvents, Runtime, RuntimeConfig};

use crate::bench::{Bench, WithKeptCode, probe_manifest, text};

const HANGING: &str = r#"{"path":"/api/bridge/hang"}"#;

fn small(max_live: usize, max_waiting: usize) -> Bench {
    let config = RuntimeConfig {
        max_live,
        max_waiting,
        ..RuntimeConfig::default().with_kept_code()
    };
    Bench::on(Runtime::new(config).unwrap(), probe_manifest(""))
}

#[tokio::test]
async fn nothing_lives_from_one_call_to_the_next() {
    let bench = small(1, 0).ready().await;
    for _ in 0..5 {
        assert_eq!(bench.call("state", "{}").await.as_deref(), Ok("1"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_calls_than_instances_wait_and_all_succeed() {
    let bench = Arc::new(small(4, 1_000).ready().await);
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..32 {
        let bench = Arc::clone(&bench);
        calls.spawn(async move {
            let arguments = format!(r#"{{"text":"{number}"}}"#);
            assert_eq!(bench.call("echo", &arguments).await, Ok(number.to_string()));
        });
    }
    assert_eq!(calls.join_all().await.len(), 32);
}

#[tokio::test]
async fn a_full_queue_is_a_sentence_and_a_given_up_place_is_free() {
    let bench = small(1, 1).ready().await;
    let mut holding = pin!(bench.call("get_route", HANGING));
    let arrived = tokio::select! {
        _ = &mut holding => None,
        permit = bench.hub.arrived.acquire() => permit.ok(),
    };
    assert!(
        arrived.is_some(),
        "the first call did not hold the instance"
    );

    let mut waiting = Box::pin(bench.call("state", "{}"));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(waiting.as_mut().poll(&mut cx).is_pending());
    assert_eq!(
        bench.call("state", "{}").await.unwrap_err().to_string(),
        "The bridge is busy: 1 calls are waiting already. Try again in a moment."
    );
    drop(waiting);
    let mut waiting = Box::pin(bench.call("state", "{}"));
    match waiting.as_mut().poll(&mut cx) {
        Poll::Pending => {}
        Poll::Ready(early) => panic!("there was no instance for it: {early:?}"),
    }
}

#[tokio::test]
async fn cancelling_ends_the_call_and_the_request_that_it_waits_for() {
    let bench = small(1, 0).ready().await;
    {
        let mut call = pin!(bench.call("get_route", HANGING));
        tokio::select! {
            ended = &mut call => panic!("it cannot end: {ended:?}"),
            permit = bench.hub.arrived.acquire() => permit.unwrap().forget(),
        }
        assert_eq!(bench.hub.given_up.load(Ordering::SeqCst), 0);
    }
    assert_eq!(bench.hub.given_up.load(Ordering::SeqCst), 1);
    assert_eq!(bench.decisions.endings(), ["cancelled"]);
    bench.answers().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelling_a_spinning_guest_frees_its_instance() {
    let bench = small(1, 0).ready().await;
    let call = bench.call("spin", "{}");
    let ended = tokio::time::timeout(Duration::from_millis(100), call).await;
    assert!(ended.is_err(), "it cannot end: {ended:?}");
    bench.answers().await;
    assert_eq!(bench.decisions.endings(), ["cancelled", "-"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_trap_ends_its_own_call_only() {
    let bench = Arc::new(small(4, 1_000).ready().await);
    let mut calls = tokio::task::JoinSet::new();
    for tool in ["panic", "exit", "echo", "state"].repeat(8) {
        let bench = Arc::clone(&bench);
        calls.spawn(async move { (tool, bench.call(tool, r#"{"text":"hello"}"#).await) });
    }
    for (tool, ended) in calls.join_all().await {
        match tool {
            "echo" => assert_eq!(ended.as_deref(), Ok("hello")),
            "state" => assert_eq!(ended.as_deref(), Ok("1")),
            _ => assert!(
                matches!(ended, Err(CallError::Trapped { .. })),
                "{tool}: {ended:?}"
            ),
        }
    }
    let exit = bench.call("exit", "{}").await.unwrap_err().to_string();
    assert!(exit.contains("it ended itself with code"), "{exit}");
}

#[tokio::test]
async fn a_fault_of_the_guest_is_passed_on_as_it_is() {
    let bench = Bench::probe("").ready().await;
    assert_eq!(
        bench.call("fail", "{}").await,
        Err(CallError::Guest(Fault::Conflict(
            "The task was changed meanwhile.".to_owned()
        )))
    );
    assert_eq!(bench.decisions.endings(), ["conflict"]);
}

#[tokio::test]
async fn a_question_comes_out_and_its_answer_goes_in() {
    let bench = Bench::probe("").ready().await;
    let ToolStep::Ask(pause) = bench.step("ask", "{}").await.unwrap() else {
        panic!("it did not ask")
    };
    let (name, question) = pause.questions.into_iter().next().unwrap();
    assert!(matches!(question, Question::Form { message, .. } if message == "Are you sure?"));
    let resumed = Resumption {
        answers: vec![(name, Answer::Accepted("{}".to_owned()))],
        state: pause.state,
    };
    let session = bench.session("ask").await;
    let events = Arc::new(NoEvents);
    let step = bench
        .registry
        .call_tool(
            &bench.id,
            session,
            "ask",
            "{}".to_owned(),
            Some(resumed),
            events,
        )
        .await
        .unwrap();
    assert_eq!(text(step), "sure: {} [1, 2, 3]");
}

#[tokio::test]
async fn a_resource_is_read_from_the_component() {
    let bench = Bench::probe("").ready().await;
    let read = async |uri: &str| {
        let session = bench.session(uri).await;
        bench
            .registry
            .read_resource(&bench.id, session, uri, Arc::new(NoEvents))
            .await
    };
    let one = read("probe://one").await.unwrap();
    assert_eq!(one.len(), 1);
    assert_eq!(one[0].body, Body::Text("{\"one\":1}".to_owned()));
    let error = read("probe://none").await.unwrap_err();
    assert!(matches!(error, CallError::Guest(_)), "{error}");
}

#[tokio::test]
async fn a_plugin_without_resources_says_so() {
    let read =
        crate::bench::import("ensemble:hub/read") + &crate::bench::import("ensemble:hub/change");
    let bench = Bench::with(
        crate::bench::runtime(),
        crate::bench::plugin(
            crate::bench::manifest("changer", &read),
            ensemble_test_artifacts::wasm("probe-undeclared"),
        ),
    );
    let session = bench.session("probe://one").await;
    let error = bench
        .registry
        .read_resource(&bench.id, session, "probe://one", Arc::new(NoEvents))
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), "The plugin probe has no resources.");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn callers_share_one_load_and_the_first_call_works() {
    let bench = small(4, 100);
    assert_eq!(bench.registry.state(&bench.id), LoadState::NotLoaded);
    let (one, two, three) = tokio::join!(bench.load(), bench.call("state", "{}"), bench.load());
    assert_eq!((one, three), (Ok(()), Ok(())));
    assert_eq!(two.as_deref(), Ok("1"));
    let LoadState::Loaded(facts) = bench.registry.state(&bench.id) else {
        panic!("it is not loaded")
    };
    assert!(
        facts
            .imports
            .contains(&"ensemble:hub/read@0.1.0".to_owned())
    );
    assert!(
        facts
            .exports
            .contains(&"ensemble:tools/tools@0.1.0".to_owned())
    );
}
