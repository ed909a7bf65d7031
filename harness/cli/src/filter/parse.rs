//! From the text of a filter expression to the expression.
//!
//! ```text
//! or    = and { ("|" | "or" | "+") and }
//! and   = unary { ("&" | "and" | "-") unary }        "-" is "and not"
//! unary = ("!" | "not") unary | "(" or ")" | predicate
//! predicate = NAME "(" [ "=" | "~" | "#" ] TEXT | "/" REGEX "/" ")"
//! ```

use regex_lite::{Regex, RegexBuilder, escape};
use strum::VariantNames as _;

use super::{Expr, Key, predicate_of};
use crate::mistake::Mistake;

/// Open parentheses and negations at one place: what is deeper was not written by hand.
const DEEPEST: usize = 64;

/// Bytes of an expression.
const LONGEST: usize = 1 << 14;

/// Reads `text`; with `records` where verdicts are known.
pub(super) fn parse(text: &str, records: bool) -> Result<Expr, Mistake> {
    if text.len() > LONGEST {
        return Err(Mistake::new(0..1, format!("more than {LONGEST} bytes")));
    }
    let mut parser = Parser {
        text,
        records,
        at: 0,
        depth: 0,
    };
    let expr = parser.or()?;
    parser.blanks();
    match parser.rest().chars().next() {
        None => Ok(expr),
        Some(')') => Err(parser.here("this parenthesis was never opened")),
        Some(c) => {
            let wrong = parser.here("expected an operator between two predicates");
            Err(match c {
                '&' | '|' => wrong.help(format!("write one `{c}`")),
                _ => wrong.help("operators are `&` or `and`, `|` or `or`, `-`"),
            })
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    records: bool,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Passes over `sign`, if it comes next.
    fn sign(&mut self, sign: char) -> bool {
        self.blanks();
        let is = self.rest().starts_with(sign);
        if is {
            self.at += sign.len_utf8();
        }
        is
    }

    /// Passes over one of these, if it comes next; a word ends where its letters do.
    fn operator(&mut self, signs: &[char], word: &str) -> Option<char> {
        if let Some(sign) = signs.iter().find(|sign| self.sign(**sign)) {
            return Some(*sign);
        }
        (self.word() == word).then(|| {
            self.at += word.len();
            ' '
        })
    }

    /// The word that comes next; may be empty.
    fn word(&self) -> &'a str {
        let is_end = |c: char| !(c.is_alphanumeric() || c == '_');
        let rest = self.rest();
        &rest[..rest.find(is_end).unwrap_or(rest.len())]
    }

    /// A mistake at the next character.
    fn here(&self, message: impl Into<String>) -> Mistake {
        let long = self.rest().chars().next().map_or(0, char::len_utf8);
        Mistake::new(self.at..self.at + long, message)
    }

    fn or(&mut self) -> Result<Expr, Mistake> {
        let mut left = self.and()?;
        while self.operator(&['|', '+'], "or").is_some() {
            left = Expr::Or(Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Expr, Mistake> {
        let mut left = self.unary()?;
        while let Some(sign) = self.operator(&['&', '-'], "and") {
            let right = self.unary()?;
            let right = match sign {
                '-' => Expr::Not(Box::new(right)),
                _ => right,
            };
            left = Expr::And(Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, Mistake> {
        self.blanks();
        if self.depth == DEEPEST {
            return Err(self.here(format!("more than {DEEPEST} levels of parentheses and `!`")));
        }
        self.depth += 1;
        let open = self.at;
        let expr = if self.operator(&['!'], "not").is_some() {
            Expr::Not(Box::new(self.unary()?))
        } else if self.sign('(') {
            let inner = self.or()?;
            if !self.sign(')') {
                return Err(Mistake::new(
                    open..open + 1,
                    "this parenthesis is never closed",
                ));
            }
            inner
        } else {
            self.predicate()?
        };
        self.depth -= 1;
        Ok(expr)
    }

    fn predicate(&mut self) -> Result<Expr, Mistake> {
        let (start, name) = (self.at, self.word());
        if name.is_empty() {
            let wrong = self.here("expected a predicate");
            return Err(match self.rest().chars().next() {
                Some(c @ ('&' | '|')) => wrong.help(format!("write one `{c}`")),
                _ => wrong.help("as in `instruction(mscatter)`"),
            });
        }
        self.at += name.len();
        let at = start..self.at;
        if !self.sign('(') {
            let wrong = Mistake::new(at, format!("`{name}` has no parentheses"));
            return Err(match predicate_of(name) {
                Some(meant) => wrong.help(format!("did you mean `{meant}`?")),
                None => wrong.help(format!("did you mean `id(~{name})`?")),
            });
        }
        if let "all" | "none" = name {
            return match self.sign(')') {
                true if name == "all" => Ok(Expr::All),
                true => Ok(Expr::Not(Box::new(Expr::All))),
                false => Err(self.here(format!("`{name}()` takes nothing"))),
            };
        }
        let Ok(key) = name.parse::<Key>() else {
            let known = [&["all", "none"], Key::VARIANTS].concat();
            let wrong = Mistake::new(at, format!("no predicate is called `{name}`"));
            return Err(wrong.known(name, &known));
        };
        if key == Key::Verdict && !self.records {
            let wrong = Mistake::new(at, "here nothing has run yet, and no case has a verdict");
            return Err(wrong.help("`ptodiff diff` takes it"));
        }
        self.blanks();
        let (start, found) = (self.at, self.value(key)?);
        let at = start..self.at;
        if !self.sign(')') {
            return Err(self.here(format!("expected the `)` of `{name}(`")));
        }
        let (wanted, word) = found;
        if let Some(known) = key.words()
            && !known.iter().any(|value| wanted.is_match(value))
        {
            let wrong = Mistake::new(at, format!("no {name} is `{word}`"));
            return Err(wrong.known(&word, &known));
        }
        Ok(Expr::Is(key, wanted))
    }

    /// What stands within the parentheses of a predicate, and its text.
    fn value(&mut self, key: Key) -> Result<(Regex, String), Mistake> {
        if self.sign('/') {
            return self.regex();
        }
        let kind = ['=', '~', '#'].into_iter().find(|sign| self.sign(*sign));
        let start = self.at;
        let long = self.rest().find([')', ',']).unwrap_or(self.rest().len());
        let word = self.rest()[..long].trim_end();
        if word.is_empty() {
            return Err(self.here("expected a text within the parentheses"));
        }
        self.at = start + long;
        if self.rest().starts_with(',') {
            let (name, comma): (&str, _) = (key.into(), self.at..self.at + 1);
            let wrong = Mistake::new(comma, "one text a predicate");
            return Err(wrong.help(format!("write `{name}({word}) | {name}(..)`")));
        }
        self.at = start + word.len();
        // Fixed words are found whatever their capitals; names of the user's are not.
        let fold = key.words().is_some();
        let pattern = match kind {
            Some('~') => escape(word),
            Some('=') => format!("^{}$", escape(word)),
            _ => {
                let glob = escape(word).replace(r"\*", ".*").replace(r"\?", ".");
                format!("^{glob}$")
            }
        };
        let mut builder = RegexBuilder::new(&pattern);
        let built = builder
            .case_insensitive(fold)
            .dot_matches_new_line(true)
            .build();
        let regex = built.map_err(|e| Mistake::new(start..self.at, e.to_string()))?;
        Ok((regex, word.to_owned()))
    }

    /// The rest of `/regex/`, in which `\/` is a slash.
    fn regex(&mut self) -> Result<(Regex, String), Mistake> {
        let start = self.at;
        let mut escaped = false;
        let end = self.rest().find(|c| {
            let is_end = c == '/' && !escaped;
            escaped = c == '\\' && !escaped;
            is_end
        });
        let Some(long) = end else {
            return Err(Mistake::new(start - 1..start, "this `/` has no second one"));
        };
        let text = self.rest()[..long].replace(r"\/", "/");
        self.at += long + 1;
        match Regex::new(&text) {
            Ok(regex) => Ok((regex, format!("/{text}/"))),
            Err(e) => Err(Mistake::new(
                start..start + long,
                format!("not a regex: {e}"),
            )),
        }
    }
}
