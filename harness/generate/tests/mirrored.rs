//! The mirrored ST suites: all cases are there, and they are what the suites have.
//!
//! Names, totals and rows are copied by hand from the tables of the suites.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use ptodiff_case::{Case, Corpus, Fill, IndexPattern, Style, check_names, load};
use ptodiff_generate::stimulus;
use ptodiff_isa::{BLayout, Call, CpuForm, DType, Dim, Layout, Role, SLayout, Target, Tile};

static CORPUS: LazyLock<Corpus> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/st");
    load(&[folder]).unwrap_or_else(|error| panic!("{}", error.render(Style::Plain)))
});

fn cases() -> &'static [Case] {
    &CORPUS.cases
}

fn suite(case: &Case) -> Target {
    case.suite.expect("a mirrored case names its suite")
}

fn key(case: &Case) -> String {
    format!("{} {} {}", case.call.instruction(), suite(case), case.name)
}

fn count(cases: &[Case], of: impl Fn(&Case) -> String) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for case in cases {
        *counts.entry(of(case)).or_default() += 1;
    }
    counts
}

fn expected<'a>(counts: impl IntoIterator<Item = (&'a str, usize)>) -> BTreeMap<String, usize> {
    let counts = counts.into_iter();
    counts.map(|(key, n)| (key.to_owned(), n)).collect()
}

fn policy(case: &Case) -> String {
    match &case.call {
        Call::Mscatter(c) => format!("{} {} {} {}", c.mode, c.atomic, c.oob, c.conflict),
        Call::Mgather(c) => format!("{} {}", c.mode, c.oob),
    }
}

fn pattern(case: &Case) -> &'static str {
    match case.data.index {
        IndexPattern::Random => "random",
        IndexPattern::Same => "same",
        IndexPattern::Seq => "seq",
        IndexPattern::Permutation => "permutation",
        IndexPattern::OutOfBounds => "out-of-bounds",
        _ => "a pattern that no suite has",
    }
}

fn of(instruction: &str, target: Target) -> Vec<Case> {
    let wanted = |c: &&Case| c.call.instruction().to_string() == instruction && suite(c) == target;
    cases().iter().filter(wanted).cloned().collect()
}

#[test]
fn all_names_and_no_others() {
    let list = include_str!("../../../cases/st/NAMES.txt");
    let listed: BTreeSet<String> = list.lines().map(str::to_owned).collect();
    let cases = cases();
    let written: BTreeSet<String> = cases.iter().map(key).collect();
    assert_eq!(list.lines().count(), 337);
    assert_eq!(cases.len(), 337);
    assert_eq!(written, listed);
    let by_suite = count(cases, |c| format!("{} {}", c.call.instruction(), suite(c)));
    assert_eq!(
        by_suite,
        expected([
            ("MSCATTER cpu", 64),
            ("MSCATTER a2a3", 76),
            ("MSCATTER a5", 64),
            ("MGATHER cpu", 35),
            ("MGATHER a2a3", 63),
            ("MGATHER a5", 35),
        ])
    );
}

#[test]
fn names_that_differ_say_why_and_no_others_do() {
    let found: Vec<String> = check_names(&CORPUS).iter().map(|d| d.summary()).collect();
    assert!(found.is_empty(), "{found:#?}");
    // By instruction 9 block counts and 1 row count, 1 clamp and, of a scatter
    // on cpu and a5, 1 skip that names do not say; no_dup that repeats, on both.
    let with_reason = cases().iter().filter(|c| c.name_differs.is_some());
    assert_eq!(with_reason.count(), 2 * (9 + 1) + 2 + 2 + 2);
}

