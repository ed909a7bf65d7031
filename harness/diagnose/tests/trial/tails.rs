//! Loops by vectors, blocks and warps that end too early or run too far.

use ptodiff_isa::{DType, Operand, Region};

use super::*;

/// The destination as it was, where `is_kept` holds of the row, the column, the valid columns and
/// the bytes of an element.
fn kept(
    call: &Call,
    memory: &mut Memory,
    how: &How,
    log: &mut Log,
    is_kept: fn(usize, usize, usize, usize) -> bool,
) -> Result<End, Fault> {
    let region = |memory: &Memory| memory.get(Role::Destination).map(|r| r.body().to_vec());
    let before = region(memory);
    let end = right().execute(call, memory, how, log)?;
    if let (Some(Operand::Tile(tile)), Some(before)) = (call.operand(Role::Destination), before) {
        let (size, pitch) = (tile.dtype.size(), tile.cols as usize);
        let [rows, cols] = [tile.valid_row, tile.valid_col].map(|dim| dim.get() as usize);
        let body = memory.get_mut(Role::Destination).expect("it").body_mut();
        for (r, c) in (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c))) {
            let at = (r * pitch + c) * size;
            if is_kept(r, c, cols, size) {
                body[at..at + size].copy_from_slice(&before[at..at + size]);
            }
        }
    }
    Ok(end)
}

/// Gathers to tiles that have their rows one after another.
fn gathers() -> Vec<Case> {
    let mut cases = cases("cases/clauses/mgather_semantics.yaml");
    cases.extend(self::cases("cases/axes"));
    cases.extend(self::cases("cases/st/mgather-a5.yaml"));
    cases.retain(|case| {
        let Call::Mgather(own) = &case.call else {
            return false;
        };
        let plain = own.dst.blayout == BLayout::RowMajor;
        plain && case.targets.contains(&Target::A5)
    });
    cases
}

#[test]
fn the_rest_of_a_row_behind_whole_pieces_is_told() {
    let of_blocks = |call: &Call, memory: &mut Memory, how: &How, log: &mut Log| {
        kept(call, memory, how, log, |_, c, cols, size| {
            c / (32 / size) == cols / (32 / size)
        })
    };
    let mistake = "leaves out what stands behind the last whole block of 32 bytes of a row";
    assert_whole(&executes(of_blocks), &gathers(), mistake);
    let of_vectors = |call: &Call, memory: &mut Memory, how: &How, log: &mut Log| {
        kept(call, memory, how, log, |_, c, cols, size| {
            c / (256 / size) == cols / (256 / size)
        })
    };
    let mistake = "leaves out what stands behind the last whole vector of 256 bytes of a row";
    assert_whole(&executes(of_vectors), &gathers(), mistake);
}

#[test]
fn the_first_lanes_of_a_gather_are_told() {
    let first = |call: &Call, memory: &mut Memory, how: &How, log: &mut Log| {
        kept(call, memory, how, log, |r, c, cols, _| r * cols + c >= 64)
    };
    assert_whole(&executes(first), &gathers(), "runs the first 64 lanes only");
}

/// Scatters the first 64 elements of a source whose tiles have padding.
fn first_of_a_scatter(
    call: &Call,
    memory: &mut Memory,
    how: &How,
    log: &mut Log,
) -> Result<End, Fault> {
    let Call::TscatterIndex(own) = call else {
        return right().execute(call, memory, how, log);
    };
    let of = |role| memory.get(role).expect("an operand").body().to_vec();
    let (source, indices) = (of(Role::Source), of(Role::Index));
    let (size, wide) = (own.src.dtype.size(), own.idx.dtype.size());
    let [rows, cols] = [own.src.valid_row, own.src.valid_col].map(|dim| dim.get());
    let all = (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c)));
    let body = memory.get_mut(Role::Destination).expect("it").body_mut();
    for (r, c) in all.take(64) {
        let at = (r * own.idx.cols + c) as usize * wide;
        let mut index = [0; 8];
        index[..wide].copy_from_slice(&indices[at..at + wide]);
        let to = u64::from_le_bytes(index) as usize * size;
        let from = (r * own.src.cols + c) as usize * size;
        if to < body.len() {
            body[to..to + size].copy_from_slice(&source[from..from + size]);
        }
    }
    Ok(End::Finished)
}

#[test]
fn the_first_lanes_of_a_scatter_are_told() {
    let mut cases = cases("cases/axes");
    cases.retain(|case| {
        let Call::TscatterIndex(own) = &case.call else {
            return false;
        };
        let tiles = [&own.src, &own.idx, &own.dst];
        let plain = tiles.iter().all(|tile| tile.blayout == BLayout::RowMajor);
        plain && case.targets.contains(&Target::A5)
    });
    assert_whole(
        &executes(first_of_a_scatter),
        &cases,
        "runs the first 64 lanes only",
    );
}

/// Takes unsigned indices of 16 bits for signed ones, and leaves the negative ones out.
fn signed_halves(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let mut call = *call;
    let (Call::TscatterIndex(own), Some(region)) = (&mut call, memory.get_mut(Role::Index)) else {
        return right().execute(&call, memory, how, log);
    };
    let before = region.clone();
    let own_indices = region.body().chunks_exact(2);
    let wide =
        own_indices.flat_map(|own| i32::from(i16::from_le_bytes([own[0], own[1]])).to_le_bytes());
    let wide: Vec<u8> = wide.collect();
    let len = wide.len();
    *region = Region::new(Role::Index, wide, 0..len);
    own.idx.dtype = DType::Uint32;
    let end = right().execute(&call, memory, how, log);
    *memory.get_mut(Role::Index).expect("it") = before;
    end
}

#[test]
fn a_sign_that_is_read_is_told_of_a_tile_that_16_bits_reach() {
    let mut cases = cases("cases/clauses/tscatter.yaml");
    cases.retain(|case| {
        let index = case.call.operand(Role::Index).map(|own| own.dtype());
        index == Some(DType::Uint16) && case.gap.is_none() && case.targets.contains(&Target::A5)
    });
    assert_whole(
        &executes(signed_halves),
        &cases,
        "takes a negative index for none",
    );
}
