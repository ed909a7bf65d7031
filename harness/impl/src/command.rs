//! What a user writes to name an implementation: `NAME=COMMAND`.

use crate::StartError;

/// Characters that a name may have.
const LONGEST_NAME: usize = 32;

/// The words of `command`, split as a shell would: blanks part words, quotes
/// and backslashes keep them together, `#` begins a comment. No shell runs it:
/// `~`, `*`, `$VARIABLE`, `;`, `|` and the like stand for themselves.
///
/// # Errors
/// If there is no word, or a quote does not end.
pub fn split(command: &str) -> Result<Vec<String>, StartError> {
    shlex::split(command)
        .filter(|words| words.first().is_some_and(|program| !program.is_empty()))
        .ok_or_else(|| StartError::Command(command.to_owned()))
}

/// That `name` may name an implementation: it stands beside a target as `a5:NAME`.
///
/// # Errors
/// If it may not.
pub fn check_name(name: &str) -> Result<(), StartError> {
    let may = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let fits = name.len() <= LONGEST_NAME
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(may);
    if fits {
        Ok(())
    } else {
        Err(StartError::Name(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_split_as_a_shell_would_and_nothing_is_expanded() {
        let words =
            split(r#"python3 'my implementation.py' --x="a b" ~/y *.z $HOME a\ b"#).expect("words");
        assert_eq!(
            words,
            [
                "python3",
                "my implementation.py",
                "--x=a b",
                "~/y",
                "*.z",
                "$HOME",
                "a b"
            ]
        );
    }

    #[test]
    fn a_command_without_a_program_is_rejected() {
        for command in ["", "  ", "''", "# only a comment", "python3 'x", "a \\"] {
            assert_eq!(split(command), Err(StartError::Command(command.to_owned())));
        }
    }

    #[test]
    fn names_are_plain() {
        for name in ["a", "numpy", "my-board_2.1", &"x".repeat(32)] {
            assert_eq!(check_name(name), Ok(()));
        }
        for name in ["", "2x", "a:b", "a b", "\u{e9}", "-x", &"x".repeat(33)] {
            assert_eq!(check_name(name), Err(StartError::Name(name.to_owned())));
        }
    }
}
