//! One file a command.

pub(crate) mod asm;
pub(crate) mod check;
pub(crate) mod coverage;
pub(crate) mod cpp;
pub(crate) mod diagnose;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod export_cases;
pub(crate) mod fix;
pub(crate) mod gaps;
pub(crate) mod gate;
pub(crate) mod guide;
pub(crate) mod holes;
pub(crate) mod hunt;
pub(crate) mod init;
pub(crate) mod judge;
pub(crate) mod list;
pub(crate) mod merge;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod selftest;
pub(crate) mod st;
pub(crate) mod trace;
