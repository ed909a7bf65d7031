//! Which gaps can touch a call at all: saves running what cannot differ.

use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, GatherOob, GlobalTensor, Layout, MaskPattern, Memory, Mgather,
    Mscatter, Operand, Role, ScatterAtomicOp, ScatterConflict, ScatterOob, Target, Tile,
    reading::Gap,
};

/// Readings that only another edition of the documents has otherwise.
pub(crate) const OF_EDITIONS: [&str; 2] = ["index-unit", "tscatter-index"];

/// Whether another choice for `gap` may change anything of `call` on `target`.
pub(crate) fn may_matter(gap: &Gap, call: &Call, steps: &[Memory], target: Target) -> bool {
    let cpu = target == Target::Cpu;
    match (call, gap.name) {
        // What another edition says changes every call: `diff --editions` tells of it.
        (_, name) if OF_EDITIONS.contains(&name) => false,
        (_, "negative-index") => {
            let as_on_npus = !cpu || matches!(call, Call::TscatterIndex(_));
            as_on_npus && has_negative_index(call, steps)
        }
        (
            Call::Mscatter(Mscatter {
                atomic, src, table, ..
            }),
            name @ ("add-overflow" | "max-min-nan" | "max-min-zero" | "subnormals"),
        ) => npu_or_max_min(name, target) && atomics(name, *atomic, src.dtype, table.dtype),
        (
            Call::MscatterFirst(c),
            name @ ("add-overflow" | "max-min-nan" | "max-min-zero" | "subnormals"),
        ) => atomics(name, c.atomic, c.src.dtype, c.table.dtype),
        (Call::Mscatter(c), name) => scatter(name, c, target),
        (Call::Mgather(c), "undefined-gather") => {
            c.oob == GatherOob::Undefined && reaches(steps, least_capacity(c))
        }
        (Call::Mgather(c), name) => gather(name, c, target),
        (Call::MscatterFirst(c), "first-mode") => c.src.cols == 1 && c.idx.cols == 1,
        (Call::MscatterFirst(_), name) => name.starts_with("first-"),
        (Call::MgatherL1(_), "scope") => target == Target::Cpu,
        (Call::MgatherL1(c), "l1-row-padding") => c.mode == Coalesce::Row && padded(&c.dst),
        (Call::MgatherL1(c), "l1-scratch-zero") => c.mode == Coalesce::Elem && padded(&c.dst),
        (Call::MgatherL1(_), "l1-index-pitch") => true,
        (Call::TscatterIndex(c), "scope") => c.src.dtype.size() == 8 || c.dst.dtype.size() == 8,
        (Call::TscatterIndex(c), "tscatter-range") => padded(&c.dst),
        (Call::TscatterIndex(_), name) => name.starts_with("tscatter-"),
        (Call::TscatterMask(_), "scope") => true,
        (Call::TscatterMask(c), "mask-p1111-padding") => {
            c.pattern == MaskPattern::P1111 && padded(&c.dst)
        }
        (Call::Tgatherb(c), "tgatherb-boundary") => padded(&c.src),
        (Call::Tgatherb(_), name) => name.starts_with("tgatherb-"),
        _ => false,
    }
}

/// Max and Min are A5's, and CPU's under `cpu-form=templated`; the sums are
/// the NPUs'.
fn npu_or_max_min(name: &str, target: Target) -> bool {
    match name {
        "max-min-nan" | "max-min-zero" => target != Target::A2a3,
        _ => target != Target::Cpu,
    }
}

fn atomics(name: &str, atomic: ScatterAtomicOp, src: DType, table: DType) -> bool {
    use ScatterAtomicOp::{Add, Max, Min};
    let integers = src.is_integer() && table.is_integer();
    match name {
        "add-overflow" => atomic == Add && integers,
        "subnormals" => matches!(atomic, Add | Max | Min) && !integers,
        _ => matches!(atomic, Max | Min) && !integers,
    }
}

fn scatter(name: &str, c: &Mscatter, target: Target) -> bool {
    let (row, elem) = (c.mode == Coalesce::Row, c.mode == Coalesce::Elem);
    let none = c.atomic == ScatterAtomicOp::None;
    let last = none && c.conflict == ScatterConflict::Last;
    match (name, target) {
        ("cpu-form", Target::Cpu) => true,
        ("nz-elem-order", Target::A2a3) => c.table.layout == Layout::NZ && elem,
        ("row-add-order", Target::A2a3) => row && c.atomic == ScatterAtomicOp::Add,
        ("last-by", Target::A5) => elem && last && c.src.blayout == BLayout::ColMajor,
        ("undefined-last", Target::A5) => last && c.oob == ScatterOob::Undefined,
        ("burst-tail", Target::A2a3) => {
            let size = c.src.dtype.size() as u64;
            let bytes = c.src.valid_col.get().saturating_mul(size);
            row && c.table.layout == Layout::ND && !bytes.is_multiple_of(32)
        }
        _ => table(name, &c.table, c.mode, &c.src, &c.idx, target),
    }
}

