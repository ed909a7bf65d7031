//! The faces of a record but its page, which has tests of its own.

mod cause;
mod ci;
mod coverage;
mod diff;
mod junit;
mod kinds;
mod made;
mod older;
mod plain;
mod terminal;
