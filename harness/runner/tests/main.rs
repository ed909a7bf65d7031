//! Trials of cases, and what is told of them.

mod any_call;
mod axes;
#[path = "../../case/tests/blocks.rs"]
mod blocks;
mod citations;
mod detail;
mod enumerated;
mod expectation;
mod flip;
mod random;
#[path = "../../record/tests/shown.rs"]
mod shown;
mod worlds;

use std::{path::Path, sync::LazyLock};

use ptodiff_case::Case;

/// All cases of `cases/`, read once.
static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    ptodiff_case::load(&[root]).expect("the cases read").cases
});
