//! The suites of MSCATTER and of MGATHER to UB.

use ptodiff_case::{Case, Fill};
use ptodiff_isa::{BLayout, Call, CpuForm, DType, Layout, Role, Target};

use crate::mirrored::corpus::{cases, class, key, policy, suite};

fn in_gm() -> impl Iterator<Item = &'static Case> {
    let classes = ["MSCATTER", "MGATHER"];
    cases().iter().filter(move |c| classes.contains(&class(c)))
}

fn index_layout(case: &Case) -> Option<BLayout> {
    let index = case.call.operand(Role::Index)?;
    Some(index.tile()?.blayout)
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
