//! A case that is written reads back as the same case.

#[path = "../../../asm/tests/common/mod.rs"]
mod calls;
mod expect;

use calls::calls;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use ptodiff_case::{
    Case, DataPlan, ExpectedAt, Fill, IndexPattern, Place, case_yaml, clause, load_str,
};
use ptodiff_isa::reading::GAPS;
use ptodiff_isa::{
    Call, DType, Dim, GlobalTensor, Launch, Operand, Readings, Role, Target, Tile, TileType,
};
use strum::VariantArray;

fn any_of<T: VariantArray + Copy + std::fmt::Debug>() -> impl Strategy<Value = T> {
    select(T::VARIANTS)
}

/// `dim` below `end`.
fn below(end: u64, dim: Dim) -> Dim {
    match dim {
        Dim::Static(extent) => Dim::Static(extent % end),
        Dim::Dynamic(extent) => Dim::Dynamic(extent % end),
    }
}

fn tile(tile: Tile) -> Tile {
    let [rows, cols] = [tile.rows, tile.cols].map(|extent| 1 + extent % 19);
    Tile {
        rows,
        cols,
        valid_row: below(rows + 1, tile.valid_row),
        valid_col: below(cols + 1, tile.valid_col),
        fractal: 1 + tile.fractal % 1999,
        ..tile
    }
}

fn tensor(tensor: GlobalTensor) -> GlobalTensor {
    // None is 0 before the program runs.
    let extent = |dim| match below(5, dim) {
        Dim::Static(0) => Dim::Static(1),
        other => other,
    };
    GlobalTensor {
        shape: tensor.shape.map(extent),
        stride: tensor.stride.map(|dim| below(99, dim)),
        ..tensor
    }
}

fn launch(launch: Launch) -> Launch {
    Launch {
        dyn_ub_bytes: launch.dyn_ub_bytes.map(|bytes| bytes % 1_000_000),
        ..launch
    }
}

fn literal(dtype: DType, elements: u64) -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), elements as usize * dtype.size())
}

fn fill(dtype: DType, elements: u64) -> impl Strategy<Value = Fill> {
    let named = select(vec![
        Fill::Zeros,
        Fill::Ramp,
        Fill::RampBits,
        Fill::Eighths,
        Fill::Distinct,
        Fill::RandomBits,
        Fill::Special,
        Fill::Poison,
        Fill::SmallInts,
        Fill::Percent,
        Fill::Arange,
    ]);
    prop_oneof![named, literal(dtype, elements).prop_map(Fill::Literal)]
}

fn pattern(dtype: DType, elements: u64) -> impl Strategy<Value = IndexPattern> {
    let named = select(vec![
        IndexPattern::Random,
        IndexPattern::Same,
        IndexPattern::Seq,
        IndexPattern::Permutation,
        IndexPattern::OutOfBounds,
        IndexPattern::OutOfBoundsNoDup,
        IndexPattern::AllOutOfBounds,
        IndexPattern::Edges,
        IndexPattern::Negative,
        IndexPattern::Hot { slots: 3 },
        IndexPattern::TwoRows,
    ]);
    prop_oneof![
        named,
        literal(dtype, elements).prop_map(IndexPattern::Literal)
    ]
}

/// Any call that a case can describe: a gather is one to L1 if and only if its tile is Mat.
fn call() -> impl Strategy<Value = Call> {
    calls().prop_map(|mut call| {
        match &mut call {
            Call::Mscatter(c) => {
                (c.table, c.src, c.idx) = (tensor(c.table), tile(c.src), tile(c.idx));
                c.launch = launch(c.launch);
            }
            Call::MscatterFirst(c) => {
                (c.table, c.src, c.idx) = (tensor(c.table), tile(c.src), tile(c.idx));
                c.launch = launch(c.launch);
            }
            Call::Mgather(c) => {
                (c.dst, c.table, c.idx) = (tile(c.dst), tensor(c.table), tile(c.idx));
                (c.dst.location, c.launch) = (TileType::Vec, launch(c.launch));
            }
            Call::MgatherL1(c) => {
                (c.dst, c.table, c.idx) = (tile(c.dst), tensor(c.table), tensor(c.idx));
                (c.dst.location, c.launch) = (TileType::Mat, launch(c.launch));
                c.scratch = c.scratch.map(tensor);
            }
            Call::TscatterIndex(c) => {
                (c.dst, c.src, c.idx) = (tile(c.dst), tile(c.src), tile(c.idx));
            }
            Call::TscatterMask(c) => (c.dst, c.src) = (tile(c.dst), tile(c.src)),
            Call::Tgatherb(c) => {
                (c.dst, c.src, c.offset) = (tile(c.dst), tile(c.src), tile(c.offset));
            }
        }
        call
    })
}

/// Elements that literal data gives.
fn elements(call: &Call, role: Role, chunks: u32) -> Option<(DType, u64)> {
    let operand = call.operand(role)?;
    let elements = match operand {
        Operand::Tile(tile) => tile.valid_row.get() * tile.valid_col.get() * u64::from(chunks),
        Operand::Tensor(tensor) => {
            let elements: u64 = tensor.shape.iter().map(|dim| dim.get()).product();
            elements
                * if role == Role::Index {
                    u64::from(chunks)
                } else {
                    1
                }
        }
    };
    Some((operand.dtype(), elements))
}

