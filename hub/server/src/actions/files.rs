//! Files: what there is, and new ones. An original is never replaced, edited or deleted from here.

mod export;
mod look;
mod page;
mod save;
mod written;

use super::{Action, changes, reads};

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_list_files",
        look::List,
        look::list,
        "Lists files, newest first: with words in their name, summary or text, or those on one record."
    ),
    reads!(
        "hub_file_edit_info",
        look::One,
        look::edit_info,
        "Says what can be done with a file from here: whether its text can become a page, and that its original stays as it is. ensemble_get_file gives the file itself."
    ),
    changes!(
        "hub_file_to_page",
        page::ToPage,
        page::to_page,
        "Makes a page of a file's text and attaches the file to it. A text that is too long for one page comes in parts with `offset`."
    ),
    changes!(
        "hub_export_page_file",
        export::Export,
        export::export,
        "Saves a page as a new file (Markdown, HTML or plain text) that is attached to the page."
    )
    .prepared(export::prepare)
    .limited(export::LIMIT),
    changes!(
        "hub_save_file",
        save::Save,
        save::save,
        "Saves the file behind a public http or https link, up to 25 MB; the hub gets it itself. For a file that you have, use ensemble_upload_file."
    )
    .prepared(save::prepare),
    changes!(
        "hub_save_app_item_as_page",
        save::AppItem,
        save::app_item,
        "Saves an item of a connected app as a page. Needs that app to be connected."
    )
    .with_apps(),
    changes!(
        "hub_import_app_file",
        save::AppFile,
        save::app_file,
        "Saves a file of a connected app in Ensemble. Needs that app to be connected."
    )
    .with_apps(),
];
