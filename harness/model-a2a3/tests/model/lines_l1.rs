//! The gather to L1 against plain loops.

use proptest::{prelude::*, sample::select};
use ptodiff_isa::{
    Call, Coalesce, DType, Event, GatherOob, L1IndexPitch, L1RowPadding, L1ScratchZero, Layout,
    MgatherL1,
    Pipe::{MTE2, S},
    Readings, Role,
    Space::{Gm, L1},
};

use crate::{
    common::{mat, mgather_l1, pair, table},
    plain::{Plain, body, compare, cut, dtypes, indices},
};

/// Extents of a call: of the tile, of the table, and between indices.
#[derive(Clone, Debug)]
struct Extents {
    padded: [u64; 2],
    valid: [u64; 2],
    table: [u64; 2],
    /// From one row of the table to the next.
    row: u64,
    /// From one index to the next, and from row to row.
    pitch: [u64; 2],
}

fn extents() -> impl Strategy<Value = Extents> {
    let tile = (
        (select(vec![16_u64, 32]), 1..70_u64),
        (1..17_u64, 1..70_u64),
    );
    let tall = (1..6_u64, 1..70_u64);
    let next = prop_oneof![3 => Just(1_u64), 1 => 2..4_u64];
    let gaps = (0..3_u64, next, 0..3_u64);
    (tile.0, tile.1, tall, gaps).prop_map(|(padded, valid, table, (gap, next, apart))| {
        let cols = valid.1.min(padded.1);
        let table = [table.0, table.1.max(cols)];
        Extents {
            padded: padded.into(),
            valid: [valid.0, cols],
            table,
            row: table[1] + gap,
            pitch: [next, next * cols + apart],
        }
    })
}

impl Extents {
    fn call(&self, mode: Coalesce, dtype: DType, oob: GatherOob) -> MgatherL1 {
        let one = |[rows, cols]: [u64; 2], row: u64, next: u64, dtype| {
            let stride = [rows * row, rows * row, rows * row, row, next];
            table(dtype, [1, 1, 1, rows, cols], stride, Layout::ND)
        };
        let tensor = one(self.table, self.row, 1, dtype);
        let [next, row] = self.pitch;
        MgatherL1 {
            idx: one(self.valid, row, next, DType::Uint32),
            oob,
            ..mgather_l1(mode, mat(dtype, self.padded, self.valid), tensor)
        }
    }

    fn tile_bytes(&self, width: usize) -> usize {
        (self.padded[0] * self.padded[1]) as usize * width
    }

    fn table_bytes(&self, width: usize) -> usize {
        (self.table[0] * self.row) as usize * width
    }

    /// Byte offset of the index of a position.
    fn index(&self, pitch: L1IndexPitch, r: u64, c: u64) -> i64 {
        let [next, row] = match pitch {
            L1IndexPitch::Linear => [1, self.valid[1]],
            L1IndexPitch::Strided => self.pitch,
        };
        4 * (r * row + c * next) as i64
    }
}

/// Byte offset of `byte` of a row in an NZ tile.
fn nz(rows: u64, row: u64, byte: u64) -> i64 {
    (byte / 32 * rows * 32 + row * 32 + byte % 32) as i64
}

