//! From case and seed to stimulus.
//!
//! The same case and seed give the same bytes on any machine, at any number
//! of threads, in any order: each operand draws from a ChaCha8 stream of its
//! own, keyed by seed and case. Values are made in logical row-major order
//! first, then put where the operand's own layout has them.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod fill;
mod index;
mod number;
mod place;
mod region;
mod stream;

use ptodiff_case::Case;
use ptodiff_isa::{Call, Coalesce, GlobalTensor, Layout, Memory, Role};

use region::{table_region, tile_regions};
use stream::Stream;

/// A case made concrete.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stimulus {
    /// The memory before each call of the case, as many as the case has chunks.
    ///
    /// The first holds every operand: Table, Source, Index of a scatter,
    /// Destination, Table, Index of a gather, in that order. Later ones hold
    /// no Table: the calls of a case share one.
    pub steps: Vec<Memory>,
}

/// The bytes of every operand of `case`, drawn for the run's `seed`.
///
/// An operand's body is poison where no logical position of it lies (tile
/// padding, gaps of a strided table) and its guard zones are poison: at least
/// 64 bytes each, and a padded row of the operand where that is at most 4096.
/// Memory use is that of the operands over all chunks, twice over for a moment.
#[must_use]
pub fn stimulus(case: &Case, seed: u64) -> Stimulus {
    let call = &case.call;
    let chunks = case.chunks.max(1) as usize;
    let data_role = match call {
        Call::Mscatter(_) => Role::Source,
        Call::Mgather(_) => Role::Destination,
    };
    let stream = |operand| Stream::new(seed, case.data.seed, &case.id, operand);

    let table = table_region(call.table(), &case.data.table, &mut stream(Operand::Table));
    let tiles = tile_regions(
        data_role,
        call.data_tile(),
        chunks,
        |count, dtype, stream| fill::values(&case.data.tile, dtype, count, stream),
        &mut stream(Operand::Tile),
    );
    let capacity = capacity(call);
    let mut indices = tile_regions(
        Role::Index,
        call.index_tile(),
        chunks,
        |count, dtype, stream| {
            Some(index::values(
                &case.data.index,
                dtype,
                count,
                capacity,
                stream,
            ))
        },
        &mut stream(Operand::Index),
    );
    for region in &mut indices {
        region::mark_index_padding(region, call.index_tile(), capacity);
    }

    let mut steps: Vec<Memory> = tiles
        .into_iter()
        .zip(indices)
        .map(|(tile, index)| Memory {
            regions: vec![tile, index],
        })
        .collect();
    if let Some(first) = steps.first_mut() {
        let place = match call {
            Call::Mscatter(_) => 0,
            Call::Mgather(_) => 1,
        };
        first.regions.insert(place, table);
    }
    Stimulus { steps }
}

/// Which stream an operand draws from.
#[derive(Clone, Copy)]
enum Operand {
    Table = 0,
    Tile = 1,
    Index = 2,
}

/// How many slots an index selects among: in Row mode the table's rows
/// (`Shape[0] * .. * Shape[3]`, for NZ `gShape2 * 16`), in Elem mode its elements.
fn capacity(call: &Call) -> u64 {
    let (mode, table): (Coalesce, &GlobalTensor) = match call {
        Call::Mscatter(c) => (c.mode, &c.table),
        Call::Mgather(c) => (c.mode, &c.table),
    };
    let shape = table.shape.map(|d| d.get());
    let product = |extents: &[u64]| extents.iter().fold(1, |p: u64, &e| p.saturating_mul(e));
    match (mode, table.layout) {
        (Coalesce::Elem, _) => product(&shape),
        (Coalesce::Row, Layout::NZ) => shape[2].saturating_mul(16),
        (Coalesce::Row, Layout::ND | Layout::DN) => product(&shape[..4]),
    }
}
