//! The words of the assembly, and the numbers of its forms.

use std::collections::HashSet;

use crate::{
    calls::{call, spelled},
    common::calls,
};
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use ptodiff_asm::{cpp, forms};
use ptodiff_isa::{Call, DType, GatherOob, Role, ScatterAtomicOp, ScatterOob, Target};
use strum::VariantArray;

/// Whether a form of the call is this text.
fn is_written(call: &Call, text: &str) -> bool {
    forms(call).iter().any(|form| form.text == spelled(text))
}

/// `i32` is documented (MSCATTER-ASM-02); the others are MLIR's.
#[test]
fn every_element_type_has_its_word() {
    const WORDS: [(DType, &str); 14] = [
        (DType::Int8, "i8"),
        (DType::Uint8, "ui8"),
        (DType::Int16, "i16"),
        (DType::Uint16, "ui16"),
        (DType::Int32, "i32"),
        (DType::Uint32, "ui32"),
        (DType::Int64, "i64"),
        (DType::Uint64, "ui64"),
        (DType::Half, "f16"),
        (DType::Bfloat16, "bf16"),
        (DType::Float, "f32"),
        (DType::Float8E4M3, "f8E4M3FN"),
        (DType::Float8E5M2, "f8E5M2"),
        (DType::Hifloat8, "hif8"),
    ];
    assert_eq!(WORDS.map(|(dtype, _)| dtype), DType::VARIANTS);
    for (dtype, word) in WORDS {
        let line = format!(
            "%dst = pto.tscatter %src, %idx : ($(tile f32 16 16), $(tile {word} 2 1)) -> \
             $(tile f32 16 16)"
        );
        let read = call(&line);
        let index = read.operand(Role::Index).expect("indices").dtype();
        assert_eq!(index, dtype);
        assert!(is_written(&read, &line), "{line}");
    }
}

/// MGATHER-ASM-04, MSCATTER-ASM-04, MSCATTER-GAP-48: what each suffix means,
/// the defaults having none.
#[test]
fn every_suffix_means_its_policy() {
    const OPERANDS: &str = "$(memref f32 64 16), $(tile f32 8 16), $(tile i32 1 8)";
    for (suffix, oob) in [
        ("", GatherOob::Undefined),
        (".clamp", GatherOob::Clamp),
        (".wrap", GatherOob::Wrap),
        (".zero", GatherOob::Zero),
    ] {
        let line = format!(
            "mgather.row{suffix} %dst, %table, %idx : \
             ($(tile f32 8 16), $(memref f32 64 16), $(tile i32 1 8))"
        );
        let read = call(&line);
        assert!(matches!(read, Call::Mgather(c) if c.oob == oob), "{line}");
        assert!(is_written(&read, &line), "{line}");
    }
    for (oob_suffix, oob) in [
        ("", ScatterOob::Undefined),
        (".skip", ScatterOob::Skip),
        (".clamp", ScatterOob::Clamp),
        (".wrap", ScatterOob::Wrap),
    ] {
        for (atomic_suffix, atomic) in [
            ("", ScatterAtomicOp::None),
            (".atomic_add", ScatterAtomicOp::Add),
            (".atomic_max", ScatterAtomicOp::Max),
            (".atomic_min", ScatterAtomicOp::Min),
        ] {
            let line = format!(
                "mscatter.elem{oob_suffix}{atomic_suffix} %table, %src, %idx : ({OPERANDS})"
            );
            let read = call(&line);
            let policies = matches!(read, Call::Mscatter(c) if (c.oob, c.atomic) == (oob, atomic));
            assert!(policies && is_written(&read, &line), "{line}");
        }
    }
}

#[test]
fn every_number_stands_in_the_register() {
    let mut runner = TestRunner::deterministic();
    let mut seen = HashSet::new();
    for _ in 0..300 {
        let call = calls().new_tree(&mut runner).expect("a call").current();
        seen.extend(forms(&call).into_iter().map(|form| form.clause));
        let rejected = Target::VARIANTS
            .iter()
            .filter_map(|target| cpp(&call, *target).err());
        seen.extend(rejected.map(|error| error.clause));
    }
    // In the order of `Call`'s variants, then the rejections.
    assert_eq!(seen.len(), 6 + 2 + 6 + 1 + 4 + 1 + 4 + 6);
    for clause in seen {
        assert!(ptodiff_register::find(clause.0).is_some(), "{clause}");
    }
}
