//! What the scalar pipe hands to the transfer pipes, and what it does there.

use ptodiff_isa::{Event, L1RowPadding, Pipe, Role, Space};
use ptodiff_memory::{Bus, Combine};

use crate::{
    nz::C0_BYTES,
    places::{byte, bytes},
};

/// One instruction of a transfer pipe.
#[derive(Clone, Copy)]
pub(crate) enum Dma {
    Transfer(Transfer),
    Nd2nz(Nd2nz),
    Clear(Clear),
}

/// From where to where a transfer moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Source tile to table, by MTE3.
    UbToGm,
    /// Table to destination tile, by MTE2.
    GmToUb,
    /// Scratch to destination tile in L1, by MTE2.
    GmToL1,
}

/// Bursts of contiguous bytes, as far apart on either side as the gaps say.
#[derive(Clone, Copy)]
pub(crate) struct Transfer {
    pub(crate) way: Way,
    /// Bytes of an element, which the name of an aligned copy has.
    pub(crate) size: usize,
    /// Where the first burst begins in GM, in bytes of the operand.
    pub(crate) gm: i64,
    /// Where it begins on chip.
    pub(crate) ub: i64,
    pub(crate) n_burst: u64,
    pub(crate) len_burst: u64,
    /// Bytes between two bursts in GM.
    pub(crate) gm_gap: i64,
    /// Bytes between two bursts on chip.
    pub(crate) ub_gap: i64,
}

/// One row of an ND table into an NZ tile in L1
/// (`pto_copy_gm_to_cbuf_multi_nd2nz`, MGATHERL1-PERF-01, -04).
#[derive(Clone, Copy)]
pub(crate) struct Nd2nz {
    pub(crate) size: usize,
    /// Where the row begins in the table, in bytes.
    pub(crate) table: i64,
    /// Where it begins in the tile.
    pub(crate) tile: i64,
    /// Elements of the row.
    pub(crate) d_value: u64,
    /// From one block of 32 bytes to the next in the tile, in such blocks.
    pub(crate) c0_stride: u64,
    /// What becomes of the rest of the last block.
    pub(crate) padding: L1RowPadding,
}

/// What nd2nz makes of 32 bytes of its row.
struct Block {
    /// Where it begins in the table, in bytes.
    from: i64,
    /// Where it begins in the tile.
    to: i64,
    /// Bytes that are moved.
    moved: u64,
    /// Bytes that are written, zeroes among them.
    written: u64,
}

/// Zeroes over a whole destination tile.
#[derive(Clone, Copy)]
pub(crate) struct Clear {
    /// The intrinsic, where the documents name one.
    pub(crate) name: Option<&'static str>,
    pub(crate) space: Space,
    pub(crate) len: u64,
}

/// The atomic-add mode of the MTE3 unit.
#[derive(Clone, Copy)]
pub(crate) struct AddMode {
    /// Bytes of an element.
    pub(crate) size: usize,
    pub(crate) sum: Combine,
}

impl Dma {
    /// The pipe that carries it out.
    pub(crate) fn pipe(&self) -> Pipe {
        match self {
            Self::Transfer(transfer) if transfer.way == Way::UbToGm => Pipe::MTE3,
            Self::Transfer(_) | Self::Nd2nz(_) | Self::Clear(_) => Pipe::MTE2,
        }
    }

    /// What the trace shows of it.
    pub(crate) fn event(&self) -> Event {
        match self {
            Self::Transfer(transfer) => transfer.event(),
            Self::Nd2nz(row) => row.event(),
            Self::Clear(clear) => Event::Fill {
                name: clear.name.map(str::to_owned),
                space: clear.space,
                role: Role::Destination,
                offset: 0,
                len: clear.len,
            },
        }
    }

    /// Counts its out-of-bounds accesses: one a burst or block on either side.
    pub(crate) fn count(&self, bus: &mut Bus<'_>) {
        match self {
            Self::Transfer(transfer) => {
                for (from, to) in transfer.bursts() {
                    bus.access(from.0, from.1, transfer.len_burst, false);
                    bus.access(to.0, to.1, transfer.len_burst, true);
                }
            }
            Self::Nd2nz(row) => {
                bus.access(Role::Table, row.table, row.len(), false);
                for block in row.blocks() {
                    bus.access(Role::Destination, block.to, block.written, true);
                }
            }
            Self::Clear(clear) => bus.access(Role::Destination, 0, clear.len, true),
        }
    }

