//! `ptodiff guide`

#[cfg(test)]
mod generated;
mod pager;
mod render;

use std::{io::Write as _, iter, path::Path};

use clap::Args;
use ptodiff_case::nearest;
use ptodiff_report::style::{BOLD, DIM};

use crate::{
    exit::{Error, Exit},
    out::stdout,
    plain,
    text::wrapped,
};

/// `ptodiff guide`
#[derive(Args, Debug)]
pub(crate) struct Guide {
    /// The chapter; the list of them if not given
    #[arg(value_name = "TOPIC")]
    topic: Vec<String>,
    /// List the places that have all of these words
    #[arg(long, value_name = "WORDS", num_args = 1.., conflicts_with = "topic")]
    search: Vec<String>,
}

/// Chapters by their topics, which are the names of their files, and pages from elsewhere.
macro_rules! chapters {
    ($($topic:literal)*; $($other:literal $file:literal)*) => {
        &[
            $(Chapter {
                topic: $topic,
                file: concat!($topic, ".md"),
                text: include_str!(concat!("../../guide/", $topic, ".md")),
            },)*
            $(Chapter {
                topic: $other,
                file: $file,
                text: include_str!(concat!("../../../../", $file)),
            },)*
        ]
    };
}

/// Every chapter, in the order in which they are to be read.
const CHAPTERS: &[Chapter] = chapters! {
    "start-here"
    "test-your-implementation"
    "first-case"
    "legality"
    "reading-a-report"
    "gate-in-ci"
    "readings-and-editions"
    "hunting"
    "fuzzing"
    "large-campaigns"
    "assembly-and-cpp"
    "arrays-and-python"
    "trust"
    "speed"
    "limits"
    "glossary"
    "command-line"
    "messages";
    "case-format" "cases/README.md"
    "protocol" "harness/impl/PROTOCOL.md"
    "reports" "reports/README.md"
};

/// Places that a search lists.
const MOST_PLACES: usize = 40;

/// A chapter.
struct Chapter {
    topic: &'static str,
    /// Its file: a link to it ends so, and those from the folder above have no `harness/`.
    file: &'static str,
    text: &'static str,
}

impl Chapter {
    /// The first heading.
    fn title(&self) -> &'static str {
        let heading = self.text.lines().find_map(|line| line.strip_prefix("# "));
        heading.unwrap_or(self.topic)
    }

    /// The first sentence below the first heading.
    fn sentence(&self) -> String {
        let below = self
            .text
            .lines()
            .skip_while(|line| !line.starts_with("# "))
            .skip(1);
        let first = below.skip_while(|line| line.trim().is_empty());
        let lines: Vec<&str> = first.take_while(|line| !line.trim().is_empty()).collect();
        let text = lines.join(" ");
        match text.find(". ") {
            Some(end) => text[..=end].to_owned(),
            None => text,
        }
    }

    /// Paragraphs that have all of `words`, in small letters: the heading that each
    /// stands under, and the part about the first word.
    fn places(&self, words: &[String]) -> Vec<(&'static str, String)> {
        let mut found = Vec::new();
        let mut heading = self.title();
        let lines: Vec<&str> = self.text.lines().collect();
        for block in lines.split(|line| line.trim().is_empty()) {
            if let Some(line) = block.first().filter(|line| line.starts_with('#')) {
                heading = line.trim_start_matches('#').trim();
            }
            let text = render::inline(&block.join(" "));
            let folded = text.to_lowercase();
            if words.iter().all(|word| folded.contains(word)) {
                found.push((heading, around(&text, &words[0])));
            }
        }
        found
    }
}

/// A part of `text` about `word`.
fn around(text: &str, word: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let folded = text.to_lowercase();
    let at = folded
        .find(word)
        .map_or(0, |at| folded[..at].chars().count());
    let start = at.saturating_sub(25).min(chars.len());
    let end = (start + 56).min(chars.len());
    let dots = |is: bool| if is { ".." } else { "" };
    let part: String = chars[start..end].iter().collect();
    format!(
        "{}{}{}",
        dots(start > 0),
        part.trim(),
        dots(end < chars.len())
    )
}

/// What there is a chapter of.
pub(crate) fn topics() -> impl Iterator<Item = &'static str> {
    CHAPTERS.iter().map(|chapter| chapter.topic)
}

/// The topic of the chapter that a link leads to.
fn topic_of(link: &str) -> Option<&'static str> {
    let path = Path::new(link.split('#').next()?);
    let mut all = CHAPTERS.iter();
    let found = all.find(|c| path.ends_with(c.file.trim_start_matches("harness/")));
    found.map(|chapter| chapter.topic)
}

