//! What a user writes to name an implementation: `NAME=COMMAND`.

use crate::StartError;

/// Characters that a name may have.
const LONGEST_NAME: usize = 32;

/// The words of `command`, split as a shell would: blanks part words, quotes
/// and backslashes keep them together, `#` begins a comment. No shell runs it:
/// `~`, `*`, `$VARIABLE`, `;`, `|` and the like stand for themselves. On Windows
/// so do `\` and `#`.
///
/// # Errors
/// If there is no word, or a quote does not end.
pub fn split(command: &str) -> Result<Vec<String>, StartError> {
    let words = match cfg!(windows) {
        true => split_plainly(command),
        false => shlex::split(command),
    };
    words
        .filter(|words| words.first().is_some_and(|program| !program.is_empty()))
        .ok_or_else(|| StartError::Command(command.to_owned()))
}

/// As [`split`], where nothing but blanks and quotes means anything.
fn split_plainly(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.chars() {
        match quote {
            Some(own) if c == own => quote = None,
            None if matches!(c, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
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
    fn paths_of_windows_keep_their_backslashes() {
        let split = |text| split_plainly(text);
        let words = split(r#""C:\my tools\x.exe" -c 'a "b"' "" D:\y#z"#).expect("words");
        assert_eq!(
            words,
            [r"C:\my tools\x.exe", "-c", r#"a "b""#, "", r"D:\y#z"]
        );
        assert_eq!(split("x 'y"), None);
        assert_eq!(split("  "), Some(Vec::new()));
    }

    #[test]
    #[cfg(unix)]
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
        let unix = ["# only a comment", "a \\"];
        let unix = unix.into_iter().filter(|_| cfg!(unix));
        for command in ["", "  ", "''", "python3 'x"].into_iter().chain(unix) {
            assert_eq!(split(command), Err(StartError::Command(command.to_owned())));
        }
    }
}
