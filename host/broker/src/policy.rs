//! effective = declared ∩ granted ∩ what the key may do; anything else is denied, and the denial names what was missing.
//!
//! | declared | granted | key | verdict |
//! |---|---|---|---|
//! | no | – | – | denied: a declaration |
//! | yes | no | – | denied: the person's grant |
//! | yes | yes | no | denied: a grant of the key |
//! | yes | yes | yes | permitted |

use std::collections::BTreeSet;

use ensemble_model::limits::LimitsDeclaration;
use ensemble_model::route::{ACTIONS, UPLOADS};
use ensemble_model::{ActionName, Grant, HubPath, KeyGrants, Limits, Manifest, Method};

use crate::fault::Denial;

const ACT: &str = "ensemble:hub/act";
pub(crate) const UPLOAD: &str = "ensemble:hub/uploads";

/// Proof of one decision. It can be constructed in this crate only.
#[derive(Debug)]
pub struct Permit {
    what: String,
}

impl Permit {
    pub(crate) fn new(what: String) -> Self {
        Self { what }
    }

    /// What was permitted, as it was declared: `GET /api/bridge/tasks/{id}`, or the name of a capability.
    pub fn what(&self) -> &str {
        &self.what
    }
}

/// What a person allowed a plugin: names of capabilities, and routes as they are declared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Granted {
    /// Interface names without versions.
    pub interfaces: BTreeSet<String>,
    /// `METHOD /path/{id}`, as [`ensemble_model::RoutePattern`] prints.
    pub routes: BTreeSet<String>,
    /// Limits other than those of the plugin, higher or lower.
    pub limits: LimitsDeclaration,
}

impl Granted {
    /// All that the manifest declares: for the plugins that the host is built with.
    pub fn everything(manifest: &Manifest) -> Self {
        Self {
            interfaces: manifest
                .imports
                .iter()
                .map(|i| i.interface.clone())
                .collect(),
            routes: manifest
                .routes
                .iter()
                .map(|r| r.pattern.to_string())
                .collect(),
            limits: LimitsDeclaration::default(),
        }
    }

    /// What one call of the plugin may use: the limits of its world, lowered by its manifest, and then as the person set them.
    #[must_use]
    pub fn limits(&self, manifest: &Manifest) -> Limits {
        Limits::of_world(manifest.world)
            .lowered_by(&manifest.limits)
            .set_by(&self.limits)
    }
}

/// The effective policy of one plugin for one key.
#[derive(Debug, Clone)]
pub struct Policy {
    plugin: String,
    manifest: Manifest,
    granted: Granted,
    key: KeyGrants,
}

impl Policy {
    /// Puts the three together.
    pub fn effective(manifest: &Manifest, granted: &Granted, key: KeyGrants) -> Self {
        Self {
            plugin: manifest.id.to_string(),
            manifest: manifest.clone(),
            granted: granted.clone(),
            key,
        }
    }

    /// May the plugin use this capability?
    pub fn capability(&self, interface: &str, wanted: &str) -> Result<Permit, Denial> {
        self.declared_and_granted(interface, wanted)?;
        Ok(Permit::new(interface.to_owned()))
    }

    /// May the plugin send this request?
    pub fn request(&self, method: Method, path: &HubPath) -> Result<Permit, Denial> {
        let interface = match method {
            Method::Get => "ensemble:hub/read",
            Method::Post | Method::Patch => "ensemble:hub/change",
        };
        self.through(interface, method, path)
    }

    fn through(&self, interface: &str, method: Method, path: &HubPath) -> Result<Permit, Denial> {
        let wanted = format!("{method} {path}");
        self.declared_and_granted(interface, &wanted)?;
        let Some(route) = self
            .manifest
            .routes
            .iter()
            .find(|r| r.pattern.covers(method, path))
        else {
            return Err(Denial {
                missing: format!("a [[routes]] entry in the plugin.toml of {}", self.plugin),
                wanted,
            });
        };
        if !self.granted.routes.contains(&route.pattern.to_string()) {
            return Err(Denial {
                missing: format!(
                    "your grant of “{}” to the plugin {}",
                    route.pattern, self.plugin
                ),
                wanted,
            });
        }
        let needs = match (method, interface) {
            // an action may read or change: which of them a key may run is the hub's to say
            (Method::Get, _) | (Method::Post, ACT) => self.manifest.grant,
            (Method::Post | Method::Patch, _) => self.manifest.grant.max(Grant::Changes),
        };
        self.key_allows(needs, &wanted)?;
        // the log names what was declared: an id in the path is an argument of the call
        Ok(Permit::new(route.pattern.to_string()))
    }

    /// May the plugin have the bytes of a file? The route is declared and granted like any other, and its bytes go through
    /// `ensemble:hub/files`.
    pub fn file(&self, path: &HubPath) -> Result<Permit, Denial> {
        self.through("ensemble:hub/files", Method::Get, path)
    }

    /// May the plugin run this action? The log gets its name, which is what a reviewer asks for, where it is one that a hub
    /// could have given.
    pub fn act(&self, action: &ActionName) -> Result<(Permit, HubPath), Denial> {
        let (permit, path) = self.post(ACT, &format!("{ACTIONS}{action}"))?;
        let permit = if action.is_usual() {
            Permit::new(format!("{} {path}", Method::Post))
        } else {
            permit
        };
        Ok((permit, path))
    }

