//! The difference of two records as a page: one file, no script, no request.

use std::io::{self, Write};

use ptodiff_edge::consumer::html as text;

use super::{Case, Change, RunDiff, counts};

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:14px/1.45 system-ui,sans-serif;margin:0 auto;max-width:75rem;padding:1rem}\
h1{font-size:1.25rem;overflow-wrap:anywhere}h2{font-size:1rem;margin-top:2rem}\
.scroll{overflow-x:auto}\
table{border-collapse:collapse;min-width:100%}\
th,td{border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent);\
padding:.25rem .5rem;text-align:left;vertical-align:top}\
code{font:13px/1.4 ui-monospace,monospace;white-space:pre-wrap}\
p code,li code{overflow-wrap:anywhere}\
td{min-width:6ch}td:last-child{min-width:24ch}\
ul{margin:0;padding-left:1rem}\
.worse{font-weight:600;border:1px solid;border-radius:3px;padding:0 .3rem}";

/// Writes what differs as one static page.
///
/// # Errors
/// What the writer gives.
pub fn write_diff_html(mut to: impl Write, diff: &RunDiff<'_>) -> io::Result<()> {
    let [before, after] = diff.names.map(text);
    write!(
        to,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>ptodiff: {before} to {after}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>ptodiff: <code>{before}</code> to <code>{after}</code></h1>\n<p>{}</p>\n",
        counts(diff)
    )?;
    if !diff.told.is_empty() {
        writeln!(to, "<h2>What the runs were told differs</h2>\n<ul>")?;
        for part in &diff.told {
            let [was, is] = part.words().map(text);
            let name = text(&part.name);
            writeln!(
                to,
                "<li>{name}: <code>{was}</code> became <code>{is}</code></li>"
            )?;
        }
        writeln!(to, "</ul>")?;
    }
    if !diff.changed.is_empty() {
        write_table(&mut to, "Changed", &["", "case", "was", "is", "what"])?;
        diff.changed
            .iter()
            .try_for_each(|change| write_change(&mut to, change))?;
        writeln!(to, "</tbody></table></div>")?;
    }
    for (title, cases) in [("Gone", &diff.gone), ("New", &diff.new)] {
        if !cases.is_empty() {
            write_table(&mut to, title, &["case", "verdict", "place"])?;
            cases
                .iter()
                .try_for_each(|case| write_case(&mut to, case))?;
            writeln!(to, "</tbody></table></div>")?;
        }
    }
    writeln!(to, "</main>\n</body>\n</html>")
}

fn write_table(to: &mut impl Write, title: &str, columns: &[&str]) -> io::Result<()> {
    let label = title.to_lowercase();
    write!(
        to,
        "<h2>{title}</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" \
         aria-label=\"{label} cases\"><table><thead><tr>"
    )?;
    for column in columns {
        match *column {
            "" => write!(to, "<td></td>")?,
            name => write!(to, "<th scope=\"col\">{name}</th>")?,
        }
    }
    writeln!(to, "</tr></thead><tbody>")
}

fn write_change(to: &mut impl Write, change: &Change) -> io::Result<()> {
    let mark = match change.worse {
        true => "<span class=\"worse\">worse</span>",
        false => "",
    };
    write!(
        to,
        "<tr><td>{mark}</td><td><code>{}</code></td><td>{}</td><td>{}</td><td><ul>",
        text(&change.case.id),
        change.before,
        change.case.verdict
    )?;
    for part in &change.parts {
        let [was, is] = part.words();
        write!(to, "<li>{}: {was} to {is}</li>", text(&part.name))?;
    }
    for (word, failure_groups) in [("no longer", &change.vanished), ("now", &change.appeared)] {
        for failure_group in failure_groups {
            write!(to, "<li>{word} <code>{}</code></li>", text(failure_group))?;
        }
    }
    writeln!(to, "</ul></td></tr>")
}

fn write_case(to: &mut impl Write, case: &Case) -> io::Result<()> {
    writeln!(
        to,
        "<tr><td><code>{}</code></td><td>{}</td><td><code>{}:{}</code></td></tr>",
        text(&case.id),
        case.verdict,
        text(&case.file),
        case.line
    )
}
