//! What a file is by its name: its language, a manifest, a place where a program begins. Pure.

/// Endings of names, without their dot, and languages.
const LANGUAGES: [(&str, &[&str]); 34] = [
    ("C", &["c", "h"]),
    ("C#", &["cs"]),
    ("C++", &["cc", "cpp", "cxx", "hh", "hpp"]),
    ("CSS", &["css", "scss", "less"]),
    ("Clojure", &["clj", "cljs"]),
    ("Dart", &["dart"]),
    ("Elixir", &["ex", "exs"]),
    ("Erlang", &["erl"]),
    ("F#", &["fs"]),
    ("Go", &["go"]),
    ("HTML", &["html", "htm"]),
    ("Haskell", &["hs"]),
    ("JSON", &["json"]),
    ("Java", &["java"]),
    ("JavaScript", &["js", "mjs", "cjs", "jsx"]),
    ("Julia", &["jl"]),
    ("Kotlin", &["kt", "kts"]),
    ("Lua", &["lua"]),
    ("Markdown", &["md", "markdown"]),
    ("Nix", &["nix"]),
    ("OCaml", &["ml", "mli"]),
    ("PHP", &["php"]),
    ("Python", &["py", "pyi"]),
    ("R", &["r"]),
    ("Ruby", &["rb"]),
    ("Rust", &["rs"]),
    ("SQL", &["sql"]),
    ("Scala", &["scala"]),
    ("Shell", &["sh", "bash", "zsh"]),
    ("Swift", &["swift"]),
    ("TOML", &["toml"]),
    ("TypeScript", &["ts", "tsx", "mts"]),
    ("YAML", &["yml", "yaml"]),
    ("Zig", &["zig"]),
];

/// Names of manifests, and what they are for.
const MANIFESTS: [(&str, &str); 27] = [
    ("Cargo.toml", "Cargo"),
    ("package.json", "npm"),
    ("pyproject.toml", "Python"),
    ("setup.py", "Python"),
    ("requirements.txt", "Python"),
    ("Pipfile", "Python"),
    ("go.mod", "Go"),
    ("pom.xml", "Maven"),
    ("build.gradle", "Gradle"),
    ("build.gradle.kts", "Gradle"),
    ("Gemfile", "Bundler"),
    ("composer.json", "Composer"),
    ("CMakeLists.txt", "CMake"),
    ("meson.build", "Meson"),
    ("Makefile", "Make"),
    ("Dockerfile", "Docker"),
    ("compose.yaml", "Docker"),
    ("docker-compose.yml", "Docker"),
    ("mix.exs", "Mix"),
    ("pubspec.yaml", "Dart"),
    ("deno.json", "Deno"),
    ("justfile", "just"),
    ("flake.nix", "Nix"),
    ("Package.swift", "Swift"),
    ("build.zig", "Zig"),
    ("pnpm-workspace.yaml", "pnpm"),
    ("rebar.config", "Rebar"),
];

/// Names of files in which a program or library begins.
const ENTRIES: [&str; 21] = [
    "main.rs",
    "lib.rs",
    "main.go",
    "main.py",
    "__main__.py",
    "app.py",
    "manage.py",
    "wsgi.py",
    "index.js",
    "index.ts",
    "index.tsx",
    "main.js",
    "main.ts",
    "main.tsx",
    "server.js",
    "server.ts",
    "main.c",
    "main.cpp",
    "Main.java",
    "Program.cs",
    "main.swift",
];

/// The last name of a path.
pub(super) fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The language of the file at `path`.
pub(super) fn language(path: &str) -> Option<&'static str> {
    let (_, ending) = last(path).rsplit_once('.')?;
    let ending = ending.to_ascii_lowercase();
    let row = LANGUAGES
        .iter()
        .find(|(_, endings)| endings.contains(&ending.as_str()));
    row.map(|(language, _)| *language)
}

/// What the manifest at `path` is for.
pub(super) fn manifest(path: &str) -> Option<&'static str> {
    let name = last(path);
    if matches!(name.rsplit_once('.'), Some((_, "csproj" | "sln"))) {
        return Some(".NET");
    }
    let row = MANIFESTS.iter().find(|(manifest, _)| *manifest == name);
    row.map(|(_, what)| *what)
}

/// Whether a program or library begins in the file at `path`.
pub(super) fn is_entry(path: &str) -> bool {
    ENTRIES.contains(&last(path))
}

/// Whether the file at `path` is the README of the top folder.
pub(super) fn is_readme(path: &str) -> bool {
    let name = path.to_ascii_lowercase();
    [
        "readme",
        "readme.md",
        "readme.markdown",
        "readme.rst",
        "readme.txt",
    ]
    .contains(&name.as_str())
}
