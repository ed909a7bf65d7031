//! A call in the words that peers read, and its operands in files.

use std::{fmt::Write, fs, path::Path};

use ptodiff_isa::{
    Call, Coalesce, DType, GlobalTensor, MaskPattern, Memory, OffsetGranularity, Readings, Role,
    ScatterAtomicOp, Tile,
};

use crate::peer::Failed;

/// What peers have to know of a call on full tiles and packed tensors.
pub(crate) struct Operation {
    name: &'static str,
    dtype: DType,
    policy: &'static str,
    atomic: &'static str,
    output: Role,
    rows: u64,
    cols: u64,
    /// Rows or elements of the table; 0 without one.
    capacity: u64,
    /// Of a mask: one of so many is written, this one.
    group: u64,
    place: u64,
}

impl Operation {
    pub(crate) fn of(call: &Call, readings: &Readings) -> Self {
        let on = |name, tile: &Tile| Self {
            name,
            dtype: tile.dtype,
            policy: "Undefined",
            atomic: ScatterAtomicOp::None.into(),
            output: call.output(),
            rows: tile.rows,
            cols: tile.cols,
            capacity: 0,
            group: 1,
            place: 0,
        };
        match call {
            Call::Mscatter(c) => Self {
                policy: c.oob.into(),
                atomic: c.atomic.into(),
                capacity: capacity(&c.table, c.mode),
                ..on(by("scatter-row", "scatter-elem", c.mode), &c.src)
            },
            Call::MscatterFirst(c) => Self {
                policy: c.oob.into(),
                atomic: c.atomic.into(),
                capacity: capacity(&c.table, Coalesce::Elem),
                ..on("scatter-elem", &c.src)
            },
            Call::Mgather(c) => Self {
                policy: c.oob.into(),
                capacity: capacity(&c.table, c.mode),
                ..on(by("gather-row", "gather-elem", c.mode), &c.dst)
            },
            Call::MgatherL1(c) => Self {
                policy: c.oob.into(),
                capacity: capacity(&c.table, c.mode),
                ..on(by("gather-l1-row", "gather-l1-elem", c.mode), &c.dst)
            },
            Call::TscatterIndex(c) => on("tile-scatter", &c.src),
            Call::TscatterMask(c) => {
                let (group, place) = selected(c.pattern);
                Self {
                    group,
                    place,
                    ..on("mask-scatter", &c.src)
                }
            }
            Call::Tgatherb(c) => match readings.tgatherb_granularity {
                OffsetGranularity::Block => on("block-gather", &c.dst),
                OffsetGranularity::Element => on("byte-gather", &c.dst),
            },
        }
    }

    fn words(&self) -> String {
        let Self {
            name,
            dtype,
            policy,
            atomic,
            output,
            rows,
            cols,
            capacity,
            group,
            place,
        } = self;
        let mut words = format!("operation {name}\ndtype {dtype}\npolicy {policy}\n");
        // A string takes all that is written to it.
        let _ = write!(
            words,
            "atomic {atomic}\noutput {output}\nrows {rows}\ncols {cols}\n\
             capacity {capacity}\ngroup {group}\nplace {place}\n"
        );
        words
    }
}

const fn by(row: &'static str, elem: &'static str, mode: Coalesce) -> &'static str {
    match mode {
        Coalesce::Row => row,
        Coalesce::Elem => elem,
    }
}

fn capacity(table: &GlobalTensor, mode: Coalesce) -> u64 {
    let extents = match mode {
        Coalesce::Row => &table.shape[..4],
        Coalesce::Elem => &table.shape[..],
    };
    extents.iter().map(|extent| extent.get()).product()
}

/// The group's length, and the lane of it that is written.
const fn selected(pattern: MaskPattern) -> (u64, u64) {
    match pattern {
        MaskPattern::P1111 => (1, 0),
        MaskPattern::P0101 => (2, 0),
        MaskPattern::P1010 => (2, 1),
        MaskPattern::P0001 => (4, 0),
        MaskPattern::P0010 => (4, 1),
        MaskPattern::P0100 => (4, 2),
        MaskPattern::P1000 => (4, 3),
    }
}

/// Makes `folder` hold `operation` and its operands, and nothing else: a file a
/// role, without guard zones.
pub(crate) fn write(operation: &Operation, memory: &Memory, folder: &Path) -> Result<(), Failed> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(Failed::at(folder))?;
    }
    fs::create_dir_all(folder).map_err(Failed::at(folder))?;
    let words = folder.join("operation");
    fs::write(&words, operation.words()).map_err(Failed::at(&words))?;
    for region in &memory.regions {
        let file = folder.join(region.role.to_string());
        fs::write(&file, region.body()).map_err(Failed::at(&file))?;
    }
    Ok(())
}