    /// Moves the bytes, and counts nothing. In atomic-add mode what MTE3 writes is
    /// added to what stands there.
    pub(crate) fn carry_out(&self, bus: &mut Bus<'_>, add: Option<AddMode>) {
        match self {
            Self::Transfer(transfer) => transfer.carry_out(bus, add),
            Self::Nd2nz(row) => row.carry_out(bus),
            Self::Clear(clear) => bus.zero(Role::Destination, 0, clear.len),
        }
    }
}

impl Transfer {
    /// A single burst of `len` bytes.
    pub(crate) fn burst(way: Way, size: usize, gm: i64, ub: i64, len: u64) -> Self {
        Self {
            way,
            size,
            gm,
            ub,
            n_burst: 1,
            len_burst: len,
            gm_gap: 0,
            ub_gap: 0,
        }
    }

    /// The add unit reads and writes a slot at once, an element after the other.
    fn carry_out(&self, bus: &mut Bus<'_>, add: Option<AddMode>) {
        for (from, to) in self.bursts() {
            match add.filter(|_| self.way == Way::UbToGm) {
                None => bus.transfer(from, to, self.len_burst),
                Some(AddMode { size, sum }) => {
                    bus.accumulate(from, to, self.len_burst, size, sum);
                }
            }
        }
    }

    /// Where each burst reads and where it writes.
    fn bursts(&self) -> impl Iterator<Item = ((Role, i64), (Role, i64))> {
        (0..self.n_burst).map(|burst| self.ends(burst))
    }

    /// Where a burst reads and where it writes.
    fn ends(&self, burst: u64) -> ((Role, i64), (Role, i64)) {
        let at = |first: i64, gap: i64| {
            let step = i128::from(self.len_burst) + i128::from(gap);
            let steps = step.saturating_mul(burst.into());
            byte(steps.saturating_add(first.into()), 1)
        };
        let (gm, ub) = (at(self.gm, self.gm_gap), at(self.ub, self.ub_gap));
        match self.way {
            Way::UbToGm => ((Role::Source, ub), (Role::Table, gm)),
            Way::GmToUb => ((Role::Table, gm), (Role::Destination, ub)),
            Way::GmToL1 => ((Role::Scratch, gm), (Role::Destination, ub)),
        }
    }

    fn event(&self) -> Event {
        // 8-byte elements have no copy of their own.
        let bits = 8 * self.size.min(4);
        let (from, to) = self.ends(0);
        Event::Dma {
            name: match self.way {
                Way::UbToGm => format!("copy_ubuf_to_gm_align_b{bits}"),
                Way::GmToUb => format!("copy_gm_to_ubuf_align_b{bits}"),
                Way::GmToL1 => "copy_gm_to_cbuf".to_owned(),
            },
            from,
            to,
            n_burst: self.n_burst,
            len_burst: self.len_burst,
            gm_gap: self.gm_gap,
            ub_gap: self.ub_gap,
        }
    }
}

impl Nd2nz {
    fn carry_out(&self, bus: &mut Bus<'_>) {
        for block in self.blocks() {
            for k in (0..block.written).step_by(self.size) {
                let from = block.from.saturating_add_unsigned(k);
                let to = block.to.saturating_add_unsigned(k);
                let value = match k < block.moved {
                    true => bus.peek(Role::Table, from, self.size),
                    false => 0,
                };
                bus.poke(Role::Destination, to, self.size, value);
            }
        }
    }

    /// The row is read in one access and written in one a block. nd2nz fills the
    /// last block up with zeroes, unless the reading has padding kept
    /// (MGATHERL1-GAP-01).
    fn blocks(&self) -> impl Iterator<Item = Block> {
        let len = self.len();
        (0..len.div_ceil(C0_BYTES)).map(move |block| {
            let start = block * C0_BYTES;
            let moved = C0_BYTES.min(len - start);
            let step = i128::from(block).saturating_mul(self.c0_stride.into());
            Block {
                from: self.table.saturating_add_unsigned(start),
                to: byte(step, C0_BYTES as usize).saturating_add(self.tile),
                moved,
                written: match self.padding {
                    L1RowPadding::TailZero | L1RowPadding::Undefined => C0_BYTES,
                    L1RowPadding::Kept => moved,
                },
            }
        })
    }

    /// Bytes of the row.
    fn len(&self) -> u64 {
        bytes(self.d_value, self.size)
    }

    fn event(&self) -> Event {
        Event::Nd2nz {
            name: "pto_copy_gm_to_cbuf_multi_nd2nz".to_owned(),
            from: (Role::Table, self.table),
            to: (Role::Destination, self.tile),
            n_value: 1,
            d_value: self.d_value,
            c0_stride: self.c0_stride,
            arguments: Some(11),
        }
    }
}
