//! What the specification says of apps' access, sentence by sentence, and the test that shows it. A sentence whose test is gone fails here.
//!
//! Not there yet, and so in no row: an app that ends its own connection by another way than `/oauth/revoke`, and grants in an export of the account.

use std::path::Path;

/// What holds, and the tests of it.
const SENTENCES: [(&str, &[&str]); 25] = [
    (
        "both documents are at every place that clients look for them",
        &["c10_each_document_is_the_same_at_every_place"],
    ),
    (
        "MCP without a key gets a 401 Bearer challenge with resource_metadata",
        &["without_a_key_everything_is_401_and_says_where_to_get_one"],
    ),
    (
        "the issuer is the public https origin; http on loopback is for development",
        &["a_hub_without_a_safe_address_issues_nothing_and_says_why"],
    ),
    (
        "a cookie, key or space header is nobody's identity there, and is not refused",
        &["a_key_unlocks_nothing_here_and_is_not_refused"],
    ),
    (
        "apps register with none, client_secret_basic or client_secret_post",
        &[
            "c03_an_editor_registers_all_of_its_addresses_at_once",
            "who_leaves_the_method_out_gets_a_secret",
            "an_app_with_a_secret_shows_it_either_way_and_may_keep_its_refresh_token",
        ],
    ),
    (
        "a document at an https address is an app's id, if it names itself, the app and its redirects",
        &[
            "c13_an_id_is_an_https_address_with_a_path",
            "a_document_names_itself_the_app_and_its_redirects",
        ],
    ),
    (
        "documents come from public, pinned addresses, without redirects, in 5 seconds and 32 KB",
        &[
            "c13_nothing_inside_is_asked",
            "c13_a_document_is_small_comes_at_once_and_from_where_it_is",
        ],
    ),
    (
        "redirects match exactly; on loopback the port may vary",
        &[
            "c01_only_the_port_of_this_computer_may_differ",
            "c01_a_port_on_this_computer_may_be_another_one",
        ],
    ),
    (
        "authorization needs the code flow and PKCE S256, and goes nowhere that was not registered",
        &["c16_what_is_wrong_is_said_here_and_sent_nowhere"],
    ),
    (
        "the page is public, the answer needs the signed-in browser, and the request survives the sign-in",
        &["the_request_is_still_there_after_the_sign_in"],
    ),
    (
        "the person checks name and domains, and approves grants and an owned space",
        &[
            "an_app_is_let_in_narrower_than_it_asked_and_put_out_again",
            "only_an_own_space_is_granted_and_no_more_than_was_asked",
            "nobody_gets_more_than_was_asked_for",
        ],
    ),
    (
        "consent is bound to the browser session and ends after 10 minutes",
        &[
            "the_request_is_of_one_browser_for_ten_minutes_and_one_space_of_the_account",
            "a_request_is_one_browsers_and_ends_after_ten_minutes",
        ],
    ),
    (
        "all own spaces stay reachable, shared ones do not",
        &["a_token_reaches_the_own_spaces_with_its_scopes"],
    ),
    (
        "scopes open what the table says, and what lacks is a 403 challenge",
        &[
            "c18_what_a_token_lacks_is_403_with_all_that_it_needs",
            "what_was_not_allowed_is_asked_for_and_what_was_ended_is_gone",
        ],
    ),
    (
        "a code is good once",
        &[
            "c07_a_code_is_good_once_and_again_ends_what_it_gave",
            "c07_of_twenty_at_once_one_succeeds",
            "a_code_ends_after_five_minutes",
        ],
    ),
    (
        "resource is this server's /mcp, named or not",
        &[
            "c11_a_resource_is_compared_once_normalised",
            "other_grants_and_resources_are_refused",
        ],
    ),
    (
        "access tokens are hashed keys of one hour, refresh tokens last 30 days",
        &[
            "tokens_end_after_an_hour_and_after_thirty_days",
            "nothing_that_opens_anything_is_in_the_database",
        ],
    ),
    (
        "refresh tokens rotate; narrowing stays; replay ends the connection, after a grace for windows that share it",
        &[
            "c14_a_refresh_keeps_or_narrows_and_what_is_narrow_stays",
            "a_replay_after_the_grace_ends_the_connection",
            "c05_windows_that_refresh_together_get_the_same_tokens",
        ],
    ),
    (
        "the issuer is in every answer",
        &["the_answer_has_the_state_and_the_issuer_whatever_it_is"],
    ),
    (
        "there is no client_credentials and no implicit grant",
        &["other_grants_and_resources_are_refused"],
    ),
    (
        "a refresh token stays only for an app with a secret that registered so",
        &[
            "an_app_with_a_secret_shows_it_either_way_and_may_keep_its_refresh_token",
            "what_cannot_be_registered_is_refused_in_its_word",
        ],
    ),
    (
        "the challenge of a directory is exactly what the operator set",
        &["the_challenge_of_a_directory_is_what_was_set_or_missing"],
    ),
    (
        "revoking and disconnecting end the whole family",
        &[
            "c09_a_public_app_ends_its_own_connection_and_no_other",
            "c08_one_connection_ends_at_once_and_the_other_stays",
        ],
    ),
    (
        "connections are the account's own; consent and disconnecting need origin and proof",
        &[
            "who_is_not_signed_in_learns_of_no_app",
            "a_form_of_another_site_or_without_its_proof_changes_nothing",
        ],
    ),
    (
        "tokens are in no list of keys, and go with the account and the space",
        &[
            "only_an_access_token_is_one",
            "tokens_go_with_the_space_that_was_allowed_and_with_the_address",
        ],
    ),
];

fn sources(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            text.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_sentence_has_its_tests() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    for folder in ["src/oauth", "tests", "../../tests/http"] {
        sources(&here.join(folder), &mut text);
    }
    for (sentence, tests) in SENTENCES {
        assert!(!tests.is_empty(), "{sentence}");
        for test in tests {
            let written = format!("fn {test}(");
            assert!(text.contains(&written), "{sentence}: there is no {test}");
        }
    }
}