#[test]
fn policies_are_as_often_as_in_the_suites() {
    let simt = expected([
        ("Row None Undefined Last", 12),
        ("Row None Skip Last", 1),
        ("Row None Clamp Last", 2),
        ("Row None Wrap Last", 1),
        ("Row Add Undefined Default", 1),
        ("Elem None Undefined Last", 28),
        ("Elem None Undefined Default", 8),
        ("Elem None Skip Last", 2),
        ("Elem None Clamp Last", 3),
        ("Elem None Wrap Last", 2),
        ("Elem Add Undefined Default", 1),
        ("Elem Add Skip Default", 1),
        ("Elem Max Undefined Default", 1),
        ("Elem Min Undefined Default", 1),
    ]);
    assert_eq!(count(&of("MSCATTER", Target::Cpu), policy), simt);
    assert_eq!(count(&of("MSCATTER", Target::A5), policy), simt);
    // No conflict parameter there: the default stands.
    let scalar = expected([
        ("Row None Undefined Last", 20),
        ("Row None Clamp Last", 3),
        ("Row None Wrap Last", 1),
        ("Row None Skip Last", 1),
        ("Row Add Undefined Last", 8),
        ("Elem None Undefined Last", 30),
        ("Elem None Clamp Last", 2),
        ("Elem None Wrap Last", 2),
        ("Elem None Skip Last", 2),
        ("Elem Add Undefined Last", 7),
    ]);
    assert_eq!(count(&of("MSCATTER", Target::A2a3), policy), scalar);

    let simt = expected([
        ("Row Undefined", 11),
        ("Row Clamp", 2),
        ("Row Wrap", 1),
        ("Row Zero", 1),
        ("Elem Undefined", 17),
        ("Elem Clamp", 1),
        ("Elem Wrap", 1),
        ("Elem Zero", 1),
    ]);
    assert_eq!(count(&of("MGATHER", Target::Cpu), policy), simt);
    assert_eq!(count(&of("MGATHER", Target::A5), policy), simt);
    let scalar = expected([
        ("Row Undefined", 20),
        ("Row Clamp", 3),
        ("Row Wrap", 1),
        ("Row Zero", 2),
        ("Elem Undefined", 30),
        ("Elem Clamp", 2),
        ("Elem Wrap", 2),
        ("Elem Zero", 3),
    ]);
    assert_eq!(count(&of("MGATHER", Target::A2a3), policy), scalar);
}

#[test]
fn index_patterns_are_as_often_as_in_the_suites() {
    let patterns = |instruction, target| count(&of(instruction, target), |c| pattern(c).to_owned());
    let cpu = [
        ("random", 41),
        ("same", 3),
        ("seq", 10),
        ("out-of-bounds", 10),
    ];
    assert_eq!(patterns("MSCATTER", Target::Cpu), expected(cpu));
    // 36 random and 9 out of bounds, and the six that have no generator as on cpu.
    assert_eq!(patterns("MSCATTER", Target::A5), expected(cpu));
    assert_eq!(
        patterns("MSCATTER", Target::A2a3),
        expected([("permutation", 50), ("out-of-bounds", 11), ("random", 15)])
    );
    let gather = |all, beyond| expected([("random", all - beyond), ("out-of-bounds", beyond)]);
    assert_eq!(patterns("MGATHER", Target::Cpu), gather(35, 7));
    assert_eq!(patterns("MGATHER", Target::A5), gather(35, 7));
    assert_eq!(patterns("MGATHER", Target::A2a3), gather(63, 13));
}

#[test]
fn data_is_the_suites() {
    for case in cases() {
        let bits = case.call.table().dtype == DType::Bfloat16;
        let ramp = if bits { Fill::RampBits } else { Fill::Ramp };
        let plan = (&case.data.table, &case.data.tile);
        match &case.call {
            Call::Mscatter(c) if bits && policy(case).contains("Add") => {
                assert_eq!(plan, (&Fill::Zeros, &Fill::Eighths), "{}", case.id);
                assert_eq!(c.src.dtype, DType::Bfloat16);
            }
            Call::Mscatter(_) => assert_eq!(plan, (&Fill::Zeros, &ramp), "{}", case.id),
            Call::Mgather(_) => assert_eq!(plan, (&ramp, &Fill::Poison), "{}", case.id),
        }
        let form = match (case.call.instruction().into(), suite(case)) {
            ("MSCATTER", Target::Cpu) => CpuForm::Templated,
            _ => CpuForm::Documented,
        };
        assert_eq!(case.readings.cpu_form, form, "{}", case.id);
        assert_eq!(case.targets, [Target::Cpu, Target::A2a3, Target::A5]);
        assert_eq!(case.data.seed, 0);
    }
}

