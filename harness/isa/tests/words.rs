//! Names, numbers and defaults as the documents give them.

use ptodiff_isa::{
    BLayout, Coalesce, CpuForm, DType, Dim, GatherExec, GatherOob, Layout, MaskPattern, Memory,
    NegativeIndex, OobAccess, OobAccesses, Party, Readings, Region, Role, SLayout, ScatterAtomicOp,
    ScatterConflict, ScatterOob, Target, TileType,
    reading::{GAPS, UnknownReading},
};
use strum::VariantArray;

/// Each name of an enumeration with its number, of one byte.
fn numbers<T: Copy + ToString + VariantArray>(number: impl Fn(T) -> u8) -> Vec<(String, u8)> {
    assert_eq!(size_of::<T>(), 1);
    let all = T::VARIANTS.iter();
    all.map(|v| (v.to_string(), number(*v))).collect()
}

fn named(names: &[&str]) -> Vec<(String, u8)> {
    let all = names.iter().zip(0..);
    all.map(|(name, n)| ((*name).to_owned(), n)).collect()
}

// covers: MSCATTER-API-05, MGATHER-API-04
#[test]
fn row_is_0_and_elem_1() {
    assert_eq!(numbers(|v: Coalesce| v as u8), named(&["Row", "Elem"]));
}

// covers: MSCATTER-API-06, MSCATTER0-API-03
#[test]
fn the_atomics_are_0_to_3() {
    let names = ["None", "Add", "Max", "Min"];
    assert_eq!(numbers(|v: ScatterAtomicOp| v as u8), named(&names));
}

// covers: MSCATTER-API-07, MSCATTER0-API-04, MSCATTER-OOB-01
#[test]
fn the_policies_of_a_scatter_are_0_to_3_and_zero_is_none_of_them() {
    let names = ["Undefined", "Skip", "Clamp", "Wrap"];
    assert_eq!(numbers(|v: ScatterOob| v as u8), named(&names));
    assert!("Zero".parse::<ScatterOob>().is_err());
}

// covers: MGATHER-API-05
#[test]
fn the_policies_of_a_gather_are_0_to_3_and_skip_is_none_of_them() {
    let names = ["Undefined", "Clamp", "Wrap", "Zero"];
    assert_eq!(numbers(|v: GatherOob| v as u8), named(&names));
    assert!("Skip".parse::<GatherOob>().is_err());
}

// covers: MSCATTER-API-08
#[test]
fn last_is_0_and_default_is_1_and_last_is_the_default() {
    assert_eq!(
        numbers(|v: ScatterConflict| v as u8),
        named(&["Last", "Default"])
    );
    assert_eq!(ScatterConflict::default(), ScatterConflict::Last);
}

// covers: MGATHERL1-EXEC-01
#[test]
fn scalar_is_0_and_simt_1() {
    assert_eq!(numbers(|v: GatherExec| v as u8), named(&["Scalar", "Simt"]));
}

// covers: TSCATTER-MASK-10
#[test]
fn there_are_seven_mask_patterns() {
    let names: Vec<String> = MaskPattern::VARIANTS
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        names,
        [
            "P0101", "P1010", "P0001", "P0010", "P0100", "P1000", "P1111"
        ]
    );
}

// covers: TSCATTER-API-02
#[test]
fn a_mask_is_p1111_by_default() {
    assert_eq!(MaskPattern::default(), MaskPattern::P1111);
}

#[test]
fn defaults_are_those_of_the_templates() {
    assert_eq!(Coalesce::default(), Coalesce::Row);
    assert_eq!(ScatterAtomicOp::default(), ScatterAtomicOp::None);
    assert_eq!(ScatterOob::default(), ScatterOob::Undefined);
    assert_eq!(GatherOob::default(), GatherOob::Undefined);
    assert_eq!(
        (BLayout::default(), SLayout::default()),
        (BLayout::RowMajor, SLayout::NoneBox)
    );
    assert_eq!(
        (Layout::default(), TileType::default()),
        (Layout::ND, TileType::Vec)
    );
}

