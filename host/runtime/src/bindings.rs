//! What wasmtime generates from `wit/`: the imports that this host offers, and every export that it can call.

wasmtime::component::bindgen!({
    path: "../../wit",
    inline: "
        package ensemble:host@0.1.0;
        world everything {
          import ensemble:types/types@0.1.0;
          import ensemble:run/run@0.1.0;
          import ensemble:hub/read@0.1.0;
          import ensemble:hub/change@0.1.0;
          import ensemble:hub/act@0.1.0;
          import ensemble:hub/files@0.1.0;
          import ensemble:hub/uploads@0.1.0;
          import ensemble:workspace/repository@0.1.0;
          import ensemble:workspace/folder@0.1.0;
          export ensemble:tools/tools@0.1.0;
          export ensemble:tools/resources@0.1.0;
          export ensemble:tools/prompts@0.1.0;
          export ensemble:tools/completion@0.1.0;
        }
    ",
    world: "ensemble:host/everything",
    imports: {
        "ensemble:hub/read.get": async,
        "ensemble:hub/change.send": async,
        "ensemble:hub/act.run": async,
        "ensemble:hub/uploads.from-base64": async,
        "ensemble:hub/uploads.save": async,
        "ensemble:hub/files.open": async,
        "ensemble:hub/files.bytes": async,
        "ensemble:workspace/repository.locate": async,
        "ensemble:workspace/folder.check": async,
        "ensemble:workspace/folder.save": async,
        "ensemble:workspace/folder.open": async,
    },
    exports: { default: async },
});
