//! Calls that nobody watches, on the bodies of their operands alone. A small one
//! is over here before its guard zones and handshakes would have been laid out.

use ptodiff_isa::{
    Call, Coalesce, GatherOob, GlobalTensor, Layout, Memory, Mgather, Mscatter, NdZeroFill,
    PaddedElem, Readings, Region, Role, Tile,
};

use crate::{
    bursts::Bursts,
    combine::Combine,
    extent, gather, gather_row, inside,
    operands::regions,
    remap::{Indices, Policy},
    scatter,
    scatter_row::{self, len_burst},
    strided::{self, Pitched},
    walk,
};

/// Runs lanes of `call`, first ones first, until one leaves its operands, and
/// gives how many came before unless those are all. None are run where an index
/// may be negative or lanes are not as they mostly are.
#[inline(always)]
pub(crate) fn run(call: &Call, memory: &mut Memory, readings: &Readings) -> Result<(), usize> {
    match call {
        Call::Mscatter(call) => scatter(call, memory, readings),
        Call::Mgather(call) => gather(call, memory, readings),
        _ => Err(0),
    }
}

#[inline(always)]
fn scatter(call: &Mscatter, memory: &mut Memory, readings: &Readings) -> Result<(), usize> {
    let Mscatter {
        table, src, idx, ..
    } = call;
    let lanes = lanes((call.mode, table, src, idx), readings).ok_or(0_usize)?;
    let roles = [Role::Table, Role::Source, Role::Index];
    let [table, source, index] = regions(memory, roles).map_err(|_| 0_usize)?;
    // One that notes what is written of it is written part by part.
    if table.parts_mut(0).is_some() {
        return Err(0);
    }
    let scatter = Scatter {
        call,
        readings,
        lanes,
        table: body_mut(table).ok_or(0_usize)?,
        source: body(source).ok_or(0_usize)?,
        index: body(index).ok_or(0_usize)?,
    };
    let done = scatter::select(call, readings, scatter).flatten();
    all_of(lanes.count, done)
}

#[inline(always)]
fn gather(call: &Mgather, memory: &mut Memory, readings: &Readings) -> Result<(), usize> {
    let Mgather {
        dst, table, idx, ..
    } = call;
    let lanes = lanes((call.mode, table, dst, idx), readings).ok_or(0_usize)?;
    // Of such a tile more is cleared than its lanes.
    if call.oob == GatherOob::Zero && readings.nd_zero_fill == NdZeroFill::WholeTile {
        return Err(0);
    }
    let roles = [Role::Table, Role::Destination, Role::Index];
    let [table, tile, index] = regions(memory, roles).map_err(|_| 0_usize)?;
    let gather = Gather {
        call,
        readings,
        lanes,
        table: body(table).ok_or(0_usize)?,
        tile: body_mut(tile).ok_or(0_usize)?,
        index: body(index).ok_or(0_usize)?,
    };
    all_of(lanes.count, gather::select(call, gather))
}

fn all_of(count: usize, done: Option<usize>) -> Result<(), usize> {
    match done.unwrap_or(0) {
        done if done == count => Ok(()),
        done => Err(done),
    }
}

/// Lanes whose indices lie side by side and are not negative.
#[derive(Clone, Copy)]
struct Lanes {
    /// How many; at least one.
    count: usize,
    /// What they may select; not nothing.
    capacity: usize,
}

/// The lanes of a call on an ND table, and in Elem mode on tiles without padding
/// and a table in which none counts.
#[inline(always)]
fn lanes(
    (mode, table, data, index): (Coalesce, &GlobalTensor, &Tile, &Tile),
    readings: &Readings,
) -> Option<Lanes> {
    let (rows, cols) = (data.valid_row.get(), data.valid_col.get());
    let count = match mode {
        Coalesce::Row => rows,
        Coalesce::Elem if readings.padded_elem != PaddedElem::Strided => {
            walk::unpadded(data, index)?
        }
        Coalesce::Elem => return None,
    };
    let capacity = extent::capacity(mode, table);
    let unsigned = Indices::signed(index.dtype, readings.negative_index) == Some(false);
    let plain = table.layout != Layout::NZ && unsigned;
    (plain && count != 0 && cols != 0 && capacity != 0).then_some(())?;
    Some(Lanes {
        count: usize::try_from(count).ok()?,
        capacity: usize::try_from(capacity).ok()?,
    })
}

