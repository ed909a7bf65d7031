//! Names, numbers and defaults as the documents give them.

use ptodiff_isa::{
    BLayout, Coalesce, CpuForm, DType, Dim, GatherOob, Layout, Memory, NegativeIndex, Party,
    Readings, Region, Role, SLayout, ScatterAtomicOp, ScatterConflict, ScatterOob, Stray, Strays,
    Target, TileType,
    reading::{GAPS, UnknownReading},
};
use strum::VariantArray;

#[test]
fn policies_have_the_numbers_of_the_documents() {
    assert_eq!(
        Coalesce::VARIANTS
            .iter()
            .map(|v| *v as u8)
            .collect::<Vec<_>>(),
        [0, 1]
    );
    assert_eq!([Coalesce::Row as u8, Coalesce::Elem as u8], [0, 1]);
    use ScatterAtomicOp as A;
    assert_eq!(
        [A::None as u8, A::Add as u8, A::Max as u8, A::Min as u8],
        [0, 1, 2, 3]
    );
    use ScatterOob as S;
    assert_eq!(
        [
            S::Undefined as u8,
            S::Skip as u8,
            S::Clamp as u8,
            S::Wrap as u8
        ],
        [0, 1, 2, 3]
    );
    use GatherOob as G;
    assert_eq!(
        [
            G::Undefined as u8,
            G::Clamp as u8,
            G::Wrap as u8,
            G::Zero as u8
        ],
        [0, 1, 2, 3]
    );
    assert_eq!(
        [ScatterConflict::Last as u8, ScatterConflict::Default as u8],
        [0, 1]
    );
}

#[test]
fn a_scatter_has_no_zero_and_a_gather_no_skip() {
    assert!("Zero".parse::<ScatterOob>().is_err());
    assert!("Skip".parse::<GatherOob>().is_err());
}

#[test]
fn defaults_are_those_of_the_templates() {
    assert_eq!(Coalesce::default(), Coalesce::Row);
    assert_eq!(ScatterAtomicOp::default(), ScatterAtomicOp::None);
    assert_eq!(ScatterOob::default(), ScatterOob::Undefined);
    assert_eq!(GatherOob::default(), GatherOob::Undefined);
    assert_eq!(ScatterConflict::default(), ScatterConflict::Last);
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
            Readings::default().choice(gap.name),
            Some(gap.choices[0]),
            "the first choice is the default"
        );
        for choice in gap.choices {
            for name in std::iter::once(gap.name).chain(gap.clauses.iter().map(|c| c.0)) {
                let mut readings = Readings::default();
                assert_eq!(readings.set(name, choice), Ok(()));
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
fn all_strays_are_counted_and_the_first_are_kept() {
    let mut strays = Strays::default();
    for offset in 0..100 {
        strays.push(Stray {
            role: Role::Table,
            offset,
            len: 1,
            write: true,
        });
    }
    assert_eq!((strays.count, strays.first.len()), (100, Strays::KEPT));
    assert_eq!(strays.first[63].offset, 63);
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
