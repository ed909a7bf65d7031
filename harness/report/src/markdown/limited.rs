//! Markdown that fits into the summary of a CI job.

/// Markdown of at most so many bytes: what does not fit is left out whole.
pub(crate) struct LimitedMarkdown {
    text: String,
    most: usize,
    /// Whether something was left out.
    pub(crate) full: bool,
}

/// A step's summary of GitHub holds 1 MiB; the rest is for what is said at the end.
pub(crate) const MOST: usize = (1 << 20) - 4096;

impl LimitedMarkdown {
    pub(crate) const fn new(most: usize) -> Self {
        Self {
            text: String::new(),
            most,
            full: false,
        }
    }

    /// Adds `piece` if it fits and nothing was left out before; whether it did.
    pub(crate) fn push(&mut self, piece: &str) -> bool {
        self.full |= self.text.len() + piece.len() > self.most;
        if !self.full {
            self.text.push_str(piece);
        }
        !self.full
    }

    /// All of it, and `note` where something was left out.
    pub(crate) fn finish(self, note: &str) -> String {
        match self.full {
            true => format!("{}\n{note}\n", self.text),
            false => self.text,
        }
    }
}