/// A scatter whose table is open.
struct Scatter<'m> {
    call: &'m Mscatter,
    readings: &'m Readings,
    lanes: Lanes,
    table: &'m mut [u8],
    source: &'m [u8],
    index: &'m [u8],
}

impl scatter::Instance for Scatter<'_> {
    type Done = Option<usize>;

    #[inline(always)]
    fn run<const W: usize, C: Combine<W>, P: Policy>(self) -> Option<usize> {
        let (call, readings, lanes) = (self.call, self.readings, self.lanes);
        let bits = line(self.index, lanes.count)?;
        match call.mode {
            Coalesce::Elem => {
                let cells = self.table.as_chunks_mut().0;
                let reach = inside::reach::<P>(lanes.capacity, cells.len());
                let values = line(self.source, lanes.count)?;
                let cells = cells.get_mut(..reach)?;
                Some(inside::scatter_to::<W, C, P>(cells, bits, values))
            }
            Coalesce::Row if scatter::last_row_first(call, readings) => None,
            Coalesce::Row => {
                let burst = len_burst::<W>(call.src.valid_col.get(), readings.burst_tail);
                let rows = Bursts::new::<W>(burst, &call.src, lanes.capacity)?;
                let split = strided::split_rows::<W>(&call.table, readings.outer_strides);
                let (source, table) = (self.source, self.table);
                Some(match split {
                    None => {
                        let at = Pitched::new::<W>(&call.table).near()?;
                        scatter_row::near::<W, C, P>(&at, &rows, bits, source, table)
                    }
                    Some(at) => scatter_row::inside::<W, C, P, _>(&at, &rows, bits, source, table),
                })
            }
        }
    }
}

/// A gather whose tile is open.
struct Gather<'m> {
    call: &'m Mgather,
    readings: &'m Readings,
    lanes: Lanes,
    table: &'m [u8],
    tile: &'m mut [u8],
    index: &'m [u8],
}

impl gather::Instance for Gather<'_> {
    type Done = Option<usize>;

    #[inline(always)]
    fn run<const W: usize, P: Policy>(self) -> Option<usize> {
        let (call, readings, lanes) = (self.call, self.readings, self.lanes);
        let bits = line(self.index, lanes.count)?;
        match call.mode {
            Coalesce::Elem => {
                let cells = self.table.as_chunks().0;
                let reach = inside::reach::<P>(lanes.capacity, cells.len());
                let to = self.tile.as_chunks_mut().0.get_mut(..lanes.count)?;
                Some(inside::gather_from::<W, P>(cells.get(..reach)?, bits, to))
            }
            Coalesce::Row => {
                let burst = call.dst.valid_col.get().saturating_mul(W as u64);
                let rows = Bursts::new::<W>(burst, &call.dst, lanes.capacity)?;
                let split = strided::split_rows::<W>(&call.table, readings.outer_strides);
                let (table, tile) = (self.table, self.tile);
                Some(match split {
                    None => {
                        let at = Pitched::new::<W>(&call.table).near()?;
                        gather_row::near::<P>(&at, &rows, bits, table, tile)
                    }
                    Some(at) => gather_row::inside::<P, _>(&at, &rows, bits, table, tile),
                })
            }
        }
    }
}

// As a region gives them itself, but nothing here can panic: what cannot is inlined.
#[inline(always)]
fn body(region: &Region) -> Option<&[u8]> {
    region.bytes().get(region.body_range())
}

#[inline(always)]
fn body_mut(region: &mut Region) -> Option<&mut [u8]> {
    let range = region.body_range();
    region.bytes_mut().get_mut(range)
}

/// The first `count` elements of a body.
#[inline(always)]
fn line<const N: usize>(body: &[u8], count: usize) -> Option<&[[u8; N]]> {
    body.as_chunks().0.get(..count)
}

#[cfg(test)]
mod tests;