#[test]
fn the_kinds_that_few_cases_have() {
    let cases = cases();
    let names = |of: &dyn Fn(&Case) -> bool| -> Vec<String> {
        cases.iter().filter(|c| of(c)).map(key).collect()
    };
    let only = |names: &[String], instruction: &str, target: &str| {
        let start = format!("{instruction} {target} ");
        names.iter().filter(|n| n.starts_with(&start)).count()
    };

    let run_time = names(&|c| c.call.data_tile().valid_row.known().is_none());
    assert_eq!(run_time.len(), 32);
    assert!(run_time.iter().all(|n| n.contains("_dyn_")));
    assert_eq!(names(&|c| c.name.contains("_dyn_")), run_time);
    assert_eq!(only(&run_time, "MSCATTER", "cpu"), 6);
    assert_eq!(only(&run_time, "MGATHER", "a2a3"), 4);

    let nz = names(&|c| c.call.table().layout == Layout::NZ);
    assert_eq!(only(&nz, "MSCATTER", "a2a3"), 10);
    assert_eq!(only(&nz, "MGATHER", "a2a3"), 11);
    assert_eq!(nz.len(), 21);

    let columns = names(&|c| c.call.index_tile().blayout == BLayout::ColMajor);
    assert_eq!(columns.len(), 12);
    assert!(columns.iter().all(|n| n.contains("_row_colidx_")));

    let chunked = names(&|c| c.chunks != 1);
    assert_eq!(chunked.len(), 4);
    assert!(chunked.iter().all(|n| n.contains("_2048x8_")));

    let mut extended = 0;
    for case in cases {
        if let Call::Mscatter(c) = &case.call
            && let Some(bytes) = c.launch.dyn_ub_bytes
        {
            assert_eq!(suite(case), Target::A5);
            assert_eq!(bytes, c.src.rows * 64, "{}", case.id);
            assert!([2304, 2560, 2816, 3072, 3200, 3456].contains(&c.src.rows));
            extended += 1;
        }
    }
    assert_eq!(extended, 12);
}

fn extent(dim: Dim) -> String {
    match dim {
        Dim::Static(n) => n.to_string(),
        Dim::Dynamic(n) => format!("?{n}"),
    }
}

fn tile(t: &Tile) -> String {
    let layout = match (t.blayout, t.slayout) {
        (BLayout::RowMajor, SLayout::NoneBox) => "",
        (BLayout::ColMajor, SLayout::NoneBox) => " col",
        (BLayout::ColMajor, SLayout::RowMajor) => " nz",
        _ => " other",
    };
    let valid = format!("{}x{}", extent(t.valid_row), extent(t.valid_col));
    format!("{valid}/{}x{}{layout}", t.rows, t.cols)
}

/// One case as a line: policy, dtype, tile (valid/padded), index, table with
/// strides, pattern, then launch and chunks where they are given.
fn line(case: &Case) -> String {
    let table = case.call.table();
    let dims = |dims: [Dim; 5]| dims.map(extent).join("x");
    let mut line = format!(
        "{} | {} | {} | {} {} | {} {} | {}",
        policy(case),
        table.dtype,
        tile(case.call.data_tile()),
        case.call.index_tile().dtype,
        tile(case.call.index_tile()),
        dims(table.shape),
        dims(table.stride),
        pattern(case),
    );
    if let Call::Mscatter(c) = &case.call
        && let Some(bytes) = c.launch.dyn_ub_bytes
    {
        line += &format!(" | ub {bytes}");
    }
    if case.chunks != 1 {
        line += &format!(" | {} calls", case.chunks);
    }
    line
}

