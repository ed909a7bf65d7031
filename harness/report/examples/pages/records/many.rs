//! A run of very many cases.

use ptodiff_record::CaseRecord;

use super::{diverging::value, mixed, yaml};

/// As many cases as a long fuzzing run has: those of a [mixed](mixed()) one over and over,
/// each with a name, operands and values of its own.
pub(crate) fn many(cases: usize) -> Vec<CaseRecord> {
    let mixed = mixed();
    (0..cases)
        .map(|n| own(n, mixed[n % mixed.len()].clone()))
        .collect()
}

fn own(n: usize, mut one: CaseRecord) -> CaseRecord {
    // They look random.
    let seed = (n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let draw = |at: u32, below: u64| (seed >> at) % below;
    let of = |at, all: &[&'static str]| all[draw(at, all.len() as u64) as usize];
    let mode = of(60, &["Row", "Elem"]);
    let oob = of(56, &["Undefined", "Skip", "Clamp", "Wrap"]);
    let dtype = of(
        50,
        &[
            "float",
            "half",
            "bfloat16_t",
            "int32_t",
            "uint16_t",
            "uint8_t",
        ],
    );
    let conflict = of(48, &["Default", "Last"]);
    let tile = format!("{}x{}", 1 + draw(40, 16), 8 + 8 * draw(32, 8));
    let table = 1 + draw(20, 4096);
    one.name = format!("{mode}_{oob}_{dtype}_{conflict}_{tile}_{n}").to_lowercase();
    let stem = format!("{}_{}", one.instruction, n / 1000).to_lowercase();
    one.file = format!("fuzz/{stem}.yaml");
    one.id = format!("{stem}/{}", one.name);
    one.line = 3 + (n % 1000) as u32 * 14;
    for (key, value) in [
        ("mode", mode),
        ("oob", oob),
        ("dtype", dtype),
        ("conflict", conflict),
        ("tile", &format!("{tile} RowMajor")),
        ("table", &format!("1x1x1x1x{table}")),
    ] {
        one.call.insert(key.into(), value.into());
    }
    let slots = one.pairs.iter_mut().flat_map(|pair| &mut pair.slots);
    for (at, got) in (0..).zip(slots.flat_map(|slot| slot.got.values_mut())) {
        *got = value(0x3f00_0000 + draw(at, 1 << 24) as u32);
    }
    if let Some(detail) = &mut one.detail {
        detail.yaml = yaml(&one.name).replace("256", &table.to_string());
    }
    one
}