/// Whether a paragraph has this word.
pub(crate) fn speaks_of(word: &str) -> bool {
    let words = folded(&[word.to_owned()]);
    !words.is_empty() && CHAPTERS.iter().any(|c| !c.places(&words).is_empty())
}

/// Lists the chapters, shows one, or says where words stand.
///
/// # Errors
/// No such chapter, no such words, or standard output fails.
pub(crate) fn guide(args: &Guide) -> Result<Exit, Error> {
    if !args.search.is_empty() {
        return search(&args.search);
    }
    if args.topic.is_empty() {
        return list();
    }
    let wanted = args.topic.join("-").to_lowercase();
    let wanted = wanted.trim_end_matches(".md").replace(' ', "-");
    match chosen(&wanted) {
        Some(chapter) => pager::show(&render::render(chapter.text))?,
        None => return Err(unknown(&args.topic, &wanted)),
    }
    Ok(Exit::Conforms)
}

/// The chapter called `wanted`, or the only one whose topic begins so.
fn chosen(wanted: &str) -> Option<&'static Chapter> {
    let exact = CHAPTERS.iter().find(|c| c.topic == wanted);
    let mut begin = CHAPTERS.iter().filter(|c| c.topic.starts_with(wanted));
    exact.or_else(|| begin.next().filter(|_| begin.next().is_none()))
}

fn unknown(typed: &[String], wanted: &str) -> Error {
    // A topic is known by one of its words, too.
    let mut known = CHAPTERS.iter().flat_map(|c| {
        let words = c.topic.split('-').filter(|word| word.len() > 1);
        let words = iter::once(c.topic).chain(words);
        words.map(|word| (word, c.topic))
    });
    let near = nearest(wanted, known.clone().map(|(word, _)| word));
    let mut text = format!("the guide has no chapter `{wanted}`");
    if let Some((_, topic)) = near.and_then(|near| known.find(|(word, _)| *word == near)) {
        text.push_str(&format!("; did you mean `{topic}`?"));
    }
    let words = folded(typed);
    let hits: Vec<&str> = CHAPTERS
        .iter()
        .filter(|c| !words.is_empty() && !c.places(&words).is_empty())
        .map(|c| c.topic)
        .collect();
    if !hits.is_empty() {
        text.push_str(&format!("\n  these speak of it: {}", hits.join(", ")));
    }
    text.push_str(
        "\n  `ptodiff guide` lists the chapters, `ptodiff guide --search WORDS` searches them",
    );
    Error::usage(text)
}

fn folded(words: &[String]) -> Vec<String> {
    let each = words.iter().flat_map(|w| w.split_whitespace());
    each.map(str::to_lowercase).collect()
}

fn list() -> Result<Exit, Error> {
    let mut out = stdout();
    let long = topics().map(str::len).max().unwrap_or(0);
    for chapter in CHAPTERS {
        let lead = format!("{BOLD}{:<long$}{BOLD:#}  ", chapter.topic);
        let sentence = render::inline(&chapter.sentence());
        for line in wrapped(render::WIDTH, &lead, &" ".repeat(long + 2), &sentence) {
            writeln!(out, "{line}")?;
        }
    }
    writeln!(
        out,
        "\n{DIM}ptodiff guide TOPIC shows a chapter, --search WORDS finds places{DIM:#}"
    )?;
    Ok(Exit::Conforms)
}

fn search(words: &[String]) -> Result<Exit, Error> {
    let words = folded(words);
    let found: Vec<(&Chapter, &str, String)> = CHAPTERS
        .iter()
        .filter(|_| !words.is_empty())
        .flat_map(|c| {
            let places = c.places(&words).into_iter();
            places.map(move |(heading, part)| (c, heading, part))
        })
        .collect();
    if found.is_empty() {
        return Err(Error::nothing(format!(
            "no paragraph of the guide has {}",
            plain::text(&words.join(", "))
        )));
    }
    let mut out = stdout();
    let mut last = ("", "");
    for (chapter, heading, part) in found.iter().take(MOST_PLACES) {
        if chapter.topic != last.0 {
            writeln!(out, "{BOLD}{}{BOLD:#}", chapter.topic)?;
        }
        if (chapter.topic, *heading) != last {
            let heading = plain::text(&render::inline(heading));
            writeln!(out, "  {heading}")?;
        }
        last = (chapter.topic, heading);
        let part = plain::text(part);
        writeln!(out, "    {DIM}{part}{DIM:#}")?;
    }
    if found.len() > MOST_PLACES {
        let more = found.len() - MOST_PLACES;
        writeln!(out, "and {more} more places: another word makes them fewer")?;
    }
    Ok(Exit::Conforms)
}
