//! What happens in the folder while a file arrives: a link that is swapped in, a folder that is moved, a file that appears.

use std::fs;

use super::*;

/// Runs a save up to its second piece, lets `meanwhile` happen, and sends the rest.
async fn during(
    rig: &Rig,
    path: &str,
    overwrite: bool,
    meanwhile: impl FnOnce(),
) -> Result<Saved, PortFault> {
    let (mut sender, download) = arriving(Some(6), None);
    let others = async {
        sender.asked.recv().await.unwrap();
        sender.pieces.send(Some(b"abc".to_vec())).await.unwrap();
        sender.asked.recv().await.unwrap();
        meanwhile();
        sender.pieces.send(Some(b"def".to_vec())).await.unwrap();
        sender.pieces.send(None).await.unwrap();
    };
    let (saved, ()) = tokio::join!(rig.save.write(to(path, overwrite), download), others);
    saved
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_that_is_swapped_in_while_the_file_arrives_is_not_followed() {
    use std::os::unix::fs::symlink;

    let rig = Rig::new();
    let secret = rig.outside.path().join("secret");
    fs::write(&secret, "secret").unwrap();

    // the name itself becomes a link
    let name = rig.path("a.md");
    let fault = during(&rig, "a.md", true, || symlink(&secret, &name).unwrap())
        .await
        .unwrap_err();
    assert!(
        fault.fault.to_string().contains("symbolic link"),
        "{fault:?}"
    );
    fs::remove_file(&name).unwrap();

    // its folder becomes a link to a place outside
    let (notes, away) = (rig.path("notes"), rig.path("away"));
    let fault = during(&rig, "notes/a.md", false, || {
        fs::rename(&notes, &away).unwrap();
        symlink(rig.outside.path(), &notes).unwrap();
    })
    .await
    .unwrap_err();
    assert!(
        fault.fault.to_string().contains("symbolic link"),
        "{fault:?}"
    );
    fs::remove_file(&notes).unwrap();
    fs::rename(&away, &notes).unwrap();

    // its folder is another one by now
    let fault = during(&rig, "notes/a.md", false, || {
        fs::rename(&notes, &away).unwrap();
        fs::create_dir(&notes).unwrap();
    })
    .await
    .unwrap_err();
    assert_eq!(
        fault.fault,
        Fault::Conflict(Purpose::Save.moved().to_owned())
    );
    fs::remove_dir(&away).unwrap();

    assert!(rig.as_it_was());
    assert_eq!(listing(rig.outside.path()), ["secret"]);
    assert_eq!(fs::read_to_string(secret).unwrap(), "secret");
}

#[tokio::test]
async fn a_file_that_appears_meanwhile_is_kept() {
    let rig = Rig::new();
    let name = rig.path("a.md");
    let fault = during(&rig, "a.md", false, || fs::write(&name, "theirs").unwrap())
        .await
        .unwrap_err();
    assert!(matches!(fault.fault, Fault::Conflict(_)), "{fault:?}");
    assert_eq!(fs::read_to_string(&name).unwrap(), "theirs");
    assert_eq!(listing(rig.folder.path()), ["a.md", "notes/", "there.md"]);
}
