//! A text on a terminal goes through a pager, anywhere else as it is.

use std::{
    env,
    io::{self, IsTerminal as _, Write as _},
    process::{Command, Stdio},
};

use anstream::{AutoStream, ColorChoice, adapter::strip_str};

use crate::out::stdout;

/// Shows `text`: paged where standard output is a terminal.
pub(super) fn show(text: &str) -> io::Result<()> {
    if io::stdout().is_terminal() && paged(text) {
        return Ok(());
    }
    stdout().write_all(text.as_bytes())
}

/// Whether a pager was there and took it.
fn paged(text: &str) -> bool {
    let own = env::var("PAGER").unwrap_or_else(|_| "less -FRX".to_owned());
    let Ok(words) = ptodiff_impl::split(&own) else {
        return false;
    };
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stdin(Stdio::piped());
    if env::var_os("LESS").is_none() {
        // A `less` that is told nothing would show colours as signs.
        command.env("LESS", "FRX");
    }
    let Ok(mut child) = command.spawn() else {
        return false;
    };
    let plain = AutoStream::choice(&io::stdout()) == ColorChoice::Never;
    let text = match plain {
        true => strip_str(text).to_string(),
        false => text.to_owned(),
    };
    if let Some(mut to) = child.stdin.take() {
        // Who has seen enough leaves.
        let _ = to.write_all(text.as_bytes());
    }
    child.wait().is_ok()
}