fn gather(name: &str, c: &Mgather, target: Target) -> bool {
    let nd_row = c.mode == Coalesce::Row && c.table.layout == Layout::ND;
    match (name, target) {
        ("gather-padding", _) => padded(&c.dst),
        ("cpu-row-check", Target::Cpu) => c.mode == Coalesce::Row,
        ("cpu-row-index", Target::Cpu) => {
            c.mode == Coalesce::Row && c.idx.valid_col.get() == 1 && c.idx.cols > 1
        }
        ("cpu-table-type", Target::Cpu) => c.dst.dtype != c.table.dtype,
        ("nd-zero-fill", Target::A2a3) => nd_row && c.oob == GatherOob::Zero && padded(&c.dst),
        ("cpu-padded-table", Target::Cpu) => nd_row && !dense(&c.table),
        ("narrow-row", Target::Cpu) => nd_row && c.dst.valid_col.get() != c.table.shape[4].get(),
        _ => table(name, &c.table, c.mode, &c.dst, &c.idx, target),
    }
}

/// Gaps about the table and how tiles must fit it, the same for both instructions.
fn table(
    name: &str,
    table: &GlobalTensor,
    mode: Coalesce,
    data: &Tile,
    idx: &Tile,
    target: Target,
) -> bool {
    let (row, nd) = (mode == Coalesce::Row, table.layout == Layout::ND);
    let outer = table.shape[..3].iter().any(|d| d.get() != 1);
    match (name, target) {
        ("empty-extent", Target::A2a3 | Target::A5) => {
            let extents = [data.valid_row, data.valid_col, idx.valid_row, idx.valid_col];
            extents.iter().any(|d| d.get() == 0)
        }
        ("padded-elem", Target::A2a3 | Target::A5) => !row && nd && !dense(table),
        ("nz-row-columns", Target::A2a3) => row && table.layout == Layout::NZ,
        ("nz-dynamic", Target::A2a3) => {
            table.layout == Layout::NZ && table.shape[3..].iter().any(|d| d.known().is_none())
        }
        ("outer-strides", Target::A2a3) => row && nd && outer,
        ("narrow-row", Target::A2a3) => row && nd && data.valid_col.get() != table.shape[4].get(),
        ("row-capacity", Target::A5) => row && outer,
        ("width-check", Target::A5) => {
            let known = data.valid_col.known().zip(table.shape[4].known());
            !row && known.is_some_and(|(valid, width)| valid != width)
        }
        ("row-pitch", Target::A5) => {
            let cols = data.valid_col.get();
            row && (table.shape[4].get() != cols || table.stride[3].get() != cols)
        }
        ("row-index-pitch", Target::A5) => {
            row && match idx.blayout {
                BLayout::RowMajor => idx.valid_col.get() == 1 && idx.cols > 1,
                BLayout::ColMajor => idx.valid_row.get() == 1 && idx.rows > 1,
            }
        }
        _ => false,
    }
}

/// Whether the strides are those of a row-major tensor without gaps.
fn dense(table: &GlobalTensor) -> bool {
    let mut step = 1_u64;
    let both = table.shape.iter().zip(&table.stride).rev();
    both.into_iter().all(|(extent, stride)| {
        let fits = extent.get() <= 1 || stride.get() == step;
        step = step.saturating_mul(extent.get());
        fits
    })
}

/// Whether part of the tile does not count.
fn padded(tile: &Tile) -> bool {
    (tile.valid_row.get(), tile.valid_col.get()) != (tile.rows, tile.cols)
}

/// The smallest capacity that any target gives the table.
fn least_capacity(c: &Mgather) -> u64 {
    let shape = c.table.shape.map(|d| d.get());
    match (c.mode, c.table.layout) {
        (Coalesce::Elem, _) => shape.iter().fold(1, |n, d| n.saturating_mul(*d)),
        (Coalesce::Row, Layout::NZ) => shape[2].saturating_mul(16).min(shape[3]),
        (Coalesce::Row, _) => shape[3],
    }
}

/// Whether some index, taken as unsigned, is at or above `capacity`.
fn reaches(steps: &[Memory], capacity: u64) -> bool {
    let regions = steps.iter().filter_map(|s| s.get(Role::Index));
    let words = regions.flat_map(|r| r.body().as_chunks::<4>().0);
    let mut indices = words.map(|word| u64::from(u32::from_le_bytes(*word)));
    indices.any(|index| index >= capacity)
}

fn has_negative_index(call: &Call, steps: &[Memory]) -> bool {
    let Some(dtype) = call.operand(Role::Index).map(Operand::dtype) else {
        return false;
    };
    let sign = dtype.size().saturating_sub(1);
    dtype.is_signed_integer()
        && steps.iter().filter_map(|s| s.get(Role::Index)).any(|r| {
            r.body()
                .chunks_exact(dtype.size())
                .any(|i| i[sign] & 0x80 != 0)
        })
}
