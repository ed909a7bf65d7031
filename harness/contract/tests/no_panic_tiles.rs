//! Moves within a chip and gathers to L1 of every kind, most of them illegal,
//! with operands that need not fit.

use crate::{
    common::{any::*, calls::*, *},
    no_panic::answer_or_refusal,
};
use DType::{Float, Half, Int8, Int16, Int32, Uint16, Uint32};
use proptest::prelude::*;
use ptodiff_isa::*;

const PATTERNS: [MaskPattern; 7] = [
    MaskPattern::P0101,
    MaskPattern::P1010,
    MaskPattern::P0001,
    MaskPattern::P0010,
    MaskPattern::P0100,
    MaskPattern::P1000,
    MaskPattern::P1111,
];

/// Calls that some target accepts.
fn sound() -> Vec<Call> {
    vec![
        Call::MgatherL1(l1(
            l1_tile(Half, [16, 32], [5, 20]),
            matrix(Half, 4, 20),
            matrix(Int32, 1, 5),
            Coalesce::Row,
        )),
        Call::MgatherL1(l1(
            l1_tile(Float, [16, 8], [5, 3]),
            matrix(Float, 4, 8),
            matrix(Uint32, 5, 3),
            Coalesce::Elem,
        )),
        Call::TscatterIndex(TscatterIndex {
            dst: tile(Half, [2, 16], [2, 16]),
            src: tile(Half, [2, 16], [2, 5]),
            idx: tile(Uint16, [2, 16], [2, 5]),
        }),
        Call::TscatterIndex(TscatterIndex {
            dst: nz_tile(Int8, [16, 32], [16, 32]),
            src: col_major(Int8, [32, 2], [3, 2]),
            idx: col_major(Int16, [16, 2], [3, 2]),
        }),
        Call::TscatterMask(TscatterMask {
            dst: tile(Half, [2, 32], [2, 20]),
            src: tile(Half, [2, 16], [2, 5]),
            pattern: MaskPattern::P0100,
            axis: MaskAxis::Row,
        }),
        Call::TscatterMask(TscatterMask {
            dst: tile(Half, [20, 16], [20, 5]),
            src: tile(Half, [5, 16], [5, 5]),
            pattern: MaskPattern::P1000,
            axis: MaskAxis::Col,
        }),
        Call::Tgatherb(Tgatherb {
            dst: tile(Half, [3, 16], [3, 5]),
            src: tile(Half, [2, 16], [2, 16]),
            offset: tile(Uint32, [3, 8], [3, 5]),
        }),
    ]
}

/// Puts `new` in place of one tile of the call.
fn replace(call: &mut Call, which: u8, new: Tile) {
    let tiles: &mut [&mut Tile] = match call {
        Call::MgatherL1(c) => &mut [&mut c.dst],
        Call::TscatterIndex(c) => &mut [&mut c.dst, &mut c.src, &mut c.idx],
        Call::TscatterMask(c) => &mut [&mut c.dst, &mut c.src],
        Call::Tgatherb(c) => &mut [&mut c.dst, &mut c.src, &mut c.offset],
        _ => return,
    };
    let n = tiles.len();
    *tiles[which as usize % n] = new;
}

/// The same, leaving all but one valid extent as it is.
fn resize(call: &mut Call, which: u8, extent: Dim) {
    let tile = match (&*call, which % 3) {
        (Call::TscatterIndex(c), 0) => c.dst,
        (Call::TscatterIndex(c), 2) => c.idx,
        (Call::Tgatherb(c), 1) => c.src,
        (Call::Tgatherb(c), 2) => c.offset,
        (Call::TscatterMask(c), 0) => c.dst,
        _ => *call.data_tile(),
    };
    let mut tile = tile;
    if which >= 128 {
        tile.valid_row = extent;
    } else {
        tile.valid_col = extent;
    }
    let at = match (&*call, which % 3) {
        (Call::TscatterIndex(_), 1) | (Call::TscatterMask(_), 1 | 2) => 1,
        (Call::TscatterIndex(_) | Call::Tgatherb(_), at) => at,
        _ => 0,
    };
    replace(call, at, tile);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn answers_or_refuses(
        base in prop::sample::select(sound()),
        (damage, which) in (0_u8..8, any::<u8>()),
        new in any_tile(),
        extent in dim(),
        tensors in (any_table(), any_table()),
        policies in (0_usize..4, 0_usize..2, 0_usize..7),
        launch in launch(),
        readings in readings(),
        idx in indices(),
        data in prop::collection::vec(any::<u8>(), 2048),
        len in prop::sample::select(vec![0_usize, 7, 128, 2048, 2048, 2048, 2048]),
        small in any::<bool>(),
    ) {
        let mut call = base;
        match damage {
            0 => replace(&mut call, which, new),
            1 | 2 => resize(&mut call, which, extent),
            _ => {}
        }
        let (oob, exec, pattern) = policies;
        match &mut call {
            Call::MgatherL1(c) => {
                c.oob = [GatherOob::Undefined, GatherOob::Clamp, GatherOob::Wrap, GatherOob::Zero][oob];
                c.launch = launch;
                match damage {
                    3 => c.table = tensors.0,
                    4 => c.idx = tensors.1,
                    5 => c.scratch = Some(tensors.0),
                    6 => c.exec = [GatherExec::Scalar, GatherExec::Simt][exec],
                    _ => {}
                }
            }
            Call::TscatterMask(c) if damage == 3 => c.pattern = PATTERNS[pattern],
            _ => {}
        }
        // Small numbers of two bytes too.
        let idx = if small { idx.chunks(4).flat_map(|w| w[..2].to_vec()).collect() } else { idx };
        let idx: Vec<u8> = idx.into_iter().cycle().take(640).collect();
        let m = memory(&[
            (Role::Table, &data),
            (Role::Source, &data),
            (Role::Destination, &data[..len]),
            (Role::Index, &idx),
            (Role::Scratch, &data),
        ]);
        let asked = [m];
        for target in [Target::Cpu, Target::A2a3, Target::A5] {
            answer_or_refusal(&call, &asked, target, &readings)?;
        }
    }
}
