//! The data folders of the ST suites.
//!
//! A suite keeps a folder for each test, `SUITE.case`, with raw little-endian
//! files: its inputs, `golden.bin`, and `output.bin` that an implementation
//! writes. A file holds the values of one operand, all calls of a chunked test
//! after each other, packed; on a2a3 and a5 what is in NZ form on the device is
//! in NZ order in the file.

use ptodiff_isa::{BLayout, Call, DType, Layout, Operand, Role, SLayout, Target};

use crate::place::{bytes, extents};

/// The result that the suite compares with.
pub const GOLDEN: &str = "golden.bin";

/// The result that an implementation wrote.
pub const OUTPUT: &str = "output.bin";

/// Rows of an NZ block, and bytes of one of its rows (000, NZ Layout).
const BLOCK: (usize, usize) = (16, 32);

/// The order of the values in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Row-major.
    RowMajor,
    /// In blocks of 16 rows by 32 bytes: block column by block column, in each
    /// block row by block row, each block row-major. Blocks are cut off at the
    /// last row and column.
    Nz,
}

/// A file of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stored<'a> {
    /// Its name.
    pub name: &'static str,
    /// The operand that it holds.
    pub role: Role,
    /// That operand.
    pub operand: Operand<'a>,
    /// The order of its values.
    pub order: Order,
    /// How many calls it has a part of, one after the other.
    pub parts: u32,
}

/// The input files that `suite` has for `call`, issued `chunks` times.
#[must_use]
pub fn inputs(suite: Target, call: &Call, chunks: u32) -> Vec<Stored<'_>> {
    use Role::{Index, Source, Table};
    let cpu = suite == Target::Cpu;
    let names: &[(&str, Role)] = match call {
        Call::Mscatter(_) | Call::MscatterFirst(_) => {
            &[("src.bin", Source), ("indices.bin", Index)]
        }
        Call::Mgather(_) | Call::MgatherL1(_) => &[("table.bin", Table), ("indices.bin", Index)],
        Call::TscatterIndex(_) if cpu => &[("input1.bin", Source), ("input2.bin", Index)],
        Call::TscatterIndex(_) => &[("input.bin", Source), ("indexes.bin", Index)],
        Call::TscatterMask(_) if cpu => &[("x1_gm.bin", Source)],
        Call::TscatterMask(_) => &[("input.bin", Source)],
        Call::Tgatherb(_) => &[("x.bin", Source), ("offset.bin", Index)],
    };
    let file = |&(name, role)| stored(suite, call, chunks, name, role);
    names.iter().filter_map(file).collect()
}

/// The file of the result, `golden.bin` or `output.bin`.
#[must_use]
pub fn result<'a>(suite: Target, call: &'a Call, name: &'static str) -> Option<Stored<'a>> {
    // What is in GM lasts from call to call, and of tiles the last call's is kept.
    stored(suite, call, 1, name, call.output())
}

fn stored<'a>(
    suite: Target,
    call: &'a Call,
    chunks: u32,
    name: &'static str,
    role: Role,
) -> Option<Stored<'a>> {
    let operand = call.operand(role)?;
    let nz = match operand {
        Operand::Tensor(tensor) => tensor.layout == Layout::NZ,
        // The cpu suite turns what is in L1 into rows on its way out.
        Operand::Tile(tile) => {
            suite != Target::Cpu
                && (tile.blayout, tile.slayout) == (BLayout::ColMajor, SLayout::RowMajor)
        }
    };
    Some(Stored {
        name,
        role,
        operand,
        order: match nz {
            true => Order::Nz,
            false => Order::RowMajor,
        },
        parts: match role {
            Role::Table | Role::Scratch => 1,
            Role::Source | Role::Destination | Role::Index => chunks.max(1),
        },
    })
}

impl Stored<'_> {
    /// Bytes of the file; `None` past 2^64.
    #[must_use]
    pub fn len(&self) -> Option<u64> {
        bytes(self.operand)?.checked_mul(u64::from(self.parts))
    }

    /// Whether the file has no byte.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// From the bytes of the file to values in logical order.
    #[must_use]
    pub fn unpacked(&self, file: &[u8]) -> Vec<u8> {
        let mut values = vec![0; file.len()];
        self.walk(file.len(), |stored, logical| {
            values[logical].copy_from_slice(&file[stored]);
        });
        values
    }

    /// From values in logical order to the bytes of the file.
    #[must_use]
    pub fn packed(&self, values: &[u8]) -> Vec<u8> {
        let mut file = vec![0; values.len()];
        self.walk(values.len(), |stored, logical| {
            file[stored].copy_from_slice(&values[logical]);
        });
        file
    }

    /// For each value of a file of `len` bytes the number of its place in
    /// logical order, in the order of the file.
    #[must_use]
    pub fn places(&self, len: usize) -> Vec<usize> {
        let size = self.dtype().size();
        let mut places = Vec::with_capacity(len / size);
        self.walk(len, |_, logical| {
            places.extend(logical.step_by(size).map(|at| at / size));
        });
        places
    }

    /// The element type.
    #[must_use]
    pub fn dtype(&self) -> DType {
        self.operand.dtype()
    }

    /// Pairs of byte ranges that hold the same values in the file and in
    /// logical order, in the order of the file.
    fn walk(&self, len: usize, mut same: impl FnMut(Span, Span)) {
        let (rows, row) = match (self.order, &extents(self.operand)[..]) {
            (Order::Nz, &[rows, cols]) => (rows, cols.saturating_mul(self.dtype().size() as u64)),
            _ => return same(0..len, 0..len),
        };
        let (rows, row) = (whole(rows), whole(row));
        // Less than a part is of no use.
        let Some(one) = rows.checked_mul(row).filter(|one| (1..=len).contains(one)) else {
            return;
        };
        let mut stored = 0;
        for part in (0..=len - one).step_by(one) {
            for left in (0..row).step_by(BLOCK.1) {
                let wide = BLOCK.1.min(row - left);
                // Blocks of a column lie below each other, so its rows follow each other.
                for r in 0..rows {
                    let logical = part + r * row + left;
                    same(stored..stored + wide, logical..logical + wide);
                    stored += wide;
                }
            }
        }
    }
}

/// A number of bytes or rows in memory.
fn whole(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

/// Bytes.
type Span = std::ops::Range<usize>;
