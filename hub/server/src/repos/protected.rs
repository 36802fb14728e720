//! What is never shown of a repository, whatever `.gitignore` says, and never taken from an editor or agent as a file: keys, passwords, and
//! the files of git itself. Pure.
//!
//! To protect another name: its row in one of the lists.

use ensemble_hub_api::sentences::quoted;

use crate::text::visible::is_invisible;

/// Whole names, of folders and of files.
const NAMES: [&str; 36] = [
    ".git",
    "git~1",
    ".hg",
    ".svn",
    ".jj",
    ".bzr",
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".gcloud",
    ".kube",
    ".docker",
    ".terraform",
    ".password-store",
    ".netrc",
    "_netrc",
    ".pgpass",
    ".my.cnf",
    ".npmrc",
    ".yarnrc.yml",
    ".pypirc",
    ".htpasswd",
    ".dockercfg",
    ".dockerconfigjson",
    ".git-credentials",
    ".credentials",
    ".vault-token",
    ".boto",
    ".s3cfg",
    "kubeconfig",
    "auth.json",
    ".envrc",
    "htpasswd",
    "shadow",
    "wp-config.php",
];

/// How a name begins.
const BEGINNINGS: [&str; 6] = [
    ".env",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "service-account",
];

/// How a name ends.
const ENDINGS: [&str; 22] = [
    ".pem",
    ".key",
    ".p8",
    ".p12",
    ".pfx",
    ".jks",
    ".keystore",
    ".ppk",
    ".kdbx",
    ".kdb",
    ".gpg",
    ".pgp",
    ".age",
    ".agekey",
    ".der",
    ".ovpn",
    ".tfvars",
    ".tfvars.json",
    ".tfstate",
    ".tfstate.backup",
    ".env",
    ".mobileprovision",
];

/// Names that hold secrets if they are data, and not if they are code.
const SECRET_DATA: [&str; 6] = [
    "credentials",
    "credential",
    "secrets",
    "secret",
    "passwords",
    "client_secret",
];
const DATA: [&str; 12] = [
    "json",
    "yml",
    "yaml",
    "toml",
    "ini",
    "xml",
    "txt",
    "csv",
    "properties",
    "cfg",
    "conf",
    "enc",
];

/// Whether a folder or file of this name is never shown, nor anything in it.
pub fn by_name(name: &str) -> bool {
    let name: String = name.chars().filter(|c| !is_invisible(*c)).collect();
    let name = name.trim().trim_end_matches(['.', ' ']).to_lowercase();
    let (stem, ending) = name.split_once('.').unwrap_or((&name, ""));
    NAMES.contains(&name.as_str())
        || BEGINNINGS.iter().any(|begins| name.starts_with(begins))
        || ENDINGS.iter().any(|ends| name.ends_with(ends))
        || (SECRET_DATA.contains(&stem)
            && (ending.is_empty()
                || ending
                    .rsplit('.')
                    .next()
                    .is_some_and(|end| DATA.contains(&end))))
}

/// Whether `text` holds a private key.
pub fn by_content(text: &str) -> bool {
    let key_of = |line: &str| {
        line.split_once("-----BEGIN ").is_some_and(|(_, rest)| {
            rest.split_once("-----")
                .is_some_and(|(what, _)| what.contains("PRIVATE KEY"))
        })
    };
    text.lines().any(key_of)
        || text.contains("PuTTY-User-Key-File-")
        || text.contains("AGE-SECRET-KEY-1")
}

/// Why a file is not taken from an editor or agent, by path or by its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secret {
    /// It has the name of a secret ([`by_name`]).
    Name,
    /// A private key is in it ([`by_content`]).
    Content,
}

impl Secret {
    /// What is said of the file that is called so.
    pub fn sentence(self, name: &str) -> String {
        let why = match self {
            Self::Name => "by its name",
            Self::Content => "because a private key is in it",
        };
        format!(
            "{} is taken for a secret {why}, and keys, passwords and credentials are never added. If it is none, the person adds it with `ensemble hub file add`.",
            quoted(name)
        )
    }
}

/// Looks for a private key in bytes that come in pieces.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// The end of what was seen: a mark may begin in it.
    seen: Vec<u8>,
    found: bool,
}

impl Watch {
    /// Longer than any mark.
    const KEPT: usize = 256;

    /// The next piece.
    pub(crate) fn see(&mut self, piece: &[u8]) {
        self.seen.extend_from_slice(piece);
        self.found |= by_content(&String::from_utf8_lossy(&self.seen));
        let past = self.seen.len().saturating_sub(Self::KEPT);
        self.seen.drain(..past);
    }

    /// Whether a private key was in any of it.
    pub(crate) const fn found(&self) -> bool {
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_private_key_is_found_wherever_the_pieces_end() {
        let text = format!(
            "{}\n-----BEGIN RSA {}-----\nAA",
            "x".repeat(300),
            "PRIVATE KEY"
        );
        for length in [1, 7, 100, 1_000] {
            let mut watch = Watch::default();
            text.as_bytes()
                .chunks(length)
                .for_each(|piece| watch.see(piece));
            assert!(watch.found(), "{length}");
        }
        let mut watch = Watch::default();
        watch.see(b"-----BEGIN ");
        watch.see(b"CERTIFICATE-----");
        assert!(!watch.found());
    }

    #[test]
    fn secrets_are_known_by_their_names() {
        for name in [
            ".git",
            ".GIT",
            ".git.",
            ".g\u{200c}it",
            ".env",
            ".env.production",
            ".ENV",
            "prod.env",
            "server.pem",
            "id_rsa",
            "id_ed25519.old",
            "credentials",
            "Credentials.json",
            "secrets.prod.yml",
            ".netrc",
            "a.tfstate",
            "app.p12",
            "service-account-prod.json",
            "tls.key",
        ] {
            assert!(by_name(name), "{name}");
        }
        for name in [
            "README.md",
            ".gitignore",
            ".github",
            "credentials.rs",
            "secrets",
            "environment.rs",
            "keys.rs",
            "monkey",
            "identity.py",
            "secret_store.go",
            "pem.rs",
            ".editorconfig",
        ] {
            assert_eq!(by_name(name), name == "secrets", "{name}");
        }
    }

    #[test]
    fn private_keys_are_known_by_what_is_in_them() {
        let begin = "-----BEGIN";
        for kind in [
            "PRIVATE KEY",
            "RSA PRIVATE KEY",
            "OPENSSH PRIVATE KEY",
            "PGP PRIVATE KEY BLOCK",
        ] {
            assert!(
                by_content(&format!("# mine\n  {begin} {kind}-----\nAAAA")),
                "{kind}"
            );
        }
        for text in [
            "-----BEGIN CERTIFICATE-----",
            "the PRIVATE KEY is elsewhere",
            "-----BEGIN PUBLIC KEY-----",
        ] {
            assert!(!by_content(text), "{text}");
        }
    }
}