/// Data for the roles that the call has; the others keep their defaults.
fn data(call: &Call, chunks: u32) -> impl Strategy<Value = DataPlan> + use<> {
    let default = DataPlan::of(call);
    let filled = |role, otherwise: &Fill| match elements(call, role, chunks) {
        Some((dtype, elements)) => fill(dtype, elements).boxed(),
        None => Just(otherwise.clone()).boxed(),
    };
    let index = match elements(call, Role::Index, chunks) {
        Some((dtype, elements)) => pattern(dtype, elements).boxed(),
        None => Just(default.index.clone()).boxed(),
    };
    (
        filled(Role::Table, &default.table),
        filled(Role::Source, &default.source),
        filled(Role::Destination, &default.destination),
        filled(Role::Scratch, &default.scratch),
        index,
        any::<u64>(),
    )
        .prop_map(
            |(table, source, destination, scratch, index, seed)| DataPlan {
                table,
                source,
                destination,
                scratch,
                index,
                seed,
            },
        )
}

fn readings() -> impl Strategy<Value = Readings> {
    let choices: Vec<_> = GAPS.iter().map(|gap| 0..gap.choices.len()).collect();
    choices.prop_map(|choices| {
        let mut readings = Readings::default();
        for (gap, choice) in GAPS.iter().zip(choices) {
            readings.set(gap.name, gap.choices[choice]).unwrap();
        }
        readings
    })
}

/// A text for people as a case has it: what is hidden is spelled out when it is read.
fn prose() -> impl Strategy<Value = String> {
    any::<String>().prop_map(|text| ptodiff_edge::text::lines(&text).into_owned())
}

/// Only a call with a table is issued in chunks.
fn chunks_of(call: &Call, chunks: u32) -> u32 {
    if call.table().is_some() { chunks } else { 1 }
}

prop_compose! {
    fn case()
        (call in call(), chunks in 1..4_u32)
        (data in data(&call, chunks_of(&call, chunks)), call in Just(call), chunks in Just(chunks_of(&call, chunks)),
         name in "[a-z_'\"#:&*é{ -][a-zA-Z0-9 _'\"#:{}\\[\\],é-]{0,30}[a-z_]",
         suite in option::of(any_of::<Target>()),
         about in option::of(prose()), name_differs in option::of(prose()),
         readings in readings(),
         chosen in proptest::sample::subsequence(Target::VARIANTS.to_vec(), 1..=3),
         expected in vec(0..3_usize, 0..3))
        -> Case {
        // A name that a CI job takes for a command is none.
        let name = name.trim().replace("##", "#_");
        let clauses = ["MSCATTER-OOB-03", "MGATHER-GAP-18", "MSCATTER0-API-01"];
        let mut rejected = Vec::new();
        for target in &chosen {
            for at in &expected {
                let pair = (*target, clause::clause(clauses[*at]).unwrap());
                if !rejected.contains(&pair) {
                    rejected.push(pair);
                }
            }
        }
        let id = match suite {
            Some(suite) => {
                let l1 = if matches!(call, Call::MgatherL1(_)) { "GM2L1" } else { "" };
                format!("{suite}/{}{l1}Test.{name}", call.instruction())
            }
            None => format!("written/{name}"),
        };
        Case {
            id, name, suite,
            place: Place { file: "written.yaml".into(), line: 0, column: 0, expected: ExpectedAt::default() },
            call, chunks, data,
            spelled: true,
            targets: chosen,
            readings: readings.into(),
            undefined: rejected.iter().rev().take(1).copied().collect(),
            hangs: rejected.iter().take(2).copied().collect(),
            rejected, name_differs, about,
            covers: Vec::new(), gap: None, holes: Vec::new(), expect: Vec::new(),
        }
    }
}

/// A case with what must be found.
fn whole() -> impl Strategy<Value = Case> {
    (case(), expect::covers(), expect::gap(), 0..3_usize)
        .prop_map(|(case, covers, gap, holes)| Case {
            covers,
            gap,
            holes: expect::holes(&case, holes),
            ..case
        })
        .prop_flat_map(|case| (expect::entries(&case), Just(case)))
        .prop_map(|(expect, case)| Case { expect, ..case })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_written_case_reads_back(case in whole()) {
        let text = case_yaml(&case);
        let corpus = load_str("written.yaml", &text)
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut back = corpus.cases[0].clone();
        prop_assert!(back.place.line > 0);
        back.place = case.place.clone();
        prop_assert_eq!(back, case, "{}", text);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(cases|defaults|- |: |\\[|\\]|\\{|\\}|&a|\\*a|<<|name|tile|shape|scratch|none|index|dyn|expect|rest|_|\\n  |\\n    |[0-9é\"',#!|>-]){0,60}") {
        let _ = load_str("any.yaml", &text).map_err(|error| error.to_string());
    }
}
