//! A file of the working folder, read to be added to the hub. It is opened once, and what is asked of it is asked of that opening.
//!
//! | what is there | is |
//! |---|---|
//! | no plain file: a folder, a link, a pipe, a device | refused |
//! | a key, a password file, `.env`, by its name or that of a folder on the way | refused, whether it is there or not |
//! | a text that holds a private key | refused |
//! | larger than the hub takes | refused before it is read |

use std::io::{self, Read as _};

use ensemble_broker::Fault;
use ensemble_hub_server::repos::checkout;
use ensemble_hub_server::repos::protected::{self, Secret};

use super::path::Inside;
use super::{Open, Purpose, descend};

/// All of the file.
pub(super) fn whole(open: &Open, inside: &Inside, at_most: u64) -> Result<Vec<u8>, Fault> {
    if inside.names().any(protected::by_name) {
        return Err(secret(inside, Secret::Name));
    }
    let dir = descend(open, inside, Purpose::Add)?;
    // looked at first, so that what is there is named; opening follows no link and waits for no pipe whatever happens in between
    match dir.symlink_metadata(&inside.name) {
        Ok(there) if there.is_symlink() => {
            return Err(Fault::Invalid(format!(
                "“{}” is a symbolic link: none is followed. Give the path of the file itself, inside the working folder.",
                inside.shown()
            )));
        }
        Ok(there) if !there.is_file() => return Err(no_file(inside)),
        Ok(_) => {}
        Err(error) => return Err(refused(&error, inside)),
    }
    let (file, size) = match checkout::plain_file(&dir, &inside.name) {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Err(no_file(inside)),
        opened => opened.map_err(|error| refused(&error, inside))?,
    };
    if size > at_most {
        return Err(too_large(inside, size, at_most));
    }
    let mut bytes = Vec::new();
    let read = file.take(at_most.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| refused(&error, inside))?;
    if bytes.len() as u64 > at_most {
        return Err(too_large(inside, bytes.len() as u64, at_most));
    }
    if protected::by_content(&String::from_utf8_lossy(&bytes)) {
        return Err(secret(inside, Secret::Content));
    }
    Ok(bytes)
}

fn no_file(inside: &Inside) -> Fault {
    Fault::Invalid(format!(
        "“{}” is a folder, or no plain file: give the path of a file inside the working folder.",
        inside.shown()
    ))
}

fn secret(inside: &Inside, secret: Secret) -> Fault {
    Fault::Invalid(secret.sentence(&inside.shown()))
}

fn too_large(inside: &Inside, size: u64, at_most: u64) -> Fault {
    Fault::TooLarge(format!(
        "“{}” has {size} bytes, and Ensemble takes files of at most {at_most} bytes ({} MB), so it was not added.",
        inside.shown(),
        at_most >> 20
    ))
}

fn refused(error: &io::Error, inside: &Inside) -> Fault {
    let shown = inside.shown();
    match error.kind() {
        io::ErrorKind::NotFound => Fault::NotFound(format!(
            "There is no file “{shown}” in the working folder: {}",
            Purpose::Add.otherwise()
        )),
        io::ErrorKind::PermissionDenied => Fault::Failed(format!(
            "This computer does not let the bridge read “{shown}”, so it was not added."
        )),
        _ => Fault::Failed(format!("“{shown}” could not be read, so it was not added.")),
    }
}
