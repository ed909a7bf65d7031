//! A place in the text, and the tokens that can be read from there.

use crate::error::{At, Fault, Read};

/// Reads tokens. White space and comments (`#` to the end of the line) may
/// stand before each token but those whose readers are called tight.
pub(crate) struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Where the next token begins.
    pub(crate) fn here(&mut self) -> usize {
        loop {
            let rest = self.rest().trim_start();
            self.at = self.text.len() - rest.len();
            if !rest.starts_with('#') {
                return self.at;
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    /// Whether the next token is `token`.
    pub(crate) fn sees(&mut self, token: &str) -> bool {
        self.here();
        self.rest().starts_with(token)
    }

    /// Whether an extent stands right here.
    pub(crate) fn sees_extent(&self) -> bool {
        let rest = self.rest();
        rest.starts_with(|c: char| c == '?' || c.is_ascii_digit())
    }

    /// Reads `token` if it comes next.
    pub(crate) fn eat(&mut self, token: &str) -> bool {
        self.here();
        self.eat_tight(token)
    }

    /// Reads `token` if it stands right here.
    pub(crate) fn eat_tight(&mut self, token: &str) -> bool {
        let there = self.rest().starts_with(token);
        if there {
            self.at += token.len();
        }
        there
    }

    /// Reads `token`.
    pub(crate) fn expect(&mut self, token: &str) -> Read<()> {
        self.here();
        self.expect_tight(token)
    }

    /// Reads `token`, which stands right here.
    pub(crate) fn expect_tight(&mut self, token: &str) -> Read<()> {
        if self.eat_tight(token) {
            return Ok(());
        }
        Err(Fault::new(self.at, format!("`{token}`")))
    }

    /// Reads a word of letters, digits and underscores.
    pub(crate) fn word(&mut self, expected: &'static str) -> Read<At<&'t str>> {
        self.here();
        self.word_tight(expected)
    }

    /// Reads a word that stands right here.
    pub(crate) fn word_tight(&mut self, expected: &'static str) -> Read<At<&'t str>> {
        let at = self.at;
        match self.run(|c| c.is_ascii_alphanumeric() || c == '_') {
            "" => Err(Fault::new(at, expected)),
            value => Ok(At { value, at }),
        }
    }

    /// Reads the name of an operand with its `%`, and returns it without.
    pub(crate) fn name(&mut self) -> Read<At<&'t str>> {
        const EXPECTED: &str = "an operand, `%` and a name";
        let at = self.here();
        if !self.eat_tight("%") {
            return Err(Fault::new(at, EXPECTED));
        }
        match self.run(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '-')) {
            "" => Err(Fault::new(at, EXPECTED)),
            value => Ok(At { value, at }),
        }
    }

    /// Reads a decimal number.
    pub(crate) fn number(&mut self) -> Read<At<u64>> {
        self.here();
        self.number_tight()
    }

    /// Reads a decimal number that stands right here.
    pub(crate) fn number_tight(&mut self) -> Read<At<u64>> {
        let at = self.at;
        let digits = self.run(|c| c.is_ascii_digit());
        match digits.parse() {
            Ok(value) => Ok(At { value, at }),
            Err(_) if digits.is_empty() => Err(Fault::new(at, "a number")),
            Err(_) => Err(Fault::new(at, "a number below 2^64")),
        }
    }

    /// Reads an address, `0x` and hexadecimal digits.
    pub(crate) fn address(&mut self) -> Read<At<u64>> {
        let at = self.here();
        let digits = if self.eat_tight("0x") {
            self.run(|c| c.is_ascii_hexdigit())
        } else {
            ""
        };
        match u64::from_str_radix(digits, 16) {
            Ok(value) => Ok(At { value, at }),
            Err(_) => Err(Fault::new(at, "an address below 2^64 like `0x1000`")),
        }
    }

    /// Makes sure that nothing follows.
    pub(crate) fn end(&mut self) -> Read<()> {
        let at = self.here();
        if self.rest().is_empty() {
            return Ok(());
        }
        Err(Fault::new(at, "nothing more"))
    }

    /// Everything from here on that `belongs`.
    fn run(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }
}
