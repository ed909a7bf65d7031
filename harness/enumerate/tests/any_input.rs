//! Whatever the descriptors and the bytes are, there is an answer.

use crate::common::*;
use ptodiff_enumerate::{Out, enumerate, world::build};
use ptodiff_isa::{reading::GAPS, *};

/// A stream of choices, and whether they may be wild.
struct Random(u64, bool);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    fn extent(&mut self) -> u64 {
        match self.below(12) {
            _ if !self.1 => self.pick(&[1, 1, 2, 3, 8]),
            0 => self.pick(&[0, 0, 1 << 31, 1 << 33, u64::MAX]),
            1 => self.below(70),
            _ => self.pick(&[1, 1, 2, 3, 8, 16]),
        }
    }

    fn dim(&mut self) -> Dim {
        let n = self.extent();
        if self.below(2) == 0 {
            Dim::Static(n)
        } else {
            Dim::Dynamic(n)
        }
    }

    fn dtype(&mut self) -> DType {
        self.pick(&[
            DType::Int8,
            DType::Int16,
            DType::Int32,
            DType::Uint32,
            DType::Int64,
            DType::Half,
            DType::Bfloat16,
            DType::Float,
            DType::Hifloat8,
        ])
    }

    fn tile(&mut self) -> Tile {
        let padded = [self.extent(), self.extent()];
        let valid = [self.dim(), self.dim()];
        let [valid_row, valid_col] = match self.1 {
            true => valid,
            false => [0, 1].map(|i| Dim::Dynamic(valid[i].get().min(padded[i]))),
        };
        Tile {
            location: self.pick(&[TileType::Vec, TileType::Mat]),
            dtype: self.dtype(),
            rows: padded[0],
            cols: padded[1],
            valid_row,
            valid_col,
            blayout: self.pick(&[BLayout::RowMajor, BLayout::ColMajor]),
            slayout: self.pick(&[SLayout::NoneBox, SLayout::NoneBox, SLayout::RowMajor]),
            fractal: self.pick(&[512, 512, 1024]),
        }
    }

    /// Of an index: mostly 32-bit integers.
    fn index(&mut self) -> Tile {
        let mut t = self.tile();
        if self.below(4) > 0 {
            t.dtype = self.pick(&[DType::Int32, DType::Uint32]);
        }
        t
    }

    fn tensor(&mut self) -> GlobalTensor {
        GlobalTensor {
            dtype: self.pick(&[DType::Int32, DType::Int32, DType::Half]),
            shape: [0; 5].map(|_| self.dim()),
            stride: [0; 5].map(|_| self.dim()),
            layout: self.pick(&[Layout::ND, Layout::ND, Layout::NZ, Layout::DN]),
        }
    }

    fn call(&mut self) -> Call {
        let mode = self.pick(&[Coalesce::Row, Coalesce::Elem]);
        let atomic = self.pick(&[
            ScatterAtomicOp::None,
            ScatterAtomicOp::Add,
            ScatterAtomicOp::Max,
        ]);
        let s_oob = self.pick(&[ScatterOob::Skip, ScatterOob::Clamp, ScatterOob::Wrap]);
        let g_oob = self.pick(&[
            GatherOob::Undefined,
            GatherOob::Clamp,
            GatherOob::Wrap,
            GatherOob::Zero,
        ]);
        match self.below(7) {
            0 => Call::Mscatter(Mscatter {
                atomic,
                oob: s_oob,
                conflict: self.pick(&[ScatterConflict::Last, ScatterConflict::Default]),
                ..build::scatter(self.tensor(), self.tile(), self.index(), mode)
            }),
            1 => Call::MscatterFirst(MscatterFirst {
                atomic,
                oob: s_oob,
                ..build::first(self.tensor(), self.tile(), self.index())
            }),
            2 => Call::Mgather(Mgather {
                oob: g_oob,
                ..build::gather(self.tile(), self.tensor(), self.index(), mode)
            }),
            3 => Call::MgatherL1(MgatherL1 {
                dst: self.tile(),
                table: self.tensor(),
                idx: self.tensor(),
                scratch: None,
                mode,
                oob: g_oob,
                exec: self.pick(&[GatherExec::Scalar, GatherExec::Simt]),
                launch: Launch::default(),
            }),
            4 => Call::TscatterIndex(TscatterIndex {
                dst: self.tile(),
                src: self.tile(),
                idx: self.index(),
            }),
            5 => Call::TscatterMask(TscatterMask {
                dst: self.tile(),
                src: self.tile(),
                pattern: self.pick(&[MaskPattern::P1111, MaskPattern::P1010, MaskPattern::P1000]),
                axis: self.pick(&[MaskAxis::Row, MaskAxis::Col]),
            }),
            _ => Call::Tgatherb(Tgatherb {
                dst: self.tile(),
                src: self.tile(),
                offset: self.index(),
            }),
        }
    }

    fn readings(&mut self) -> Readings {
        let mut readings = Readings::default();
        for gap in GAPS {
            let choice = self.pick(gap.choices);
            readings.set(gap.name, choice).unwrap();
        }
        readings
    }

    fn memory(&mut self) -> Memory {
        let roles = [
            Role::Table,
            Role::Source,
            Role::Destination,
            Role::Index,
            Role::Scratch,
        ];
        let bytes = |random: &mut Self| {
            let n = match random.1 {
                true => random.pick(&[0, 3, 64, 64, 600, 2000]),
                false => 1024,
            };
            (0..n)
                .map(|_| random.below(6) as u8 * 51)
                .collect::<Vec<_>>()
        };
        let mut regions = Vec::new();
        for role in roles {
            let bytes = bytes(self);
            let body = 0..bytes.len();
            if !self.1 || self.below(20) > 0 {
                regions.push(Region::new(role, bytes, body));
            }
        }
        Memory { regions }
    }
}

