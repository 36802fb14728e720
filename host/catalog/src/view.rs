//! The catalog is every known tool; a view is what one caller sees of it.

use std::sync::Arc;

use ensemble_model::surface::Tool;
use ensemble_model::{Grant, KeyGrants, Manifest, Origin, PluginId, Surface};

use crate::listed::{Listed, ListedPrompt, ListedResource, ListedTemplate};
use crate::lookalike::look_alike;
use crate::rules::{self, RuleBroken, Schemas};
use crate::{installed, uri};

/// One plugin with its approved surface.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its declaration.
    pub manifest: Manifest,
    /// What it offers, as approved.
    pub surface: Surface,
    /// Where it comes from: what is installed keeps more rules and is shown under a mark.
    pub origin: Origin,
}

/// All known tools.
#[derive(Debug, Clone)]
pub struct Catalog {
    entries: Arc<[Checked]>,
}

#[derive(Debug, Clone)]
struct Checked {
    manifest: Manifest,
    tools: Vec<Listed>,
    resources: Vec<ListedResource>,
    templates: Vec<ListedTemplate>,
    prompts: Vec<ListedPrompt>,
    completes: bool,
}

/// Why a set of plugins cannot be offered together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CatalogError {
    /// A tool that some client would break on, or a write in a plugin that reads.
    #[error(transparent)]
    Rule(#[from] RuleBroken),
    /// One name, two tools.
    #[error(
        "the plugin {second} offers “{name}”, which could be taken for “{other}” of the plugin {first}: one of them cannot be here"
    )]
    Twice {
        /// The tool or the resource's address that came second.
        name: String,
        /// The one that it could be taken for.
        other: String,
        /// Who had it first.
        first: PluginId,
        /// Who came second.
        second: PluginId,
    },
    /// An id that could be taken for another's.
    #[error(
        "the id {id} could be taken for that of the plugin {other}: give the plugin another id"
    )]
    Id {
        /// The id that came second.
        id: PluginId,
        /// The one that was there.
        other: PluginId,
    },
}

/// Checks one plugin against the rules and against those before it.
fn add(checked: &mut Vec<Checked>, entry: Entry, schemas: Schemas) -> Result<(), CatalogError> {
    let Entry {
        manifest,
        surface,
        origin,
    } = entry;
    let id = &manifest.id;
    let mut own: Vec<(Sort, &String)> = Vec::new();
    for (sort, name) in names_of(&surface) {
        let before = checked.iter().flat_map(Checked::names);
        let before = before.chain(own.iter().map(|(sort, name)| (*sort, *name, id)));
        let mut before = before.filter(|(of, other, _)| {
            if *of != sort {
                return false;
            }
            // a name in other letters is read as the same by a person, and by some clients
            other.eq_ignore_ascii_case(name)
                || (origin == Origin::Installed && look_alike(other, name))
        });
        if let Some((_, other, first)) = before.next() {
            return Err(CatalogError::Twice {
                name: name.clone(),
                other: other.clone(),
                first: first.clone(),
                second: id.clone(),
            });
        }
        own.push((sort, name));
    }
    for tool in &surface.tools {
        rules::check(id, manifest.grant, schemas, tool)?;
    }
    for prompt in &surface.prompts {
        rules::check_prompt(id, prompt)?;
    }
    if origin == Origin::Installed {
        check_id(id, checked)?;
        installed::check(&manifest, &surface)?;
    }
    checked.push(Checked::new(manifest, origin, surface));
    Ok(())
}

/// What a name is unique among: a client asks for a prompt and a tool of one name in two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    ToolOrAddress,
    Prompt,
}

/// Tools and addresses, then prompts.
fn names_of(surface: &Surface) -> impl Iterator<Item = (Sort, &String)> {
    let uris = surface.resources.iter().map(|r| &r.uri);
    let templates = surface.resource_templates.iter().map(|t| &t.uri_template);
    let tools = surface.tools.iter().map(|t| &t.name);
    let called = tools.chain(uris).chain(templates);
    let prompts = surface.prompts.iter().map(|p| (Sort::Prompt, &p.name));
    called
        .map(|name| (Sort::ToolOrAddress, name))
        .chain(prompts)
}

