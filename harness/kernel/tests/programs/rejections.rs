//! Calls that the library does not let pass, found by `probe.sh`.

use std::{collections::BTreeMap, fs, process::Command};

use ptodiff_case::{Case, Form};
use ptodiff_isa::{Call, Coalesce, DType, GatherOob, Role, ScatterAtomicOp, ScatterConflict};
use ptodiff_kernel::{Harness, Lattice};

use crate::{
    build::{SUITE, compiler, compilers, link, memory, of_lattice, probe, run, sources},
    lattice::small,
    talk::Talk,
};

/// What the stand-in says of a tile whose rows are no whole 32 bytes.
const ENDS: &str = "extent of the tile; this is the end of the message";

/// Calls of which the stand-in does not build some.
fn calls() -> Vec<Call> {
    let lattice = Lattice {
        index_dtypes: vec![DType::Int32, DType::Float],
        atomics: vec![ScatterAtomicOp::None, ScatterAtomicOp::Add],
        conflicts: vec![ScatterConflict::Last, ScatterConflict::Default],
        modes: vec![Coalesce::Elem],
        ..small(SUITE)
    };
    let mut calls = lattice.calls();
    // One cause each: of two a compiler may tell either.
    calls.retain(|call| !(is_of_floats(call) && has_two_policies(call)));
    // Two calls share one tile that cannot be built, and a third has another.
    let narrow: Vec<Call> = calls
        .iter()
        .filter_map(|call| match call {
            Call::Tgatherb(c) => Some((Call::Tgatherb(*c), 8)),
            Call::TscatterIndex(c) => Some((Call::TscatterIndex(*c), 8)),
            Call::Mgather(c) if c.idx.dtype == DType::Int32 => Some((Call::Mgather(*c), 24)),
            _ => None,
        })
        .map(|(mut call, cols)| {
            let tile = match &mut call {
                Call::Tgatherb(c) => &mut c.src,
                Call::TscatterIndex(c) => &mut c.src,
                Call::Mgather(c) => &mut c.dst,
                _ => unreachable!("no other is chosen"),
            };
            (tile.cols, tile.valid_col) = (cols, ptodiff_isa::Dim::Static(cols));
            call
        })
        .collect();
    assert_eq!(narrow.len(), 3);
    calls.extend(narrow);
    calls
}

/// What the stand-in says to `call`: the kind of the answer, and words of it.
fn expected(call: &Call) -> Option<(&'static str, &'static str)> {
    let narrow = call.operands().into_iter().any(|(_, operand)| {
        operand
            .tile()
            .is_some_and(|t| !(t.dtype.size() as u64 * t.cols).is_multiple_of(32))
    });
    if narrow {
        return Some(("unsupported", ENDS));
    }
    if has_two_policies(call) {
        return Some(("rejected", "one policy at a time"));
    }
    is_of_floats(call).then_some(("rejected", "an index is an \"integer\" \\ no other"))
}

fn has_two_policies(call: &Call) -> bool {
    match call {
        Call::Mscatter(c) => {
            c.atomic != ScatterAtomicOp::None && c.conflict == ScatterConflict::Last
        }
        _ => false,
    }
}

/// What is rejected in a template that the intrinsic's asks for.
fn is_of_floats(call: &Call) -> bool {
    let gm = matches!(call, Call::Mscatter(_) | Call::Mgather(_));
    let index = call.operand(Role::Index).map(|index| index.dtype());
    gm && index == Some(DType::Float)
}

