//! A run of very many cases.

use ptodiff_isa::Instruction;
use ptodiff_record::{CaseRecord, Covers};

use super::diverging::value;
use super::mixed::{alone, read, rejected, undefined};
use super::{case, permitted, violating};

/// As many cases as a long fuzzing run has, of the variety that such a run has.
pub(crate) fn many(cases: usize) -> Vec<CaseRecord> {
    let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
    let kinds = [alone(), rejected(), undefined(), read()];
    (0..cases).map(|n| drawn(n, &mut draw, &kinds)).collect()
}

/// A small generator of numbers that look random.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }
}

fn drawn(
    n: usize,
    draw: &mut Draw,
    [alone, rejected, undefined, read]: &[CaseRecord; 4],
) -> CaseRecord {
    let (instruction, word) = [
        (Instruction::Mscatter, "mscatter"),
        (Instruction::Mgather, "mgather"),
        (Instruction::Tscatter, "tscatter"),
        (Instruction::Tgatherb, "tgatherb"),
    ][draw.below(4) as usize];
    let mode = draw.of(&["Row", "Elem"]);
    let dtype = draw.of(&[
        "float",
        "half",
        "bfloat16_t",
        "int32_t",
        "uint32_t",
        "int16_t",
        "uint16_t",
        "int8_t",
        "uint8_t",
    ]);
    let oob = draw.of(&["Undefined", "Skip", "Clamp", "Wrap"]);
    let conflict = draw.of(&["Default", "Last"]);
    let (rows, cols) = (1 + draw.below(16), 8 * (1 + draw.below(8)));
    let capacity = 1 + draw.below(4096);
    let name = format!(
        "{}_{}_{dtype}_{}_{rows}x{cols}_{n}",
        mode.to_lowercase(),
        oob.to_lowercase(),
        conflict.to_lowercase()
    );
    let file = format!("fuzz/{word}_{}.yaml", n / 1000);
    let mut one = match draw.below(100) {
        0 => violating(&file, &name, "MSCATTER a5 valid MSCATTER-SEM-02"),
        1..4 => permitted(
            &file,
            &name,
            draw.of(&[
                "MSCATTER a2a3/a5 permitted valid MSCATTER-CONF-06",
                "MSCATTER a2a3/a5 permitted valid MSCATTER-ATOM-18",
                "TSCATTER a2a3/a5 permitted valid TSCATTER-CONF-02",
            ]),
        ),
        kind @ 4..65 => CaseRecord {
            id: format!("{word}_{}/{name}", n / 1000),
            name: name.clone(),
            file: file.clone(),
            holes: vec![],
            covers: Covers::default(),
            ..match kind {
                4..30 => alone.clone(),
                30..40 => rejected.clone(),
                40..50 => undefined.clone(),
                _ => read.clone(),
            }
        },
        _ => case(&file, &name),
    };
    one.instruction = instruction;
    one.line = 3 + (n % 1000) as u32 * 14;
    for (key, value) in [
        ("mode", mode.to_owned()),
        ("dtype", dtype.to_owned()),
        ("oob", oob.to_owned()),
        ("conflict", conflict.to_owned()),
        ("tile", format!("{rows}x{cols} RowMajor")),
        ("table", format!("1x1x1x1x{capacity}")),
    ] {
        one.call.insert(key.into(), value);
    }
    for two in one.pairs.iter_mut().filter(|p| p.compared > 0) {
        two.compared = rows * cols;
    }
    for two in &mut one.pairs {
        for slot in &mut two.slots {
            for got in slot.got.values_mut() {
                *got = value(0x3f00_0000 + draw.below(1 << 24) as u32);
            }
        }
    }
    if let Some(detail) = &mut one.detail {
        detail.yaml = format!(
            "cases:\n  - name: {name}\n    instruction: {instruction}\n    mode: {mode}\n    oob: {oob}\n    conflict: {conflict}\n    dtype: {dtype}\n    tile: {{shape: [{rows}, {cols}]}}\n    index: {{shape: [{rows}, {cols}], dtype: int32_t, data: {{fill: spread, below: {}, seed: {}}}}}\n    table: {{shape: [1, 1, 1, 1, {capacity}], layout: ND}}\n",
            capacity + draw.below(100),
            draw.below(1 << 32)
        );
    }
    one
}
