//! The link to the hub's pages: it stands alone on standard output, leads to the hub that runs, and is in no log.

use ensemble_test_harness::TestHub;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{failure, home, printed, run};

/// The answer's head and body.
async fn get(base: &str, path: &str) -> String {
    let address = base.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn a_link_leads_to_the_hub_that_runs_and_is_printed_once() {
    let (home, hub) = (home(), TestHub::start().await);
    let data = hub.data().to_str().unwrap().to_owned();
    let output = run(&home, &["hub", "sign-in", "--data", &data]).await;
    let link = printed(&output);
    let path = link.trim_end().strip_prefix(hub.base()).unwrap();
    let code = path.strip_prefix("/set-up?code=").unwrap();
    assert_eq!(code.len(), 43);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("once and for 10 minutes") && !said.contains(code),
        "{said}"
    );
    let page = get(hub.base(), path).await;
    assert!(
        page.starts_with("HTTP/1.1 200") && page.contains("Choose a name and a password"),
        "{page}"
    );
    assert!(get(hub.base(), "/").await.contains("location: /connect"));
    // a second one ends the first
    printed(&run(&home, &["hub", "sign-in", "--data", &data]).await);
    assert!(get(hub.base(), path).await.starts_with("HTTP/1.1 404"));
    let nowhere = run(&home, &["hub", "sign-in", "--data", "nowhere"]).await;
    assert!(failure(&nowhere).contains("there is no hub in"));
    hub.stop().await;
}
