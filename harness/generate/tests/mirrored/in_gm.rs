//! The suites of MSCATTER and of MGATHER to UB.

use ptodiff_case::{Case, Fill};
use ptodiff_isa::{BLayout, Call, CpuForm, DType, Layout, Role, Target};

use crate::mirrored::corpus::{cases, class, count, expected, key, of, pattern, policy, suite};

fn in_gm() -> impl Iterator<Item = &'static Case> {
    let classes = ["MSCATTER", "MGATHER"];
    cases().iter().filter(move |c| classes.contains(&class(c)))
}

fn index_layout(case: &Case) -> Option<BLayout> {
    let index = case.call.operand(Role::Index)?;
    Some(index.tile()?.blayout)
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
    for case in in_gm() {
        let table = case.call.table().expect("there is a table");
        let bits = table.dtype == DType::Bfloat16;
        let ramp = if bits { Fill::RampBits } else { Fill::Ramp };
        let data = &case.data;
        match &case.call {
            Call::Mscatter(c) if bits && policy(case).contains("Add") => {
                assert_eq!(data.table, Fill::Zeros, "{}", case.id);
                assert_eq!(data.source, Fill::Eighths, "{}", case.id);
                assert_eq!(c.src.dtype, DType::Bfloat16);
            }
            Call::Mscatter(_) => {
                assert_eq!(data.table, Fill::Zeros, "{}", case.id);
                assert_eq!(data.source, ramp, "{}", case.id);
            }
            _ => {
                assert_eq!(data.table, ramp, "{}", case.id);
                assert_eq!(data.destination, Fill::Poison, "{}", case.id);
            }
        }
        let form = match (class(case), suite(case)) {
            ("MSCATTER", Target::Cpu) => CpuForm::Templated,
            _ => CpuForm::Documented,
        };
        assert_eq!(case.data_readings().cpu_form, form, "{}", case.id);
        assert_eq!(case.targets, [Target::Cpu, Target::A2a3, Target::A5]);
        assert_eq!(case.data.seed, 0);
    }
}

#[test]
fn the_kinds_that_few_cases_have() {
    let names = |of: &dyn Fn(&Case) -> bool| -> Vec<String> {
        in_gm().filter(|c| of(c)).map(key).collect()
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

    let nz = names(&|c| c.call.table().is_some_and(|t| t.layout == Layout::NZ));
    assert_eq!(only(&nz, "MSCATTER", "a2a3"), 10);
    assert_eq!(only(&nz, "MGATHER", "a2a3"), 11);
    assert_eq!(nz.len(), 21);

    let columns = names(&|c| index_layout(c) == Some(BLayout::ColMajor));
    assert_eq!(columns.len(), 12);
    assert!(columns.iter().all(|n| n.contains("_row_colidx_")));

    let chunked = names(&|c| c.chunks != 1);
    assert_eq!(chunked.len(), 4);
    assert!(chunked.iter().all(|n| n.contains("_2048x8_")));

    let mut extended = 0;
    for case in in_gm() {
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