#[test]
fn dtypes_are_spelled_and_sized_as_in_the_documents() {
    let all = [
        ("int8_t", 1),
        ("uint8_t", 1),
        ("int16_t", 2),
        ("uint16_t", 2),
        ("int32_t", 4),
        ("uint32_t", 4),
        ("int64_t", 8),
        ("uint64_t", 8),
        ("half", 2),
        ("bfloat16_t", 2),
        ("float", 4),
        ("float8_e4m3_t", 1),
        ("float8_e5m2_t", 1),
        ("hifloat8_t", 1),
    ];
    assert_eq!(all.len(), DType::VARIANTS.len());
    for (name, size) in all {
        let dtype: DType = name.parse().expect("a dtype");
        assert_eq!((dtype.to_string().as_str(), dtype.size()), (name, size));
        assert_eq!(dtype.is_integer(), name.contains("int"), "{name}");
        assert_eq!(dtype.is_signed_integer(), name.starts_with("int"), "{name}");
    }
}

#[test]
fn targets_print_in_lower_case() {
    let names: Vec<String> = Target::VARIANTS.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["cpu", "a2a3", "a5"]);
}

#[test]
fn a_dynamic_extent_has_a_value_that_no_check_sees() {
    assert_eq!((Dim::Static(9).get(), Dim::Static(9).known()), (9, Some(9)));
    assert_eq!((Dim::Dynamic(9).get(), Dim::Dynamic(9).known()), (9, None));
}

#[test]
fn every_gap_parameter_can_be_set_by_name_and_by_number() {
    for gap in GAPS {
        assert_eq!(
            gap.choice(&Readings::default()),
            gap.choices[0],
            "the first choice is the default"
        );
        for choice in gap.choices {
            for name in std::iter::once(gap.name).chain(gap.clauses.iter().map(|c| c.0)) {
                let mut readings = Readings::default();
                assert_eq!(readings.set(name, choice), Ok(()));
                assert_eq!(gap.choice(&readings), *choice);
                assert_eq!(readings.choice(gap.name), Some(*choice));
            }
        }
        assert_eq!(
            Readings::default().set(gap.name, "other"),
            Err(UnknownReading::Choice(gap))
        );
    }
    assert_eq!(
        Readings::default().set("other", "unsigned"),
        Err(UnknownReading::Gap)
    );
    assert_eq!(Readings::default().cpu_form, CpuForm::Documented);
    assert_eq!(Readings::default().negative_index, NegativeIndex::Unsigned);
}

#[test]
fn a_region_keeps_body_and_guard_zones_apart() {
    let mut region = Region::new(Role::Table, vec![1, 2, 3, 4, 5], 1..4);
    assert_eq!(region.body(), [2, 3, 4]);
    region.body_mut()[0] = 9;
    assert_eq!(region.bytes(), [1, 9, 3, 4, 5]);
    let memory = Memory {
        regions: vec![region],
    };
    assert!(memory.get(Role::Table).is_some() && memory.get(Role::Index).is_none());
}

#[test]
#[should_panic(expected = "must lie inside")]
fn a_body_outside_its_bytes_is_no_region() {
    let _ = Region::new(Role::Table, vec![0; 4], 2..5);
}

#[test]
fn all_oob_accesses_are_counted_and_the_first_are_kept() {
    let mut oob_accesses = OobAccesses::default();
    for offset in 0..100 {
        oob_accesses.push(OobAccess {
            role: Role::Table,
            offset,
            len: 1,
            write: true,
        });
    }
    assert_eq!(
        (oob_accesses.count, oob_accesses.first.len()),
        (100, OobAccesses::KEPT)
    );
    assert_eq!(oob_accesses.first[63].offset, 63);
}

#[test]
fn a_party_is_written_as_its_target_and_its_form() {
    let itself = Party::of(Target::A5);
    let simt = Party::form(Target::A5, "Simt");
    assert_eq!([itself.to_string(), simt.to_string()], ["a5", "a5:Simt"]);
    for party in [&itself, &simt] {
        assert_eq!(party.to_string().parse().as_ref(), Ok(party));
    }
    assert!("a6:Simt".parse::<Party>().is_err());
    assert!(itself < simt);
    let cpu = Party::of(Target::Cpu);
    assert!(cpu.meets(&itself) && itself.meets(&simt) && !cpu.meets(&simt));
}
