//! The prompts of the suite, and suggestions for an argument of one of them.

use ensemble_sdk::{
    Argument, Block, Completion, Error, Message, Prompt, PromptStep, Prompts, Resumption, Role,
    Subject, Suggestions,
};

use crate::Conformance;
use crate::content::{pixel, text_resource};
use crate::questions;

/// What is suggested for `arg1`.
const SUGGESTED: [&str; 4] = ["paris", "park", "party", "test-value"];

impl Prompts for Conformance {
    fn prompts() -> Vec<Prompt> {
        vec![
            prompt("test_simple_prompt", "A text.", &[]),
            prompt(
                "test_prompt_with_arguments",
                "Two arguments.",
                &["arg1", "arg2"],
            ),
            prompt(
                "test_prompt_with_embedded_resource",
                "A resource.",
                &["resourceUri"],
            ),
            prompt("test_prompt_with_image", "An image.", &[]),
            prompt(questions::PROMPT, "Asks the person first.", &[]),
        ]
    }

    fn get(name: &str, arguments: &[(String, String)]) -> Result<Vec<Message>, Error> {
        let value = |wanted: &str| {
            let found = arguments.iter().find(|(name, _)| name == wanted);
            found.map(|(_, value)| value.as_str()).unwrap_or_default()
        };
        let contents = match name {
            "test_simple_prompt" => vec![Block::plain("This is a simple prompt for testing.")],
            "test_prompt_with_arguments" => vec![Block::plain(format!(
                "Prompt with arguments: arg1='{}', arg2='{}'",
                value("arg1"),
                value("arg2")
            ))],
            "test_prompt_with_embedded_resource" => vec![
                text_resource(
                    value("resourceUri"),
                    "text/plain",
                    "Embedded resource content for testing.",
                ),
                Block::plain("Please process the embedded resource above."),
            ],
            "test_prompt_with_image" => vec![
                Block::Image(pixel()),
                Block::plain("Please analyze the image above."),
            ],
            _ => return Err(Error::NotFound(format!("There is no prompt {name}."))),
        };
        Ok(contents.into_iter().map(said).collect())
    }

    fn step(
        name: &str,
        arguments: &[(String, String)],
        resumed: Option<Resumption>,
    ) -> Result<PromptStep, Error> {
        if name == questions::PROMPT {
            return Ok(questions::prompt(resumed.as_ref()));
        }
        Self::get(name, arguments).map(PromptStep::Done)
    }
}

impl Completion for Conformance {
    fn complete(
        subject: &Subject,
        argument: &str,
        typed: &str,
        _: &[(String, String)],
    ) -> Result<Suggestions, Error> {
        let known =
            matches!(subject, Subject::PromptName(name) if name == "test_prompt_with_arguments");
        let values: Vec<String> = SUGGESTED
            .iter()
            .filter(|value| known && argument == "arg1" && value.starts_with(typed))
            .map(|value| (*value).to_owned())
            .collect();
        Ok(Suggestions {
            total: u32::try_from(values.len()).ok(),
            values,
            has_more: false,
        })
    }
}

fn prompt(name: &str, description: &str, arguments: &[&str]) -> Prompt {
    let argument = |name: &&str| Argument {
        name: (*name).to_owned(),
        title: None,
        description: Some("A text.".to_owned()),
        required: true,
    };
    Prompt {
        name: name.to_owned(),
        title: None,
        description: Some(description.to_owned()),
        arguments: arguments.iter().map(argument).collect(),
    }
}

pub(crate) fn said(content: Block) -> Message {
    Message {
        role: Role::User,
        content,
    }
}
