//! MGATHER, GM to L1, as MGATHERL1-GAP-14 has it on this target.

use ptodiff_isa::{
    Call, Coalesce, DType, Dim, GatherExec, GatherOob, GlobalTensor, How, L1IndexPitch, Log, Model,
    Scope, Tile,
};
use ptodiff_model_cpu::Cpu;

use crate::common::{
    by_default, bytes, counted, dynamic, flat, gather_l1, i32s, made, memory, nz, reading, rows,
    table, to_i32s, to_u16s, u16s,
};

use Coalesce::{Elem, Row};
use DType::{Half, Int32};
use GatherOob::{Clamp, Undefined, Wrap, Zero};

/// Gathers words from a table counted up from 0 into a tile of -7, under both
/// scopes, which must not matter.
fn gathered(
    (mode, oob): (Coalesce, GatherOob),
    dst: Tile,
    table: GlobalTensor,
    idx: GlobalTensor,
    indices: &[i32],
) -> Vec<i32> {
    let slots: u64 = table.shape.iter().map(|extent| extent.get()).product();
    let call = Call::MgatherL1(gather_l1(mode, oob, dst, table, idx));
    let operands: [&[u8]; 3] = [
        &i32s(&vec![-7; (dst.rows * dst.cols) as usize]),
        &counted(0, slots as usize),
        &i32s(indices),
    ];
    let suite = reading(|r| r.scope = Scope::AsTheSuite);
    let out = by_default(call, &operands);
    assert_eq!(made(suite, call, &operands), out);
    to_i32s(&out)
}

// MGATHERL1-SEM-01: row r is table row r mod 8, table[i][k] = 100 * i + k.
#[test]
fn rows_lie_in_nz_order() {
    let dst = nz(Half, [16, 32], [16, 32]);
    let idx: Vec<i32> = (0..16).map(|r| r % 8).collect();
    let values: Vec<u16> = (0..8)
        .flat_map(|i| (0..32).map(move |k| 100 * i + k))
        .collect();
    for dst in [dst, dynamic(dst)] {
        let call = gather_l1(Row, Undefined, dst, rows(Half, 8, 32), flat(Int32, 16));
        let operands: [&[u8]; 3] = [&u16s(&[7; 512]), &u16s(&values), &i32s(&idx)];
        let out = to_u16s(&by_default(Call::MgatherL1(call), &operands));
        // MGATHERL1-NZ-02: (9, 20) is at 404, (3, 20) at 308.
        assert_eq!((out[404], out[308]), (120, 320));
        // Element p stands in block column p / 256, row p / 16 mod 16.
        for (p, found) in out.iter().enumerate() {
            let (r, c) = (p / 16 % 16, p / 256 * 16 + p % 16);
            assert_eq!(usize::from(*found), 100 * (r % 8) + c, "{p}");
        }
    }
}

// MGATHERL1-GAP-14: Row capacity Shape[3] (4, not 8), pitch Shape[4];
// MGATHERL1-CAP-02: Elem capacity is the whole shape.
#[test]
fn policies_are_those_of_the_other_form() {
    let dst = nz(Int32, [16, 8], [3, 2]);
    let table = table(Int32, [1, 1, 2, 4, 8]);
    for (oob, indices, expected) in [
        (Clamp, [1, 5, -1], [[8, 9], [24, 25], [24, 25]]),
        (Wrap, [1, 4, -1], [[8, 9], [0, 1], [24, 25]]),
        (Zero, [1, 4, 3], [[8, 9], [0, 0], [24, 25]]),
        // Rows 4 to 7 are those of the next plane, which nothing bounds.
        (Undefined, [4, 0, 1], [[32, 33], [0, 1], [8, 9]]),
    ] {
        let out = gathered((Row, oob), dst, table, flat(Int32, 3), &indices);
        assert_eq!([out[0], out[1]], expected[0], "{oob}");
        assert_eq!([out[8], out[9]], expected[1], "{oob}");
        assert_eq!([out[16], out[17]], expected[2], "{oob}");
    }
    for (oob, expected) in [
        (Clamp, [0, 63, 63, 63, 63, 2]),
        (Wrap, [0, 63, 0, 1, 63, 2]),
        (Zero, [0, 63, 0, 0, 0, 2]),
    ] {
        let indices = [0, 63, 64, 65, -1, 2];
        let out = gathered((Elem, oob), dst, table, flat(Int32, 6), &indices);
        let got = [out[0], out[1], out[8], out[9], out[16], out[17]];
        assert_eq!(got, expected, "{oob}");
    }
}