/// An installed plugin has no id that could be taken for another's.
fn check_id(id: &PluginId, others: &[Checked]) -> Result<(), CatalogError> {
    let other = others
        .iter()
        .map(|other| &other.manifest.id)
        .find(|other| look_alike(other.as_str(), id.as_str()));
    match other {
        None => Ok(()),
        Some(other) => Err(CatalogError::Id {
            id: id.clone(),
            other: other.clone(),
        }),
    }
}

impl Catalog {
    /// Checks every tool against the rules and every name for being unique.
    pub fn new(entries: Vec<Entry>) -> Result<Self, CatalogError> {
        Self::with(entries, Schemas::Portable)
    }

    /// The same without the rules for schemas: for tests whose clients read every keyword.
    pub fn of_any_schema(entries: Vec<Entry>) -> Result<Self, CatalogError> {
        Self::with(entries, Schemas::Any)
    }

    fn with(entries: Vec<Entry>, schemas: Schemas) -> Result<Self, CatalogError> {
        let mut checked = Vec::with_capacity(entries.len());
        for entry in entries {
            add(&mut checked, entry, schemas)?;
        }
        Ok(Self {
            entries: checked.into(),
        })
    }

    /// The same with one more, if it keeps the rules beside those that are here.
    pub fn and(&self, entry: Entry) -> Result<Self, CatalogError> {
        let mut checked = self.entries.to_vec();
        add(&mut checked, entry, Schemas::Portable)?;
        Ok(Self {
            entries: checked.into(),
        })
    }

    /// The same without the plugins that are not wanted.
    #[must_use]
    pub fn only(&self, wanted: impl Fn(&PluginId) -> bool) -> Self {
        let kept = self.entries.iter().filter(|e| wanted(&e.manifest.id));
        Self {
            entries: kept.cloned().collect(),
        }
    }

    /// The same with other tools in the place of those of one plugin, if it has all of them; and each tool says what its token needs.
    pub(crate) fn replaced(
        &self,
        names: &[&str],
        made: impl FnOnce(&PluginId) -> Vec<Listed>,
    ) -> Result<Self, CatalogError> {
        let mut entries = self.entries.to_vec();
        let has = |entry: &Checked| {
            let own = |name: &&str| entry.tools.iter().any(|listed| listed.tool.name == **name);
            names.iter().all(own)
        };
        if let Some(place) = entries.iter().position(has) {
            let taken: Vec<String> = entries
                .iter()
                .flat_map(Checked::names)
                .map(|(_, name, _)| name.clone())
                .collect();
            if let Some(entry) = entries.get_mut(place) {
                let id = entry.manifest.id.clone();
                entry
                    .tools
                    .retain(|listed| !names.contains(&listed.tool.name.as_str()));
                let mut made = made(&id);
                for listed in &made {
                    rules::check_named(&id, &listed.tool)?;
                    if let Some(other) = taken.iter().find(|name| **name == listed.tool.name) {
                        return Err(CatalogError::Twice {
                            name: listed.tool.name.clone(),
                            other: other.clone(),
                            first: id.clone(),
                            second: id,
                        });
                    }
                }
                entry.tools.append(&mut made);
            }
        }
        for listed in entries.iter_mut().flat_map(|entry| &mut entry.tools) {
            listed.scoped = true;
        }
        Ok(Self {
            entries: entries.into(),
        })
    }

    /// What a caller with these grants sees.
    pub fn view(&self, grants: KeyGrants) -> View {
        let mut view = View::default();
        for entry in self
            .entries
            .iter()
            .filter(|entry| grants.allows(entry.manifest.grant))
        {
            view.plugins.push(entry.manifest.id.clone());
            let tools = entry
                .tools
                .iter()
                .filter(|listed| grants.cover(listed.needs));
            view.tools.extend(tools.cloned());
            view.resources.extend(entry.resources.iter().cloned());
            view.templates.extend(entry.templates.iter().cloned());
            view.prompts.extend(entry.prompts.iter().cloned());
            if entry.completes {
                view.completing.push(entry.manifest.id.clone());
            }
        }
        view
    }
}

