//! The faces of a record: text, Markdown, annotations, JUnit and the page.

#[path = "../../case/tests/blocks.rs"]
mod blocks;
mod cause;
mod coverage;
mod diff;
mod html;
mod junit;
#[path = "../../record/tests/lay.rs"]
mod lay;
mod made;
mod names;
mod pages;
mod plain;
#[path = "../../record/tests/shown.rs"]
mod shown;
mod totals;