    /// May the plugin add a file?
    pub fn upload(&self) -> Result<(Permit, HubPath), Denial> {
        self.post(UPLOAD, UPLOADS)
    }

    fn post(&self, interface: &str, path: &str) -> Result<(Permit, HubPath), Denial> {
        let path = HubPath::parse(path).map_err(|reason| Denial {
            wanted: format!("{} (not a hub path)", Method::Post),
            missing: format!("a plain path ({reason})"),
        })?;
        let permit = self.through(interface, Method::Post, &path)?;
        Ok((permit, path))
    }

    /// May the plugin be called with this key at all?
    pub fn call(&self, tool: &str) -> Result<Permit, Denial> {
        let wanted = format!("The tool {tool}");
        self.key_allows(self.manifest.grant, &wanted)?;
        Ok(Permit::new(wanted))
    }

    fn declared_and_granted(&self, interface: &str, wanted: &str) -> Result<(), Denial> {
        if !self.manifest.declares(interface) {
            return Err(Denial {
                wanted: wanted.to_owned(),
                missing: format!(
                    "an [[imports]] entry for {interface} in the plugin.toml of {}",
                    self.plugin
                ),
            });
        }
        if !self.granted.interfaces.contains(interface) {
            return Err(Denial {
                wanted: wanted.to_owned(),
                missing: format!("your grant of {interface} to the plugin {}", self.plugin),
            });
        }
        Ok(())
    }

    fn key_allows(&self, grant: Grant, wanted: &str) -> Result<(), Denial> {
        if self.key.allows(grant) {
            return Ok(());
        }
        Err(Denial {
            wanted: wanted.to_owned(),
            missing: format!(
                "a key with {0} allowed (make one with `ensemble hub key create --{0}`)",
                grant.word()
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGER: &str = r#"
        id = "probe"
        version = "0.1.0"
        group = "probe"
        title = "Probe"
        description = "d"
        world = "changer"
        grant = "changes"
        space = true
        [[imports]]
        interface = "ensemble:hub/read"
        reason = "r"
        [[imports]]
        interface = "ensemble:hub/change"
        reason = "r"
        [[routes]]
        method = "GET"
        path = "/api/bridge/tasks"
        reason = "r"
        [[routes]]
        method = "POST"
        path = "/api/bridge/write/tasks"
        reason = "r"
    "#;

    const CHANGES: KeyGrants = KeyGrants {
        changes: true,
        apps: false,
    };

    fn verdict(policy: &Policy, method: Method, path: &str) -> String {
        match policy.request(method, &HubPath::parse(path).unwrap()) {
            Ok(permit) => format!("permit {}", permit.what()),
            Err(denial) => denial.missing,
        }
    }

    #[test]
    fn works_when_declared_granted_and_the_key_allows() {
        let manifest = Manifest::parse(CHANGER).unwrap();
        let policy = Policy::effective(&manifest, &Granted::everything(&manifest), CHANGES);
        assert_eq!(
            verdict(&policy, Method::Post, "/api/bridge/write/tasks"),
            "permit POST /api/bridge/write/tasks"
        );
    }

    #[test]
    fn fails_when_undeclared() {
        let manifest = Manifest::parse(CHANGER).unwrap();
        let policy = Policy::effective(&manifest, &Granted::everything(&manifest), CHANGES);
        for (method, path) in [
            (Method::Get, "/api/bridge/brief"),
            (Method::Get, "/api/bridge/tasks/1"),
            (Method::Get, "/api/bridge/Tasks"),
            (Method::Patch, "/api/bridge/write/tasks"),
            (Method::Post, "/api/bridge/tasks"),
        ] {
            assert!(
                verdict(&policy, method, path).contains("[[routes]]"),
                "{method} {path}"
            );
        }
        let denial = policy
            .capability("ensemble:workspace/repository", "the repository")
            .unwrap_err();
        assert!(denial.missing.contains("[[imports]]"), "{denial}");
    }

    #[test]
    fn fails_when_not_granted() {
        let manifest = Manifest::parse(CHANGER).unwrap();
        let mut granted = Granted::everything(&manifest);
        granted.routes.remove("POST /api/bridge/write/tasks");
        let policy = Policy::effective(&manifest, &granted, CHANGES);
        assert!(
            verdict(&policy, Method::Post, "/api/bridge/write/tasks").contains("your grant of")
        );
        granted.interfaces.remove("ensemble:hub/read");
        let policy = Policy::effective(&manifest, &granted, CHANGES);
        assert!(
            verdict(&policy, Method::Get, "/api/bridge/tasks")
                .contains("your grant of ensemble:hub/read")
        );
    }

    #[test]
    fn fails_when_the_key_lacks_the_grant() {
        let manifest = Manifest::parse(CHANGER).unwrap();
        let policy = Policy::effective(
            &manifest,
            &Granted::everything(&manifest),
            KeyGrants::default(),
        );
        assert!(
            verdict(&policy, Method::Post, "/api/bridge/write/tasks")
                .contains("`ensemble hub key create --changes`")
        );
        assert!(policy.call("ensemble_create_task").is_err());
    }
}