fn elements(call: &MgatherL1, extents: &Extents, readings: &Readings, plain: &mut Plain) {
    let width = call.dst.dtype.size();
    let bytes = extents.tile_bytes(width);
    let zero = call.oob == GatherOob::Zero;
    if zero || readings.l1_scratch_zero == L1ScratchZero::Always {
        plain.clear(None, Gm, Role::Scratch, bytes);
    }
    for r in 0..extents.valid[0] {
        for c in 0..extents.valid[1] {
            let index = plain.index(Gm, extents.index(readings.l1_index_pitch, r, c), 4);
            if zero && index >= (extents.table[0] * extents.table[1]) as i64 {
                continue;
            }
            let value = plain.load(Gm, Role::Table, index * width as i64, width);
            let to = nz(extents.padded[0], r, c * width as u64);
            plain.store(Gm, Role::Scratch, to, &value);
        }
    }
    for offset in (0..bytes).step_by(64) {
        plain.note(Event::Dcci {
            role: Role::Scratch,
            offset: offset as i64,
            len: 64.min(bytes - offset) as u64,
        });
    }
    plain.note(Event::Dsb);
    pair(S, MTE2)
        .into_iter()
        .for_each(|event| plain.note(event));
    plain.note(Event::Dma {
        name: "copy_gm_to_cbuf".to_owned(),
        from: (Role::Scratch, 0),
        to: (Role::Destination, 0),
        n_burst: 1,
        len_burst: bytes as u64,
        gm_gap: 0,
        ub_gap: 0,
    });
    let image = plain.read(Role::Scratch, 0, bytes);
    plain.write(Role::Destination, 0, &image);
}

fn rows(call: &MgatherL1, extents: &Extents, readings: &Readings, plain: &mut Plain) {
    let width = call.dst.dtype.size();
    let zero = call.oob == GatherOob::Zero;
    if zero {
        let name = Some("pto_create_cbuf_matrix");
        plain.clear(name, L1, Role::Destination, extents.tile_bytes(width));
    }
    for r in 0..extents.valid[0] {
        let index = plain.index(Gm, extents.index(readings.l1_index_pitch, 0, r), 4);
        if zero && index >= extents.table[0] as i64 {
            continue;
        }
        let from = index * extents.row as i64 * width as i64;
        plain.note(Event::Nd2nz {
            name: "pto_copy_gm_to_cbuf_multi_nd2nz".to_owned(),
            from: (Role::Table, from),
            to: (Role::Destination, nz(extents.padded[0], r, 0)),
            n_value: 1,
            d_value: extents.valid[1],
            c0_stride: extents.padded[0],
            arguments: Some(11),
        });
        let row = plain.read(Role::Table, from, extents.valid[1] as usize * width);
        for (block, bytes) in (0..).zip(row.chunks(32)) {
            let mut bytes = bytes.to_vec();
            if readings.l1_row_padding != L1RowPadding::Kept {
                bytes.resize(32, 0);
            }
            let to = nz(extents.padded[0], r, 32 * block);
            plain.write(Role::Destination, to, &bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn mgather_to_l1(
        extents in extents(),
        mode in select(vec![Coalesce::Row, Coalesce::Elem]),
        dtype in dtypes(),
        oob in select(vec![GatherOob::Undefined, GatherOob::Zero]),
        pitch in select(vec![L1IndexPitch::Linear, L1IndexPitch::Strided]),
        padding in select(vec![L1RowPadding::TailZero, L1RowPadding::Kept]),
        zero in select(vec![L1ScratchZero::Always, L1ScratchZero::ZeroOnly]),
        cuts in [cut(), cut(), cut(), cut()],
        seed in any::<u32>(),
    ) {
        let width = dtype.size();
        let call = extents.call(mode, dtype, oob);
        let capacity = match mode {
            Coalesce::Row => extents.table[0],
            Coalesce::Elem => extents.table[0] * extents.table[1],
        };
        let count = (extents.valid[0] * extents.pitch[1]) as usize;
        let operands = [
            (Role::Destination, body(extents.tile_bytes(width), cuts[0])),
            (Role::Table, body(extents.table_bytes(width), cuts[1])),
            (Role::Index, indices(count, 4, capacity, seed, cuts[2])),
            (Role::Scratch, body(extents.tile_bytes(width), cuts[3])),
        ];
        let readings = Readings {
            l1_index_pitch: pitch,
            l1_row_padding: padding,
            l1_scratch_zero: zero,
            ..Readings::default()
        };
        compare(Call::MgatherL1(call), readings, operands, |plain| match mode {
            Coalesce::Row => rows(&call, &extents, &readings, plain),
            Coalesce::Elem => elements(&call, &extents, &readings, plain),
        })?;
    }
}