#[test]
fn there_is_always_an_answer() {
    let mut random = Random(0x0DD5_EED0_0DD5_EED0, true);
    let mut told = [0; 2];
    for n in 0..4000 {
        random.1 = n % 2 == 0;
        let call = random.call();
        let target = random.pick(&[Target::Cpu, Target::A2a3, Target::A5]);
        let readings = random.readings();
        let steps = [random.memory(), random.memory()];
        let count = random.below(3) as usize;
        let steps: Vec<_> = steps.iter().take(count).collect();
        match enumerate(&call, &steps, target, &readings) {
            Out::Of(_) | Out::Undefined(_) => told[0] += 1,
            Out::TooLarge | Out::NotCovered(_) => told[1] += 1,
        }
    }
    assert!(told.iter().all(|&n| n > 150), "{told:?}");
}

#[test]
fn what_is_too_large_is_not_begun() {
    let wide = tile(DType::Int32, [1 << 20, 1 << 20], [1, 1]);
    let small = tile(DType::Int32, [1, 1], [1, 1]);
    let m = tiles(DType::Int32, [&[0], &[0], &[0]]);
    for (dst, src) in [(wide, small), (small, wide)] {
        let call = Call::Tgatherb(Tgatherb {
            dst,
            src,
            offset: small,
        });
        assert_eq!(told(&call, &[&m], Target::A5, &[]), "too large");
    }
    // One element that 2^40 numbers lead to.
    let dims = [[1, 1, 1 << 20, 1 << 20, 1], [0, 0, 0, 0, 1]];
    let table = tensor(DType::Int32, Layout::ND, dims);
    let call = Call::Mgather(Mgather {
        oob: GatherOob::Zero,
        ..build::gather(small, table, small, Coalesce::Elem)
    });
    let m = loads(DType::Int32, [&[0], &[0], &[0]]);
    assert_eq!(told(&call, &[&m], Target::A2a3, &[]), "too large");
}
