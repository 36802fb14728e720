//! The policy: a permit means that the plugin declared it, the person granted it and the key may do it, each looked at here by itself. The
//! bytes choose what is declared, granted and asked.

use ensemble_broker::{Granted, Policy};
use ensemble_model::{Grant, HubPath, KeyGrants, Manifest, Method};

const WORLDS: [&str; 4] = ["reader", "changer", "actor", "file-giver"];
const INTERFACES: [&str; 4] = [
    "ensemble:hub/read",
    "ensemble:hub/change",
    "ensemble:hub/act",
    "ensemble:hub/files",
];
const METHODS: [Method; 3] = [Method::Get, Method::Post, Method::Patch];
const TEMPLATES: [&str; 6] = [
    "/api/bridge/tasks",
    "/api/bridge/tasks/{id}",
    "/api/bridge/write/tasks",
    "/api/bridge/write/tasks/{id}",
    "/api/bridge/act/{name}",
    "/api/bridge/files/{id}/original",
];

/// Takes choices from the bytes, zero where there are no more.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn next(&mut self) -> usize {
        usize::from(self.0.next().copied().unwrap_or(0))
    }

    fn yes(&mut self) -> bool {
        self.next() % 2 == 1
    }

    fn of<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.next() % from.len()]
    }
}

pub(crate) fn run(data: &[u8]) {
    let mut choices = Choices(data.iter());
    let Some(manifest) = manifest(&mut choices) else {
        return;
    };
    let mut granted = Granted::everything(&manifest);
    granted.interfaces.retain(|_| choices.yes());
    granted.routes.retain(|_| choices.yes());
    let key = KeyGrants {
        changes: choices.yes(),
        apps: choices.yes(),
    };
    let policy = Policy::effective(&manifest, &granted, key);
    let method = METHODS[choices.next() % 3];
    let path = choices.of(&TEMPLATES).replace(['{', '}'], "");
    let Ok(path) = HubPath::parse(&path) else {
        return;
    };
    let interface = if method == Method::Get {
        INTERFACES[0]
    } else {
        INTERFACES[1]
    };
    let may = |interface: &str, needs: Grant| {
        let route = manifest
            .routes
            .iter()
            .find(|route| route.pattern.covers(method, &path));
        let granted_route =
            route.is_some_and(|route| granted.routes.contains(&route.pattern.to_string()));
        manifest.declares(interface)
            && granted.interfaces.contains(interface)
            && granted_route
            && key.allows(needs)
    };
    let writes = if method == Method::Get {
        manifest.grant
    } else {
        manifest.grant.max(Grant::Changes)
    };
    assert_eq!(
        policy.request(method, &path).is_ok(),
        may(interface, writes),
        "{manifest:?} {granted:?} {key:?} {method} {path}"
    );
    if method == Method::Get {
        assert_eq!(
            policy.file(&path).is_ok(),
            may(INTERFACES[3], manifest.grant)
        );
    }
    for interface in INTERFACES {
        let both = manifest.declares(interface) && granted.interfaces.contains(interface);
        assert_eq!(policy.capability(interface, "it").is_ok(), both);
    }
    assert_eq!(policy.call("tool").is_ok(), key.allows(manifest.grant));
    // fewer grants never allow more
    let fewer = Policy::effective(&manifest, &Granted::default(), key);
    assert!(fewer.request(method, &path).is_err() && fewer.upload().is_err());
}

fn manifest(choices: &mut Choices<'_>) -> Option<Manifest> {
    let world = choices.of(&WORLDS);
    let grant = choices.of(&["read", "changes", "apps"]);
    let mut text = format!(
        "id = \"x\"\nversion = \"0.1.0\"\ngroup = \"x\"\ntitle = \"X\"\ndescription = \"d\"\nworld = \"{world}\"\ngrant = \"{grant}\"\nspace = true\n"
    );
    for interface in INTERFACES.into_iter().filter(|_| choices.yes()) {
        let import = format!("[[imports]]\ninterface = \"{interface}\"\nreason = \"r\"\n");
        text.push_str(&import);
    }
    for template in TEMPLATES {
        if choices.yes() {
            let method = METHODS[choices.next() % 3];
            let route = format!(
                "[[routes]]\nmethod = \"{method}\"\npath = \"{template}\"\nreason = \"r\"\n"
            );
            text.push_str(&route);
        }
    }
    Manifest::parse(&text).ok()
}
