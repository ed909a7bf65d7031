//! The faces of a record but its page, which has tests of its own.

mod ci;
mod coverage;
mod diff;
mod junit;
mod kinds;
mod made;
mod older;
mod terminal;
