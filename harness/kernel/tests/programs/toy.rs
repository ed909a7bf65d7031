//! What the stand-in library leaves in the output, worked out from the call.

use ptodiff_isa::{CacheFlush, Call, DType, Memory, Operand, Role, Target};
use ptodiff_kernel::Dialect;

/// The number that tells what an intrinsic was given (FNV-1a).
struct Print(u64);

impl Print {
    fn number(&mut self, n: u64) {
        self.0 = (self.0 ^ n).wrapping_mul(0x0100_0000_01b3);
    }

    fn operand(&mut self, operand: Operand<'_>, body: &[u8]) {
        match operand {
            Operand::Tile(t) => {
                for n in [
                    t.location as u64,
                    code(t.dtype),
                    t.rows,
                    t.cols,
                    t.blayout as u64,
                    t.slayout as u64,
                    t.fractal,
                    t.valid_row.get(),
                    t.valid_col.get(),
                ] {
                    self.number(n);
                }
            }
            Operand::Tensor(t) => {
                self.number(code(t.dtype));
                self.number(t.layout as u64);
                for (extent, stride) in t.shape.iter().zip(t.stride) {
                    self.number(extent.get());
                    self.number(stride.get());
                }
            }
        }
        for byte in body {
            self.number(u64::from(*byte));
        }
    }
}

fn code(dtype: DType) -> u64 {
    match dtype {
        DType::Half => 20,
        DType::Bfloat16 => 21,
        DType::Hifloat8 => 22,
        DType::Float8E4M3 => 23,
        DType::Float8E5M2 => 24,
        DType::Float => 34,
        integer if integer.is_signed_integer() => integer.size() as u64 + 10,
        unsigned => unsigned.size() as u64,
    }
}

/// The template arguments that reach the stand-in: MSCATTER has none on CPU but in the form of
/// its suite, and no conflict policy on A2/A3.
fn policies(call: &Call, dialect: Dialect) -> Vec<u64> {
    let templated = dialect.suite_forms || dialect.target != Target::Cpu;
    let conflict = dialect.target != Target::A2a3;
    match call {
        Call::Mscatter(_) if !templated => vec![0, 0, 0, 0],
        Call::Mscatter(c) => vec![
            c.mode as u64,
            c.atomic as u64,
            c.oob as u64,
            if conflict { c.conflict as u64 } else { 0 },
        ],
        Call::MscatterFirst(c) => vec![c.atomic as u64, c.oob as u64],
        Call::Mgather(c) => vec![c.mode as u64, c.oob as u64],
        Call::MgatherL1(c) => {
            let mut all = vec![c.mode as u64, c.oob as u64];
            all.extend(c.scratch.map(|_| c.exec as u64));
            all
        }
        Call::TscatterMask(c) => vec![c.pattern as u64, c.axis as u64],
        Call::TscatterIndex(_) | Call::Tgatherb(_) => Vec::new(),
    }
}

/// `memory` after the call, in a program that keeps guard zones of tiles or does not. On A5 a
/// scatter's kernel ends with the stand-in's flush, where the call has it.
pub(crate) fn after(call: &Call, memory: &Memory, dialect: Dialect, guards: bool) -> Memory {
    let mut print = Print(0xcbf2_9ce4_8422_2325);
    for n in policies(call, dialect) {
        print.number(n);
    }
    for (role, operand) in call.operands() {
        print.operand(operand, memory.get(role).expect("its region").body());
    }
    let mut after = memory.clone();
    let in_gm = call.output() == Role::Table;
    let output = after.get_mut(call.output()).expect("its region");
    let start = output.body_range().start;
    let bytes = output.bytes_mut();
    bytes[start..start + 8].copy_from_slice(&print.0.to_le_bytes());
    if in_gm || guards {
        bytes[start - 1] = 0xA5;
    }
    let launch = call.launch().filter(|_| dialect.target == Target::A5);
    if let Some(launch) = launch.filter(|l| in_gm && l.flush == CacheFlush::Appended) {
        let units = launch.dyn_ub_bytes.map(|ub| ub >> 12);
        *bytes.last_mut().expect("a guard zone") = units.unwrap_or(0x5A) as u8;
    }
    after
}