const ROWS: &[(&str, &str)] = &[
    (
        "MSCATTER cpu case_row_float_same_8x32_16rows",
        "Row None Undefined Last | float | 8x32/8x32 | int32_t 1x8/1x8 | 1x1x1x16x32 1x1x1x32x1 | same",
    ),
    (
        "MSCATTER cpu case_row_half_wrap_8x32_8rows",
        "Row None Wrap Last | half | 8x32/8x32 | int32_t 1x8/1x8 | 1x1x1x8x32 1x1x1x32x1 | out-of-bounds",
    ),
    (
        "MSCATTER cpu case_row_colidx_int32_clamp_8x16_8rows",
        "Row None Clamp Last | int32_t | 8x16/8x16 | int32_t 8x1/8x1 col | 1x1x1x8x16 1x1x1x16x1 | out-of-bounds",
    ),
    (
        "MSCATTER cpu case_elem_int32_atomicadd_skip_32_16size",
        "Elem Add Skip Default | int32_t | 1x32/1x32 | int32_t 1x32/1x32 | 1x1x1x1x16 1x1x1x16x1 | out-of-bounds",
    ),
    (
        "MSCATTER cpu case_elem_float_clamp_no_dup_32_16size",
        "Elem None Clamp Last | float | 1x32/1x32 | int32_t 1x32/1x32 | 1x1x1x1x16 1x1x1x16x1 | random",
    ),
    (
        "MSCATTER cpu case_elem2d_int32_unaligned_9x9_in_9x16_256size",
        "Elem None Undefined Last | int32_t | 9x9/9x16 | int32_t 9x9/9x16 | 1x1x1x1x256 1x1x1x256x1 | random",
    ),
    (
        "MSCATTER cpu case_row_int32_unaligned_3x8_8rows",
        "Row None Undefined Last | int32_t | 3x8/3x8 | int32_t 1x3/1x8 | 1x1x1x8x8 1x1x1x8x1 | random",
    ),
    (
        "MSCATTER cpu case_elem2d_float_2048x8_last_256size",
        "Elem None Undefined Last | float | 128x8/128x8 | int32_t 128x8/128x8 | 1x1x1x1x256 1x1x1x256x1 | random | 16 calls",
    ),
    (
        "MSCATTER cpu case_elem2d_dyn_user_float_1x9_in_1x16_3x10",
        "Elem None Skip Last | float | ?1x?9/1x16 | int32_t ?1x?9/1x16 | 1x1x1x?3x?10 1x1x1x?10x?1 | out-of-bounds",
    ),
    (
        "MSCATTER a5 case_elem2d_float_2048x8_default_16384size",
        "Elem None Undefined Default | float | 128x8/128x8 | int32_t 128x8/128x8 | 1x1x1x1x16384 1x1x1x16384x1 | seq | 16 calls",
    ),
    (
        "MSCATTER a5 case_elem2d_float_2304x8_last_256size",
        "Elem None Undefined Last | float | 2304x8/2304x8 | int32_t 2304x8/2304x8 | 1x1x1x1x256 1x1x1x256x1 | random | ub 147456",
    ),
    (
        "MSCATTER a5 case_elem2d_float_3456x8_default_27648size",
        "Elem None Undefined Default | float | 3456x8/3456x8 | int32_t 3456x8/3456x8 | 1x1x1x1x27648 1x1x1x27648x1 | seq | ub 221184",
    ),
    (
        "MSCATTER a5 case_elem2d_dyn_int32_4x8_in_4x8_64size",
        "Elem None Undefined Last | int32_t | ?4x?8/4x8 | int32_t ?4x?8/4x8 | 1x1x1x?8x?8 1x1x1x?8x?1 | random",
    ),
    (
        "MSCATTER a2a3 case_row_uint8_unaligned_3x32_32rows",
        "Row None Undefined Last | uint8_t | 3x32/3x32 | int32_t 1x3/1x8 | 1x1x1x8x32 1x1x1x32x1 | permutation",
    ),
    (
        "MSCATTER a2a3 case_row_int16_partial_3x16_in_4x16",
        "Row None Clamp Last | int16_t | 3x16/4x16 | int32_t 1x3/1x8 | 1x1x1x8x16 1x1x1x16x1 | out-of-bounds",
    ),
    (
        "MSCATTER a2a3 case_elem2d_int8_unaligned_3x17_in_3x32_64size",
        "Elem None Undefined Last | int8_t | 3x17/3x32 | int32_t 3x17/3x32 | 1x1x1x1x64 1x1x1x64x1 | permutation",
    ),
    (
        "MSCATTER a2a3 case_elem2d_bfloat16_atomic_add_4x16_8size",
        "Elem Add Undefined Last | bfloat16_t | 4x16/4x16 | int32_t 4x16/4x16 | 1x1x1x1x8 1x1x1x8x1 | random",
    ),
    (
        "MSCATTER a2a3 case_row_nz_float_16x16_2blk",
        "Row None Undefined Last | float | 16x16/16x16 nz | int32_t 1x16/1x16 | 1x2x2x16x8 512x256x128x8x1 | permutation",
    ),
    (
        "MSCATTER a2a3 case_elem2d_nz_half_16x16_1blk",
        "Elem None Undefined Last | half | 16x16/16x16 nz | int32_t 16x16/16x16 | 1x1x2x16x16 512x512x256x16x1 | permutation",
    ),
    (
        "MGATHER cpu case_row_half_zero_8x32_8rows",
        "Row Zero | half | 8x32/8x32 | int32_t 1x8/1x8 | 1x1x1x8x32 1x1x1x32x1 | out-of-bounds",
    ),
    (
        "MGATHER cpu case_elem2d_dyn_float_3x3_in_3x8_64size",
        "Elem Undefined | float | ?3x?3/3x8 | int32_t ?3x?3/3x8 | 1x1x1x?1x?64 1x1x1x?64x?1 | random",
    ),
    (
        "MGATHER a2a3 case_row_dyn_half_4x32_16rows",
        "Row Undefined | half | ?4x?32/4x32 | int32_t ?1x?4/1x16 | 1x1x1x?16x?32 1x1x1x?32x?1 | random",
    ),
    (
        "MGATHER a2a3 case_row_nz_int8_16x32_1blk",
        "Row Undefined | int8_t | 16x32/16x32 nz | int32_t 1x16/1x16 | 1x1x2x16x32 1024x1024x512x32x1 | random",
    ),
    (
        "MGATHER a5 case_elem2d_dyn_user_float_1x9_in_1x16_3x10",
        "Elem Undefined | float | ?1x?9/1x16 | int32_t ?1x?9/1x16 | 1x1x1x?3x?10 1x1x1x?10x?1 | random",
    ),
];