// MGATHERL1-GAP-03: decoys (9) between the rows of the index tensor.
#[test]
fn the_index_tensor_is_read_as_the_reading_says() {
    use L1IndexPitch::{Linear, Strided};
    let indices = i32s(&[4, 9, 5, 9, 9, 9, 6, 9, 7]);
    for (mode, stride, pitch, expected) in [
        (Elem, [6, 2], Strided, [4, 5, 6, 7]),
        (Elem, [6, 2], Linear, [4, 9, 5, 9]),
        (Elem, [2, 1], Strided, [4, 9, 5, 9]),
        // Row takes index r at r * GetStride(DIM_4); rows of 1 hold two columns here.
        (Row, [6, 2], Strided, [4, 5, 5, 6]),
        (Row, [6, 2], Linear, [4, 5, 9, 10]),
        (Row, [6, 1], Strided, [4, 5, 9, 10]),
    ] {
        let mut idx = rows(Int32, 2, 2);
        (idx.stride[3], idx.stride[4]) = (Dim::Static(stride[0]), Dim::Dynamic(stride[1]));
        let dst = nz(Int32, [16, 8], [2, 2]);
        let call = gather_l1(mode, Undefined, dst, rows(Int32, 11, 1), idx);
        let readings = reading(|r| r.l1_index_pitch = pitch);
        let operands: [&[u8]; 3] = [&[0; 512], &counted(0, 11), &indices];
        let out = to_i32s(&made(readings, Call::MgatherL1(call), &operands));
        assert_eq!([out[0], out[1], out[8], out[9]], expected, "{mode} {pitch}");
    }
    // MGATHER-DTYPE-04: any integral index, cast to `uint32_t`: 2^32 - 1 mod 10.
    let (dst, idx) = (nz(Int32, [16, 8], [1, 2]), flat(DType::Int16, 2));
    let call = Call::MgatherL1(gather_l1(Elem, Wrap, dst, flat(Int32, 10), idx));
    let narrow = bytes(&[-1, 3], i16::to_le_bytes);
    let operands: [&[u8]; 3] = [&[0; 512], &counted(0, 10), &narrow];
    assert_eq!(to_i32s(&by_default(call, &operands))[..2], [5, 3]);
}

// MGATHERL1-GAP-14: the scratch is there and stays as it is; the executor is nobody.
#[test]
fn the_scratch_is_not_touched() {
    let dst = nz(Int32, [16, 8], [2, 2]);
    let mut call = gather_l1(Elem, Zero, dst, flat(Int32, 4), flat(Int32, 4));
    let bodies: [&[u8]; 4] = [
        &[0x77; 512],
        &counted(1, 4),
        &i32s(&[3, 4, 0, 1]),
        &[0x33; 512],
    ];
    let mut missing = memory(&Call::MgatherL1(call), &bodies[..3]);
    let out = by_default(Call::MgatherL1(call), &bodies[..3]);
    let values = to_i32s(&out);
    assert_eq!((&values[..2], &values[8..10]), (&[4, 0][..], &[1, 2][..]));

    call.scratch = Some(flat(Int32, 128));
    for exec in [GatherExec::Scalar, GatherExec::Simt] {
        call.exec = exec;
        assert_eq!(by_default(Call::MgatherL1(call), &bodies), out);
    }
    let call = Call::MgatherL1(call);
    let run = Cpu.execute(&call, &mut missing, &How::default(), &mut Log::default());
    assert_eq!(run.unwrap_err().0, "the memory has no scratch operand");
}