impl Checked {
    /// Every name of it, with whose it is.
    fn names(&self) -> impl Iterator<Item = (Sort, &String, &PluginId)> {
        let tools = self.tools.iter().map(|l| (&l.tool.name, &l.plugin));
        let uris = self.resources.iter().map(|l| (&l.resource.uri, &l.plugin));
        let families = self.templates.iter();
        let families = families.map(|l| (&l.template.uri_template, &l.plugin));
        let called = tools.chain(uris).chain(families);
        let prompts = self.prompts.iter();
        let prompts = prompts.map(|l| (Sort::Prompt, &l.prompt.name, &l.plugin));
        called
            .map(|(name, plugin)| (Sort::ToolOrAddress, name, plugin))
            .chain(prompts)
    }

    fn new(manifest: Manifest, origin: Origin, surface: Surface) -> Self {
        let needs = KeyGrants {
            changes: manifest.grant == Grant::Changes,
            apps: manifest.grant == Grant::Apps,
        };
        let listed = |tool: Tool| Listed {
            needs,
            ..Listed::of(manifest.id.clone(), tool, manifest.space)
        };
        let Surface {
            tools,
            resources,
            resource_templates,
            prompts,
            completes,
        } = installed::marked(&manifest, origin, surface);
        Self {
            tools: tools.into_iter().map(listed).collect(),
            resources: resources
                .into_iter()
                .map(|resource| ListedResource {
                    plugin: manifest.id.clone(),
                    resource,
                })
                .collect(),
            templates: resource_templates
                .into_iter()
                .map(|template| ListedTemplate {
                    plugin: manifest.id.clone(),
                    template,
                })
                .collect(),
            prompts: prompts
                .into_iter()
                .map(|prompt| ListedPrompt {
                    plugin: manifest.id.clone(),
                    prompt,
                })
                .collect(),
            completes,
            manifest,
        }
    }
}

/// What one caller sees.
#[derive(Debug, Clone, Default)]
pub struct View {
    plugins: Vec<PluginId>,
    tools: Vec<Listed>,
    resources: Vec<ListedResource>,
    templates: Vec<ListedTemplate>,
    prompts: Vec<ListedPrompt>,
    completing: Vec<PluginId>,
}

impl View {
    /// The plugins that exist for this caller.
    pub fn plugins(&self) -> &[PluginId] {
        &self.plugins
    }

    /// The tools, in a fixed order.
    pub fn tools(&self) -> &[Listed] {
        &self.tools
    }

    /// The tool of that exact name.
    pub fn tool(&self, name: &str) -> Option<&Listed> {
        self.tools.iter().find(|listed| listed.tool.name == name)
    }

    /// The resources with a fixed address, in a fixed order.
    pub fn resources(&self) -> &[ListedResource] {
        &self.resources
    }

    /// The families of resources, in a fixed order.
    pub fn templates(&self) -> &[ListedTemplate] {
        &self.templates
    }

    /// The prompts, in a fixed order.
    pub fn prompts(&self) -> &[ListedPrompt] {
        &self.prompts
    }

    /// The prompt of that exact name.
    pub fn prompt(&self, name: &str) -> Option<&ListedPrompt> {
        self.prompts.iter().find(|l| l.prompt.name == name)
    }

    /// The family of resources with that exact template.
    pub fn template(&self, uri_template: &str) -> Option<&ListedTemplate> {
        let same = |l: &&ListedTemplate| l.template.uri_template == uri_template;
        self.templates.iter().find(same)
    }

    /// The plugins that help to fill in arguments.
    pub fn completing(&self) -> &[PluginId] {
        &self.completing
    }

    /// Whose resource that address is, and as what it was declared: the address itself, or the template that it fits.
    pub fn resource(&self, address: &str) -> Option<(&PluginId, &str)> {
        let fixed = self.resources.iter().find(|r| r.resource.uri == address);
        let fixed = fixed.map(|r| (&r.plugin, r.resource.uri.as_str()));
        fixed.or_else(|| {
            let fits = |t: &&ListedTemplate| uri::matches(&t.template.uri_template, address);
            let template = self.templates.iter().find(fits)?;
            Some((&template.plugin, template.template.uri_template.as_str()))
        })
    }
}

#[cfg(test)]
mod tests;
