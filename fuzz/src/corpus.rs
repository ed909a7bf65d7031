//! The small cases of `cases/`: what inputs are neighbours of, and what seeds stand for.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use ptodiff_case::{Case, Corpus, Style, load};
use ptodiff_isa::{Call, Operand, Role};

/// Most elements in the valid region of the data tile of a small case, over all its calls.
pub const MOST_LANES: u64 = 64;

/// Most bytes of all operands of a small case, over all its calls.
pub const MOST_BYTES: u64 = 16 << 10;

/// All cases of `cases/`, or why there are none.
static CASES: LazyLock<Result<Corpus, String>> =
    LazyLock::new(|| load(&[folder()]).map_err(|error| error.render(Style::Plain)));

/// The small ones among them.
static SMALL: LazyLock<Vec<&Case>> = LazyLock::new(|| {
    let all = all().map_or(&[][..], |corpus| &corpus.cases);
    let small = |case: &&Case| fits(&case.call, case.chunks);
    all.iter().filter(small).collect()
});

/// The folder `cases/` beside this crate.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases")
}

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
    let operands = call.operands().into_iter();
    let bytes = operands
        .map(|(role, operand)| bytes(role, operand, chunks))
        .try_fold(0_u64, |sum, bytes| sum.checked_add(bytes?));
    lanes.is_some_and(|lanes| lanes <= MOST_LANES) && bytes.is_some_and(|bytes| bytes <= MOST_BYTES)
}

/// Bytes of an operand's storage, or of its data over all calls where that is
/// more; none past 2^64.
fn bytes(role: Role, operand: Operand<'_>, chunks: u32) -> Option<u64> {
    let stored = match operand {
        Operand::Tile(tile) => tile.rows.checked_mul(tile.cols)?,
        Operand::Tensor(tensor) => {
            let mut dims = tensor.shape.iter().zip(&tensor.stride);
            dims.try_fold(1_u64, |sum, (extent, stride)| {
                let last = extent.get().saturating_sub(1);
                sum.checked_add(last.checked_mul(stride.get())?)
            })?
        }
    };
    let data = elements(role, operand, chunks)?;
    stored.max(data).checked_mul(operand.dtype().size() as u64)
}

/// Elements of an operand that literal data gives, over all calls; none past 2^64.
pub(crate) fn elements(role: Role, operand: Operand<'_>, chunks: u32) -> Option<u64> {
    let anew = match operand {
        Operand::Tile(_) => true,
        Operand::Tensor(_) => role == Role::Index,
    };
    let count = match operand {
        Operand::Tile(tile) => tile.valid_row.get().checked_mul(tile.valid_col.get())?,
        Operand::Tensor(tensor) if tensor.shape.iter().any(|dim| dim.get() == 0) => 0,
        Operand::Tensor(tensor) => {
            let mut shape = tensor.shape.iter();
            shape.try_fold(1_u64, |product, dim| product.checked_mul(dim.get()))?
        }
    };
    count.checked_mul(if anew { chunks.into() } else { 1 })
}
