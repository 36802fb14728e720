//! `plugin.toml`: what a plugin says it is and needs, with a reason for each need. It grants nothing by itself.

use serde::Deserialize;

use crate::grant::Grant;
use crate::id::PluginId;
use crate::limits::LimitsDeclaration;
use crate::route::{BadPattern, Method, RoutePattern};
use crate::toml_fault::{TomlFault, shown};
use crate::world::{DECLARED_WASI, World};

/// A manifest larger than this is no manifest.
pub const MAX_MANIFEST_BYTES: usize = 64 << 10;

/// A plugin's declaration, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Under which id it is installed.
    pub id: PluginId,
    /// Its own version, `major.minor.patch`.
    pub version: String,
    /// The tool group it belongs to; groups are switched together.
    pub group: String,
    /// For a person.
    pub title: String,
    /// One sentence.
    pub description: String,
    /// The most that its component can import.
    pub world: World,
    /// What the key must be allowed before the plugin exists for it.
    pub grant: Grant,
    /// Whether its tools take the argument `space`.
    pub space: bool,
    /// The capabilities it imports.
    pub imports: Vec<Import>,
    /// The hub routes it asks for.
    pub routes: Vec<Route>,
    /// Limits it wants lower than the host's.
    pub limits: LimitsDeclaration,
}

/// One declared capability.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Import {
    /// The interface's name without a version.
    pub interface: String,
    /// Why the plugin needs it.
    pub reason: String,
}

/// One declared route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// Which requests it covers.
    pub pattern: RoutePattern,
    /// Why the plugin needs it.
    pub reason: String,
}

/// Why a manifest was refused.
#[derive(Debug, thiserror::Error)]
pub enum BadManifest {
    /// Over [`MAX_MANIFEST_BYTES`].
    #[error("plugin.toml is larger than 64 KiB")]
    TooLarge,
    /// Not TOML, a missing key, or a key that is not known.
    #[error("plugin.toml cannot be read: {0}")]
    Syntax(TomlFault),
    /// A route that cannot be declared.
    #[error(transparent)]
    Route(#[from] BadPattern),
    /// An import that the world does not have.
    #[error(
        "plugin.toml declares {}, which the world {world} does not have",
        shown(interface)
    )]
    OutsideWorld {
        /// What was declared.
        interface: String,
        /// The plugin's world.
        world: World,
    },
    /// A route with a method that needs a capability that is not declared.
    #[error(
        "plugin.toml declares the route {route}, but not the import {interface} that it goes through"
    )]
    RouteWithoutImport {
        /// The route.
        route: String,
        /// The missing interface.
        interface: &'static str,
    },
    /// A need without a reason.
    #[error("plugin.toml gives no reason for {}: a reviewer has to know why", shown(.0))]
    NoReason(String),
    /// A version that is not three numbers.
    #[error("plugin.toml has the version “{}”: write major.minor.patch", shown(.0))]
    Version(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    id: PluginId,
    version: String,
    group: String,
    title: String,
    description: String,
    world: World,
    grant: Grant,
    space: bool,
    #[serde(default)]
    imports: Vec<Import>,
    #[serde(default)]
    routes: Vec<RawRoute>,
    #[serde(default)]
    limits: LimitsDeclaration,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRoute {
    method: Method,
    path: String,
    reason: String,
}

impl Manifest {
    /// Reads and checks a `plugin.toml`.
    pub fn parse(text: &str) -> Result<Self, BadManifest> {
        if text.len() > MAX_MANIFEST_BYTES {
            return Err(BadManifest::TooLarge);
        }
        let raw: Raw =
            toml::from_str(text).map_err(|e| BadManifest::Syntax(TomlFault::of(text, &e)))?;
        let Raw {
            id,
            version,
            group,
            title,
            description,
            world,
            grant,
            space,
            imports,
            routes,
            limits,
        } = raw;
        if version.split('.').count() != 3
            || version.split('.').any(|part| part.parse::<u32>().is_err())
        {
            return Err(BadManifest::Version(version));
        }
        check_imports(world, &imports)?;
        let routes = routes
            .into_iter()
            .map(|route| check_route(route, &imports))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            id,
            version,
            group,
            title,
            description,
            world,
            grant,
            space,
            imports,
            routes,
            limits,
        })
    }

    /// Whether the capability is declared.
    pub fn declares(&self, interface: &str) -> bool {
        self.imports
            .iter()
            .any(|import| import.interface == interface)
    }
}

