//! What the tables say is linked is what a linker has: asked of the linker itself, function by function.

use ensemble_model::world::{CLOSED_WASI, DECLARED_WASI, FREE_INTERFACES, NEVER_LINKED, World};
use wasmtime::component::ResourceType;

use super::*;

/// One name inside each interface that holds any; a linker that has the interface has it.
const INSIDE: &[(&str, &str)] = &[
    ("wasi:io/poll", "poll"),
    ("wasi:io/error", "error"),
    ("wasi:io/streams", "input-stream"),
    ("wasi:cli/environment", "get-environment"),
    ("wasi:cli/exit", "exit"),
    ("wasi:cli/stdin", "get-stdin"),
    ("wasi:cli/stdout", "get-stdout"),
    ("wasi:cli/stderr", "get-stderr"),
    ("wasi:cli/terminal-input", "terminal-input"),
    ("wasi:cli/terminal-output", "terminal-output"),
    ("wasi:cli/terminal-stdin", "get-terminal-stdin"),
    ("wasi:cli/terminal-stdout", "get-terminal-stdout"),
    ("wasi:cli/terminal-stderr", "get-terminal-stderr"),
    ("wasi:clocks/monotonic-clock", "now"),
    ("wasi:clocks/wall-clock", "now"),
    ("wasi:random/random", "get-random-bytes"),
    ("wasi:random/insecure", "get-insecure-random-bytes"),
    ("wasi:random/insecure-seed", "insecure-seed"),
    ("wasi:filesystem/preopens", "get-directories"),
    ("wasi:filesystem/types", "descriptor"),
    ("wasi:sockets/instance-network", "instance-network"),
    ("wasi:sockets/network", "network"),
    ("wasi:sockets/tcp", "tcp-socket"),
    ("wasi:sockets/udp", "udp-socket"),
    ("wasi:sockets/ip-name-lookup", "resolve-addresses"),
    ("wasi:http/outgoing-handler", "handle"),
    ("wasi:http/types", "fields"),
    ("ensemble:run/run", "log"),
    ("ensemble:hub/read", "get"),
    ("ensemble:hub/change", "send"),
    ("ensemble:hub/act", "run"),
    ("ensemble:hub/apps", "list"),
    ("ensemble:hub/files", "open"),
    ("ensemble:hub/uploads", "save"),
    ("ensemble:workspace/repository", "locate"),
    ("ensemble:workspace/folder", "save"),
    ("ensemble:egress/egress", "fetch"),
    ("ensemble:keep/keep", "get"),
];

/// Interfaces that hold types alone, so that a linker has nothing of them to show.
const TYPES_ALONE: &[&str] = &[
    "ensemble:types/types",
    "ensemble:tools/content",
    "ensemble:tools/asking",
    "ensemble:tools/offer",
];

/// Something that the linker refuses to take a second time.
struct Second;

/// Whether the linker has that name already, in some version of the track.
fn has(linker: &mut Linker<CallState>, interface: &str, inside: &str) -> bool {
    let track = if interface.starts_with("wasi:") {
        "0.2"
    } else {
        "0.1"
    };
    (0..64).any(|patch| {
        let name = format!("{interface}@{track}.{patch}");
        let mut instance = linker.instance(&name).unwrap();
        instance
            .resource(inside, ResourceType::host::<Second>(), |_, _| Ok(()))
            .is_err()
    })
}

fn manifest(world: World, declared: &[&str]) -> Manifest {
    let imports: Vec<String> = declared
        .iter()
        .map(|name| format!("[[imports]]\ninterface = \"{name}\"\nreason = \"a test\"\n"))
        .collect();
    Manifest::parse(&format!(
        "id = \"x\"\nversion = \"0.1.0\"\ngroup = \"x\"\ntitle = \"X\"\ndescription = \"d\"\nworld = \"{world}\"\n\
         grant = \"read\"\nspace = true\n{}",
        imports.concat()
    ))
    .unwrap()
}

/// The interfaces that a linker for this plugin has, found by asking it.
fn found(manifest: &Manifest) -> Vec<&'static str> {
    let mut linker = linker(&Engine::default(), manifest).unwrap();
    let found = |(interface, inside): &(&'static str, &str)| {
        has(&mut linker, interface, inside).then_some(*interface)
    };
    let mut found: Vec<&str> = INSIDE.iter().filter_map(found).collect();
    found.extend(TYPES_ALONE);
    found.sort_unstable();
    found
}

fn sorted(mut names: Vec<&'static str>) -> Vec<&'static str> {
    names.sort_unstable();
    names
}

#[test]
fn what_an_audit_says_is_linked_is_what_the_linker_has() {
    for world in World::ALL {
        let declarable: Vec<&str> = world
            .interfaces()
            .iter()
            .chain(DECLARED_WASI)
            .copied()
            .collect();
        for declared in [&[][..], &declarable[..1], &declarable] {
            let manifest = manifest(world, declared);
            assert_eq!(sorted(linked(&manifest)), found(&manifest), "{world}");
        }
    }
}

#[test]
fn the_hosts_files_and_network_are_in_no_linker() {
    let never = |name: &&str| NEVER_LINKED.iter().any(|package| name.starts_with(package));
    let looked_for: Vec<&str> = INSIDE.iter().map(|row| row.0).filter(never).collect();
    assert!(looked_for.len() >= 6, "{looked_for:?}");
    for link in always().chain(on_declaration()) {
        assert!(!link.names.iter().any(never), "{:?}", link.names);
    }
}

#[test]
fn the_tables_are_those_of_the_model() {
    let names = |links: &mut dyn Iterator<Item = &'static Link>| -> Vec<&'static str> {
        sorted(links.flat_map(|link| link.names).copied().collect())
    };
    let free = [CLOSED_WASI, FREE_INTERFACES].concat();
    assert_eq!(names(&mut always()), sorted(free));
    let of_wasi = names(&mut wasi::DECLARED.iter());
    assert_eq!(of_wasi, sorted(DECLARED_WASI.to_vec()));
    let of_some_world = |name: &str| World::ALL.iter().any(|w| w.interfaces().contains(&name));
    for link in DECLARED {
        assert!(link.names.iter().all(|name| of_some_world(name)));
    }
}
