//! One file a command.

pub(crate) mod check;
pub(crate) mod explain;
pub(crate) mod list;
pub(crate) mod run;
pub(crate) mod trace;