#[test]
fn rows_taken_at_random_say_what_the_tables_say() {
    let lines: BTreeMap<String, String> = cases().iter().map(|c| (key(c), line(c))).collect();
    for (name, row) in ROWS {
        assert_eq!(lines.get(*name).map(String::as_str), Some(*row), "{name}");
    }
}

/// Row: table rows; Elem: elements. No suite has more than one row dimension.
fn capacity(case: &Case) -> u64 {
    let shape = case.call.table().shape.map(Dim::get);
    if policy(case).starts_with("Elem") {
        shape.iter().product()
    } else if case.call.table().layout == Layout::NZ {
        shape[2] * 16
    } else {
        shape[3]
    }
}

#[test]
fn drawn_indices_go_out_of_bounds_where_the_suites_do() {
    for case in cases() {
        let capacity = capacity(case);
        let mut indices = Vec::new();
        let tile = case.call.index_tile();
        for memory in stimulus(case, 11).steps {
            let body = memory
                .get(Role::Index)
                .expect("every step has indices")
                .body();
            let at = |r: u64, c: u64| {
                let slot = match tile.blayout {
                    BLayout::RowMajor => r * tile.cols + c,
                    BLayout::ColMajor => c * tile.rows + r,
                };
                let word = body[slot as usize * 4..].first_chunk().expect("four bytes");
                u64::from(u32::from_le_bytes(*word))
            };
            for r in 0..tile.valid_row.get() {
                indices.extend((0..tile.valid_col.get()).map(|c| at(r, c)));
            }
        }
        let beyond = indices.iter().filter(|&&i| i >= capacity).count();
        let half = if case.data.index == IndexPattern::OutOfBounds {
            (indices.len() / 2).max(1)
        } else {
            0
        };
        assert_eq!(beyond, half, "{}", case.id);
        assert!(indices.iter().all(|&i| i < 2 * capacity), "{}", case.id);
        if case.data.index == IndexPattern::Permutation {
            let different: BTreeSet<u64> = indices.iter().copied().collect();
            assert_eq!(different.len(), indices.len(), "{}", case.id);
        }
    }
}
