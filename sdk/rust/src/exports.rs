//! What the component exports, in terms of the traits that a plugin implements.

use serde_json::Value;

use crate::bindings::{completion, prompts, resources, tools};
use crate::panics;
use crate::{
    Completion, Embedded, Error, Page, Prompt, PromptStep, Prompts, Resources, Resumption, Subject,
    Suggestions, Template, Tool, ToolStep, Tools,
};

impl<P: Tools> tools::exports::ensemble::tools::tools::Guest for P {
    fn list_tools() -> Result<Vec<Tool>, Error> {
        panics::report();
        Ok(P::tools())
    }

    fn call(
        name: String,
        arguments: String,
        resumed: Option<Resumption>,
    ) -> Result<ToolStep, Error> {
        panics::report();
        let read: Value = serde_json::from_str(&arguments)
            .map_err(|_| Error::Invalid("The arguments are not JSON.".to_owned()))?;
        // a file among them can be half of the memory there is
        drop(arguments);
        P::step(&name, read, resumed)
    }
}

impl<P: Resources> resources::exports::ensemble::tools::resources::Guest for P {
    fn list_resources(cursor: Option<String>) -> Result<Page, Error> {
        panics::report();
        P::page(cursor.as_deref())
    }

    fn templates() -> Result<Vec<Template>, Error> {
        panics::report();
        Ok(P::templates())
    }

    fn read(uri: String) -> Result<Vec<Embedded>, Error> {
        panics::report();
        P::read(&uri)
    }
}

impl<P: Prompts> prompts::exports::ensemble::tools::prompts::Guest for P {
    fn list_prompts() -> Result<Vec<Prompt>, Error> {
        panics::report();
        Ok(P::prompts())
    }

    fn get(
        name: String,
        arguments: Vec<(String, String)>,
        resumed: Option<Resumption>,
    ) -> Result<PromptStep, Error> {
        panics::report();
        P::step(&name, &arguments, resumed)
    }
}

impl<P: Completion> completion::exports::ensemble::tools::completion::Guest for P {
    fn complete(
        subject: Subject,
        argument: String,
        typed: String,
        others: Vec<(String, String)>,
    ) -> Result<Suggestions, Error> {
        panics::report();
        P::complete(&subject, &argument, &typed, &others)
    }
}