/// One pass finds the calls that halves find, several of them in a file, through templates
/// in templates; a message comes whole, whatever its length; the rest builds and answers.
#[test]
fn what_does_not_compile_is_told() {
    let calls = calls();
    let mut harness = Harness::new(SUITE);
    for call in &calls {
        harness.add(&Case::of_call("it", *call)).expect("a form");
    }
    let mut kinds: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    for call in &calls {
        *kinds
            .entry(expected(call).map(|(kind, _)| kind))
            .or_default() += 1;
    }
    assert_eq!(
        (kinds[&Some("unsupported")], kinds[&Some("rejected")]),
        (3, 5)
    );
    for name in compilers() {
        let folder = sources(&harness);
        let flags = ["-DPTO_STRICT=1"];
        let all = compiler(name, &flags);
        let told = || {
            let text = fs::read_to_string(folder.path().join("ptodiff_rejected.hpp"));
            let text = text.expect("what is rejected");
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        let said = probe(folder.path(), &all, false);
        let at_once = told();
        assert_eq!(at_once.len(), 1 + 8, "{name}: {at_once:#?}");
        // Where a file is halved is the same for every compiler.
        if name == "g++" {
            probe(folder.path(), &all, true);
            assert_eq!(at_once, told());
        }
        // Each cause is counted, without its condition.
        assert!(
            said.lines()
                .any(|l| l.contains("3 unsupported") && l.contains(ENDS)),
            "{said}"
        );
        assert!(said.contains("one policy at a time\"\n"), "{said}");

        let program = link(folder, name, &flags);
        let mut talk = Talk::greeted(&program.path, SUITE);
        for call in &calls {
            let memory = memory(*call, 1);
            if let Call::TscatterMask(_) = call {
                let (answer, _) = talk.call(call, &memory);
                let why = "an exception that is no std::exception";
                assert_eq!(
                    (&answer["kind"], &answer["why"]),
                    (&"rejected".into(), &why.into())
                );
                continue;
            }
            let Some((kind, words)) = expected(call) else {
                assert!(talk.reaches(call, &memory), "{call:?}");
                continue;
            };
            let (answer, _) = talk.call(call, &memory);
            assert_eq!(answer["kind"], kind, "{name}: {answer}");
            let why = answer["why"].as_str().expect("a reason");
            assert!(
                why.starts_with("static assertion failed: ") && why.contains(words),
                "{why}"
            );
            let whole = "UB\" and its registers, and a row that begins within a block would share it \
                         with the row before. Größe: pad";
            assert!(kind == "rejected" || why.contains(whole), "{why}");
        }
        // The stand-in prints on standard output; it was not torn.
        assert!(talk.ends_well().contains("a library may print"));
    }
}

/// A library that is not found is no rejection.
#[test]
fn wrong_flags_are_not_taken_for_rejections() {
    let (harness, _) = of_lattice(&small(SUITE));
    let folder = sources(&harness);
    let script = folder.path().join("probe.sh");
    let done = run(Command::new("sh").arg(script).args(["g++", "-std=c++17"]));
    assert!(!done.status.success());
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("without a call"), "{said}");
}

/// A call of an intrinsic, of a form of one or with a policy that the library does not have,
/// however it is found. What fails a constraint of the library is rejected.
#[test]
fn what_is_not_there_is_unsupported() {
    let mut calls = small(SUITE).calls();
    let to_l1 = Lattice {
        forms: vec![Form::MgatherL1],
        gather_oob: vec![GatherOob::Clamp],
        ..small(SUITE)
    };
    calls.extend(to_l1.calls());
    // An older library has no TGATHERB, no TSCATTER by mask, no `GatherOOB::Zero`, MSCATTER
    // without a parameter, and no gather to L1.
    let is_absent = |call: &&Call| !matches!(call, Call::TscatterIndex(_));
    assert!(
        calls
            .iter()
            .any(|call| matches!(call, Call::TscatterMask(_)))
    );
    let by_index = calls.iter().find_map(|call| match call {
        Call::TscatterIndex(c) => Some(*c),
        _ => None,
    });
    let mut by_float = by_index.expect("a scatter by index");
    by_float.idx.dtype = DType::Float;
    calls.push(Call::TscatterIndex(by_float));
    let mut harness = Harness::new(SUITE);
    for call in &calls {
        harness.add(&Case::of_call("it", *call)).expect("a form");
    }
    let absent = calls.iter().filter(is_absent).count();
    assert!((1..calls.len()).contains(&absent));
    for (name, halves) in compilers().into_iter().zip([false, true]) {
        let folder = sources(&harness);
        let all = compiler(name, &["-DPTO_OLDER=1"]);
        let said = probe(folder.path(), &all, halves);
        let of = |kind: &str| {
            let own = said.lines().filter(|line| line.contains(kind));
            let counts =
                own.filter_map(|line| line.split_whitespace().next()?.parse::<usize>().ok());
            counts.sum::<usize>()
        };
        assert_eq!(
            (of(" unsupported: "), of(" rejected: ")),
            (absent, 1),
            "{said}"
        );
    }
}