fn check_imports(world: World, imports: &[Import]) -> Result<(), BadManifest> {
    for import in imports {
        let name = import.interface.as_str();
        if !world.interfaces().contains(&name) && !DECLARED_WASI.contains(&name) {
            return Err(BadManifest::OutsideWorld {
                interface: import.interface.clone(),
                world,
            });
        }
        if import.reason.trim().is_empty() {
            return Err(BadManifest::NoReason(import.interface.clone()));
        }
    }
    Ok(())
}

fn check_route(raw: RawRoute, imports: &[Import]) -> Result<Route, BadManifest> {
    let pattern = RoutePattern::new(raw.method, &raw.path)?;
    if raw.reason.trim().is_empty() {
        return Err(BadManifest::NoReason(pattern.to_string()));
    }
    let interface = pattern.interface();
    if imports.iter().any(|import| import.interface == interface) {
        Ok(Route {
            pattern,
            reason: raw.reason,
        })
    } else {
        Err(BadManifest::RouteWithoutImport {
            route: pattern.to_string(),
            interface,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(body: &str) -> Result<Manifest, BadManifest> {
        Manifest::parse(&format!(
            "id = \"x\"\nversion = \"0.1.0\"\ngroup = \"x\"\ntitle = \"X\"\ndescription = \"d\"\nworld = \"reader\"\ngrant = \"read\"\nspace = true\n{body}"
        ))
    }

    const READ: &str = "[[imports]]\ninterface = \"ensemble:hub/read\"\nreason = \"reads\"\n";

    #[test]
    fn a_manifest_is_read_whole() {
        let manifest = with(&format!(
            "{READ}[[routes]]\nmethod = \"GET\"\npath = \"/api/bridge/tasks/{{id}}\"\nreason = \"one task\"\n[limits]\ndeadline-ms = 5\n"
        ))
        .unwrap();
        assert!(manifest.declares("ensemble:hub/read"));
        assert_eq!(
            manifest.routes[0].pattern.to_string(),
            "GET /api/bridge/tasks/{id}"
        );
        assert_eq!(manifest.limits.deadline_ms, Some(5));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        let cases = [
            ("color = \"red\"", "unknown field"),
            (
                "[[imports]]\ninterface = \"ensemble:hub/change\"\nreason = \"r\"",
                "world reader does not have",
            ),
            (
                "[[imports]]\ninterface = \"wasi:sockets/tcp\"\nreason = \"r\"",
                "world reader does not have",
            ),
            (
                "[[imports]]\ninterface = \"ensemble:hub/read\"\nreason = \" \"",
                "no reason",
            ),
            (
                "[[routes]]\nmethod = \"GET\"\npath = \"/api/x\"\nreason = \"r\"",
                "not the import ensemble:hub/read",
            ),
            (
                "[[routes]]\nmethod = \"POST\"\npath = \"/api/bridge/act/{name}\"\nreason = \"r\"",
                "not the import ensemble:hub/act",
            ),
            (
                "[[routes]]\nmethod = \"POST\"\npath = \"/api/bridge/write/files\"\nreason = \"r\"",
                "not the import ensemble:hub/uploads",
            ),
            (
                "[[routes]]\nmethod = \"DELETE\"\npath = \"/api/x\"\nreason = \"r\"",
                "unknown variant",
            ),
            (
                "[[routes]]\nmethod = \"GET\"\npath = \"/api/../x\"\nreason = \"r\"",
                "not declarable",
            ),
        ];
        for (body, sentence) in cases {
            let error = with(body).unwrap_err();
            let chain = format!("{error} {:?}", std::error::Error::source(&error));
            assert!(chain.contains(sentence), "{body}: {chain}");
        }
        assert!(with("").unwrap().routes.is_empty());
        assert!(matches!(
            Manifest::parse(&"#".repeat(70_000)),
            Err(BadManifest::TooLarge)
        ));
    }
}
