//! A located mistake, and how it is shown.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use ptodiff_edge::text::{self, is_hidden};
use ptodiff_isa::Target;

use crate::code::Code;
use crate::yaml::Span;

/// The text of a file that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// Its path as it was given, or below the folder that was given, with `/`.
    pub path: PathBuf,
    /// Its text, without a byte-order mark.
    pub text: String,
}

/// A place in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The file.
    pub file: PathBuf,
    /// Where in it.
    pub span: Span,
}

/// Another place that a mistake has to do with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    /// The place.
    pub spot: Spot,
    /// What is there.
    pub label: String,
}

/// One mistake.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Its kind.
    pub code: Code,
    /// What is wrong, in one line.
    pub message: String,
    /// Where; `None` for a mistake about files rather than in one.
    pub place: Option<Spot>,
    /// What to say at the caret; may be empty.
    pub label: String,
    /// What may be done about it.
    pub help: Option<String>,
    /// Other places.
    pub related: Vec<Related>,
    /// For which targets what stands there is; none where nothing says it.
    pub targets: Vec<Target>,
    /// Operations of which no case can be made because of it: where they stand.
    pub calls: Vec<Span>,
}

/// Whether escape codes for colour are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// Plain text.
    #[default]
    Plain,
    /// With ANSI colours.
    Coloured,
}

impl Diagnostic {
    /// A mistake about a file as a whole, or about none.
    #[must_use]
    pub fn general(code: Code, message: String) -> Self {
        Self {
            code,
            message,
            place: None,
            label: String::new(),
            help: None,
            related: Vec::new(),
            targets: Vec::new(),
            calls: Vec::new(),
        }
    }

    /// A mistake at a place in `file`.
    #[must_use]
    pub fn at(code: Code, file: &Path, span: Span, message: String) -> Self {
        Self {
            place: Some(Spot {
                file: file.to_owned(),
                span,
            }),
            ..Self::general(code, message)
        }
    }

    /// One line without the source: `cases/a.yaml:7:21: error[PTO-C012]: ...`.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut line = String::new();
        if let Some(spot) = &self.place {
            let _ = write!(line, "{}:", spot.file.display());
            if spot.span.line > 0 {
                let _ = write!(line, "{}:{}:", spot.span.line, spot.span.column);
            }
            line.push(' ');
        }
        let kind = match self.code.is_warning() {
            true => "warning",
            false => "error",
        };
        let _ = write!(line, "{kind}[{}]: {}", self.code, self.message);
        printable(&line)
    }
}

/// Puts what was found in one file in the order of its text, each once: a mistake in what
/// several share is met once for each.
pub(crate) fn in_order(found: &mut Vec<Diagnostic>) {
    found.sort_by_key(|d| d.place.as_ref().map(|spot| spot.span.bytes.start));
    let mut seen = BTreeSet::new();
    found.retain(|one| {
        let bytes = one.place.as_ref().map(|spot| &spot.span.bytes);
        let bytes = bytes.map(|bytes| (bytes.start, bytes.end));
        seen.insert((bytes, one.code, one.message.clone()))
    });
}

/// Shows mistakes with the lines they are in, as rustc does.
#[must_use]
pub fn render(diagnostics: &[Diagnostic], files: &[SourceFile], style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let mut out = String::new();
    for diagnostic in diagnostics {
        let level = match diagnostic.code.is_warning() {
            true => Level::WARNING,
            false => Level::ERROR,
        };
        let mut group = Group::with_title(
            level
                .primary_title(printable(&diagnostic.message))
                .id(diagnostic.code.id()),
        );
        for (file, marks) in by_file(diagnostic) {
            group = show(group, file, &marks, files);
        }
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(printable(help)));
        }
        out.push_str(&text::unmarked(&renderer.render(&[group])));
        out.push_str("\n\n");
    }
    out
}

/// A place to be marked, and what to say there.
type Mark<'a> = (AnnotationKind, &'a Span, &'a str);

/// The places of a mistake, those of one file together, the file at fault first.
fn by_file(diagnostic: &Diagnostic) -> Vec<(&Path, Vec<Mark<'_>>)> {
    let mut groups: Vec<(&Path, Vec<Mark<'_>>)> = Vec::new();
    if let Some(spot) = &diagnostic.place {
        let mark = (
            AnnotationKind::Primary,
            &spot.span,
            diagnostic.label.as_str(),
        );
        groups.push((&spot.file, vec![mark]));
    }
    for Related { spot, label } in &diagnostic.related {
        let mark = (AnnotationKind::Context, &spot.span, label.as_str());
        match groups.iter_mut().find(|(file, _)| *file == spot.file) {
            Some((_, marks)) => marks.push(mark),
            None => groups.push((&spot.file, vec![mark])),
        }
    }
    groups
}

fn show<'a>(
    group: Group<'a>,
    file: &'a Path,
    marks: &[Mark<'a>],
    files: &'a [SourceFile],
) -> Group<'a> {
    let path = file.to_string_lossy();
    let source = files.iter().find(|f| f.path == *file);
    let first_line = marks
        .iter()
        .map(|(_, span, _)| span.line)
        .min()
        .unwrap_or(0);
    let Some(source) = source.filter(|_| first_line > 0) else {
        return group.element(Origin::path(path));
    };
    // Only the lines in question: the renderer's cost grows with the text it is given.
    let start = marks.iter().map(|(_, span, _)| span.bytes.start).min();
    let end = marks.iter().map(|(_, span, _)| span.bytes.end).max();
    let window = lines_around(&source.text, &(start.unwrap_or(0)..end.unwrap_or(0)));
    let inside = |at: usize| at.clamp(window.start, window.end) - window.start;
    let annotations = marks.iter().map(|(kind, span, label)| {
        let (start, end) = (inside(span.bytes.start), inside(span.bytes.end));
        let annotation = kind.span(start..end.max(start));
        if label.is_empty() {
            annotation
        } else {
            annotation.label(printable(label))
        }
    });
    let annotations: Vec<_> = annotations.collect();
    group.element(
        Snippet::source(stood_in(&source.text[window]))
            .line_start(first_line as usize)
            .path(path)
            .annotations(annotations),
    )
}

/// `text` with a stand-in for what is hidden, of as many bytes, so that places
/// in it stay. The renderer has signs of its own for ASCII.
fn stood_in(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| !c.is_ascii() && is_hidden(c)) {
        return Cow::Borrowed(text);
    }
    let stand_in = |c: char| match c.len_utf8() {
        _ if c.is_ascii() || !is_hidden(c) => c,
        2 => '\u{bf}',
        3 => '\u{fffd}',
        _ => '\u{1fbc4}',
    };
    Cow::Owned(text.chars().map(stand_in).collect())
}

/// The whole lines that `bytes` touches; never outside the text or inside a character.
fn lines_around(text: &str, bytes: &Range<usize>) -> Range<usize> {
    let clamp = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (start, end) = (clamp(bytes.start), clamp(bytes.end.max(bytes.start)));
    let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let last = text[end..].find('\n').map_or(text.len(), |at| end + at);
    // A line of Windows ends in two characters.
    let within = text[first..last].trim_end_matches('\r').len();
    first..first + within
}

/// Names come from files: nothing hidden in them reaches a terminal, and of
/// a long one not all.
fn printable(own: &str) -> String {
    text::line(&text::short(own, text::QUOTES)).into_owned()
}
