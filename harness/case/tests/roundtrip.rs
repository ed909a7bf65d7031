//! A case that is written reads back as the same case.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use ptodiff_case::{Case, DataPlan, Fill, IndexPattern, Place, case_yaml, clause, load_str};
use ptodiff_isa::{
    Call, DType, Dim, GlobalTensor, Launch, Mgather, Mscatter, Readings, Target, Tile,
};
use strum::VariantArray;

fn any_of<T: VariantArray + Copy + std::fmt::Debug>() -> impl Strategy<Value = T> {
    select(T::VARIANTS)
}

fn dim(extent: u64, dynamic: bool) -> Dim {
    if dynamic {
        Dim::Dynamic(extent)
    } else {
        Dim::Static(extent)
    }
}

fn tile() -> impl Strategy<Value = Tile> {
    let sizes = (1..20_u64, 1..20_u64)
        .prop_flat_map(|(rows, cols)| (Just((rows, cols)), 0..=rows, 0..=cols));
    let kinds = (any_of(), any_of(), any_of(), any_of());
    (sizes, any::<(bool, bool)>(), kinds, 1..2000_u64).prop_map(
        |(((rows, cols), row, col), dynamic, (location, dtype, blayout, slayout), fractal)| Tile {
            location,
            dtype,
            rows,
            cols,
            valid_row: dim(row, dynamic.0),
            valid_col: dim(col, dynamic.1),
            blayout,
            slayout,
            fractal,
        },
    )
}

fn table() -> impl Strategy<Value = GlobalTensor> {
    let extent = (0..5_u64, any::<bool>()).prop_map(|(extent, dynamic)| match dynamic {
        true => Dim::Dynamic(extent),
        false => Dim::Static(extent.max(1)),
    });
    let shape = [
        extent.clone(),
        extent.clone(),
        extent.clone(),
        extent.clone(),
        extent,
    ];
    let stride = vec((0..99_u64, any::<bool>()), 5);
    (any_of(), shape, stride, any_of()).prop_map(|(dtype, shape, stride, layout)| GlobalTensor {
        dtype,
        shape,
        stride: std::array::from_fn(|at| dim(stride[at].0, stride[at].1)),
        layout,
    })
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
    ]);
    prop_oneof![
        named,
        literal(dtype, elements).prop_map(IndexPattern::Literal)
    ]
}

fn call() -> impl Strategy<Value = Call> {
    let launch = option::of(0..1_000_000_u64).prop_map(|dyn_ub_bytes| Launch { dyn_ub_bytes });
    let policies = (any_of(), any_of(), any_of(), any_of(), any_of());
    (any::<bool>(), tile(), tile(), table(), policies, launch).prop_map(
        |(scatter, data, idx, table, (mode, atomic, oob, gather_oob, conflict), launch)| {
            if scatter {
                Call::Mscatter(Mscatter {
                    table,
                    src: data,
                    idx,
                    mode,
                    atomic,
                    oob,
                    conflict,
                    launch,
                })
            } else {
                Call::Mgather(Mgather {
                    dst: data,
                    table,
                    idx,
                    mode,
                    oob: gather_oob,
                    launch,
                })
            }
        },
    )
}

fn data(call: &Call, chunks: u32) -> impl Strategy<Value = DataPlan> + use<> {
    let valid = |tile: &Tile| tile.valid_row.get() * tile.valid_col.get() * u64::from(chunks);
    let elements = call.table().shape.iter().map(|dim| dim.get()).product();
    (
        fill(call.table().dtype, elements),
        fill(call.data_tile().dtype, valid(call.data_tile())),
        pattern(call.index_tile().dtype, valid(call.index_tile())),
        any::<u64>(),
    )
        .prop_map(|(table, tile, index, seed)| DataPlan {
            table,
            tile,
            index,
            seed,
        })
}

prop_compose! {
    fn case()
        (call in call(), chunks in 1..4_u32)
        (data in data(&call, chunks), call in Just(call), chunks in Just(chunks),
         name in "[a-z_'\"#:&*é{ -][a-zA-Z0-9 _'\"#:{}\\[\\],é-]{0,30}[a-z_]",
         suite in option::of(any_of::<Target>()),
         about in option::of(any::<String>()), name_differs in option::of(any::<String>()),
         readings in (any_of(), any_of(), any_of()),
         chosen in proptest::sample::subsequence(Target::VARIANTS.to_vec(), 1..=3),
         expected in vec(0..3_usize, 0..3))
        -> Case {
        let name = name.trim().to_owned();
        let clauses = ["MSCATTER-OOB-03", "MGATHER-GAP-18", "MSCATTER1-ATOM-02"];
        let mut refused = Vec::new();
        for target in &chosen {
            for at in &expected {
                let pair = (*target, clause::clause(clauses[*at]).unwrap());
                if !refused.contains(&pair) {
                    refused.push(pair);
                }
            }
        }
        let id = match suite {
            Some(suite) => format!("{suite}/{}Test.{name}", call.instruction()),
            None => format!("written/{name}"),
        };
        Case {
            id, name, suite,
            place: Place { file: "written.yaml".into(), line: 0, column: 0 },
            call, chunks, data,
            targets: chosen,
            readings: Readings {
                cpu_form: readings.0, negative_index: readings.1, nz_elem_order: readings.2,
            },
            undefined: refused.iter().rev().take(1).copied().collect(),
            refused, name_differs, about,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_written_case_reads_back(case in case()) {
        let text = case_yaml(&case);
        let corpus = load_str("written.yaml", &text)
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut back = corpus.cases[0].clone();
        prop_assert!(back.place.line > 0);
        back.place = case.place.clone();
        prop_assert_eq!(back, case, "{}", text);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(cases|defaults|- |: |\\[|\\]|\\{|\\}|&a|\\*a|<<|name|tile|shape|dyn|\\n  |\\n    |[0-9é\"',#!|>-]){0,60}") {
        let _ = load_str("any.yaml", &text).map_err(|error| error.to_string());
    }
}
