//! Markdown as text for a terminal of 80 columns.

use comfy_table::{ContentArrangement, Table, presets::NOTHING};
use ptodiff_report::style::{BOLD, CLAUSE, DIM};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::text::wrapped;

/// Columns.
pub(super) const WIDTH: usize = 80;

/// The text of `markdown`.
pub(super) fn render(markdown: &str) -> String {
    let mut page = Page::default();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        page.take(event);
    }
    format!("{}\n", page.out.trim_end())
}

/// One line of Markdown without what only a page shows.
pub(super) fn inline(markdown: &str) -> String {
    let mut page = Page::default();
    for event in Parser::new(markdown) {
        match event {
            Event::Text(text) => page.line.push_str(&text),
            Event::Code(code) => page.line.push_str(&format!("`{code}`")),
            Event::SoftBreak => page.line.push(' '),
            _ => {}
        }
    }
    page.line
}

#[derive(Default)]
struct Page {
    out: String,
    /// What was read of the block that is open.
    line: String,
    /// What stands before the lines of the block that is open: one for each list and quote.
    indents: Vec<String>,
    /// The sign of the item that begins.
    sign: Option<String>,
    /// The next number of each list that is open; none where it has no numbers.
    numbers: Vec<Option<u64>>,
    /// Where the link that is open leads.
    link: String,
    rows: Vec<Vec<String>>,
    in_code: bool,
    in_heading: bool,
}

impl Page {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.in_code => {
                let indent = self.indents.concat();
                for line in text.lines() {
                    let line = format!("{indent}    {line}");
                    self.out.push_str(line.trim_end());
                    self.out.push('\n');
                }
            }
            Event::Text(text) => self.line.push_str(&text),
            Event::Code(code) if self.in_heading => self.line.push_str(&code),
            Event::Code(code) => self.line.push_str(&format!("{CLAUSE}`{code}`{CLAUSE:#}")),
            Event::SoftBreak => self.line.push(' '),
            Event::HardBreak => self.flush(),
            Event::Rule => self.out.push_str(&format!("{DIM}----{DIM:#}\n\n")),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { .. } => self.in_heading = true,
            Tag::Strong => self.line.push_str(&format!("{BOLD}")),
            Tag::Link { dest_url, .. } => self.link = dest_url.into_string(),
            Tag::CodeBlock(kind) => {
                self.flush();
                self.in_code = true;
                // An example that is wrong on purpose names its code.
                if let CodeBlockKind::Fenced(tag) = kind
                    && let Some((_, code)) = tag.split_once(" error ")
                {
                    let indent = self.indents.concat();
                    self.out
                        .push_str(&format!("{indent}    {DIM}# wrong: {code}{DIM:#}\n"));
                }
            }
            Tag::List(first) => {
                self.flush();
                self.numbers.push(first);
            }
            Tag::Item => {
                let sign = match self.numbers.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "- ".to_owned(),
                };
                self.indents.push(" ".repeat(sign.len()));
                self.sign = Some(sign);
            }
            Tag::BlockQuote(_) => self.indents.push("| ".to_owned()),
            Tag::TableHead | Tag::TableRow => self.rows.push(Vec::new()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                let title = std::mem::take(&mut self.line);
                self.out.push_str(&format!("{BOLD}{title}{BOLD:#}\n\n"));
                self.in_heading = false;
            }
            TagEnd::Strong => self.line.push_str(&format!("{BOLD:#}")),
            TagEnd::Link => {
                let to = std::mem::take(&mut self.link);
                match super::topic_of(&to) {
                    Some(topic) => {
                        self.line
                            .push_str(&format!(" {DIM}(ptodiff guide {topic}){DIM:#}"));
                    }
                    _ if to.contains("://") => self.line.push_str(&format!(" {DIM}({to}){DIM:#}")),
                    _ => {}
                }
            }
            TagEnd::CodeBlock => {
                self.in_code = false;
                self.out.push('\n');
            }
            TagEnd::Paragraph => {
                self.flush();
                self.out.push('\n');
            }
            TagEnd::Item => {
                self.flush();
                self.sign = None;
                self.indents.pop();
            }
            TagEnd::List(_) => {
                self.numbers.pop();
                if self.numbers.is_empty() && !self.out.ends_with("\n\n") {
                    self.out.push('\n');
                }
            }
            TagEnd::BlockQuote(_) => {
                self.indents.pop();
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.line);
                self.rows.last_mut().expect("a cell is in a row").push(cell);
            }
            TagEnd::Table => self.table(),
            _ => {}
        }
    }

    /// Ends the lines of the block that is open.
    fn flush(&mut self) {
        let text = std::mem::take(&mut self.line);
        if text.trim().is_empty() {
            return;
        }
        let indent = self.indents.concat();
        let first = match self.sign.take() {
            Some(sign) => format!("{}{sign}", &indent[..indent.len() - sign.len()]),
            None => indent.clone(),
        };
        for line in wrapped(WIDTH, &first, &indent, &text) {
            self.out.push_str(&line);
            self.out.push('\n');
        }
    }

    fn table(&mut self) {
        let mut rows = std::mem::take(&mut self.rows).into_iter();
        let mut table = Table::new();
        table
            .load_style(NOTHING)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(WIDTH as u16);
        let plain = |row: Vec<String>| -> Vec<String> {
            row.iter()
                .map(|cell| anstream::adapter::strip_str(cell).to_string())
                .collect()
        };
        let head = rows.next().unwrap_or_default();
        let titled = head.iter().any(|cell| !cell.is_empty());
        if titled {
            table.set_header(plain(head));
        }
        table.add_rows(rows.map(plain));
        for (n, line) in table.lines().enumerate() {
            let line = line.trim_end();
            match n {
                0 if titled => self.out.push_str(&format!("{BOLD}{line}{BOLD:#}\n")),
                _ => self.out.push_str(&format!("{line}\n")),
            }
        }
        self.out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_text_of_80_columns() {
        let long = "word ".repeat(30);
        let markdown = format!(
            "# A title\n\n{long}\n\n```sh\nptodiff   run\n```\n\n- one `x` [there](https://a.b/)\n  - two {long}\n1. three\n\n\
             | a | b |\n|---|---|\n| c | {long} |\n"
        );
        let page = anstream::adapter::strip_str(&render(&markdown)).to_string();
        assert!(page.starts_with("A title\n\nword word"), "{page}");
        assert!(page.contains("\n    ptodiff   run\n"), "{page}");
        assert!(
            page.contains("\n- one `x` there (https://a.b/)\n  - two word"),
            "{page}"
        );
        assert!(page.contains("\n    word"), "{page}");
        assert!(page.contains("\n1. three\n"), "{page}");
        let wide = page.lines().find(|line| line.chars().count() > WIDTH);
        assert_eq!(wide, None);
        assert!(render("# A title").contains("\u{1b}[1mA title"));
        let wrong = render("```yaml error PTO-C018\na: b\n```\n");
        let wrong = anstream::adapter::strip_str(&wrong).to_string();
        assert_eq!(wrong, "    # wrong: PTO-C018\n    a: b\n");
    }
}
