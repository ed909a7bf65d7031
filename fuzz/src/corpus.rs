//! The small cases of `cases/`: what inputs are neighbours of, and what seeds stand for.

use std::path::Path;
use std::sync::LazyLock;

use ptodiff_case::limits::case_memory;
use ptodiff_case::{Case, Corpus, Fill, Style, load};
use ptodiff_isa::Call;

/// Most elements in the valid region of the data tile of a small case, over all its calls.
pub const MOST_LANES: u64 = 64;

/// Most bytes of memory that a small case takes.
const MOST_MEMORY: u64 = 150 << 10;

/// All cases of `cases/`, or why there are none.
static CASES: LazyLock<Result<Corpus, String>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases");
    load(&[folder]).map_err(|error| error.render(Style::Plain))
});

/// The small ones among them.
static SMALL: LazyLock<Vec<&Case>> = LazyLock::new(|| {
    let all = all().map_or(&[][..], |corpus| &corpus.cases);
    let small = |case: &&Case| fits(&case.call, case.chunks);
    all.iter().filter(small).collect()
});

/// Every case of `cases/`, read once.
///
/// # Errors
/// What is wrong with the files, to be printed.
pub fn all() -> Result<&'static Corpus, &'static str> {
    CASES.as_ref().map_err(String::as_str)
}

/// The small cases of `cases/`, in its order; none where it cannot be read.
#[must_use]
pub fn small() -> &'static [&'static Case] {
    &SMALL
}

/// Reads `cases/`, so that no input has to wait for it. Ends the process with
/// code 2 where that fails: without its corpus a target would try other inputs.
pub fn ready() {
    if let Err(why) = all() {
        eprintln!("{why}");
        std::process::exit(2);
    }
    LazyLock::force(&SMALL);
}

/// Whether `chunks` calls of `call` are small.
#[must_use]
pub fn fits(call: &Call, chunks: u32) -> bool {
    let tile = call.data_tile();
    let lanes = tile.valid_row.get().checked_mul(tile.valid_col.get());
    let lanes = lanes.and_then(|lanes| lanes.checked_mul(chunks.into()));
    let memory = case_memory(call, chunks.into(), &Fill::Zeros);
    lanes.is_some_and(|lanes| lanes <= MOST_LANES) && memory <= MOST_MEMORY
}
