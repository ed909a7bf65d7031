//! Random cases of every form and kind shrink to the smallest case of their
//! form that has what they are wished to have.

use ptodiff_case::{Case, Fill, Form, IndexPattern, case_yaml};
use ptodiff_isa::{
    CacheFlush, Call, Coalesce, DType, Dim, Dispatch, GatherOob, Layout, MaskAxis, MaskPattern,
    NegativeIndex, Operand, Role, SLayout, ScatterOob, Tile,
};

use crate::build::{named, simplest, table, words};
use crate::watch::{bytes, capacity, elements, indices, random, shrunk};

/// The forms with a table.
const IN_GM: [Form; 4] = [
    Form::Mscatter,
    Form::MscatterFirst,
    Form::Mgather,
    Form::MgatherL1,
];

/// Cases of each form that are shrunk.
const OF_EACH: usize = 12;

/// Shrinks drawn cases of `forms` for which `holds`, as many of each as there
/// are among `count` but at most [`OF_EACH`], and compares what is left with
/// what `expected` makes of the smallest case of its form and of the case; how
/// many these were.
fn all(
    forms: &[Form],
    count: u64,
    holds: impl Fn(&Case) -> bool,
    expected: impl Fn(&Case, &mut Case),
) -> usize {
    let mut seen = 0;
    for form in forms {
        let fitting = random(std::slice::from_ref(form), count)
            .filter(&holds)
            .filter_map(|case| {
                let mut least = named(simplest(*form), &case);
                expected(&case, &mut least);
                // Nothing may take more memory than it did.
                (bytes(&case) >= bytes(&least)).then_some((case, least))
            });
        for (case, least) in fitting.take(OF_EACH) {
            let result = shrunk(&case, &holds);
            let both = [&case, &result].map(case_yaml);
            assert!(result == least, "{}\n{}", both[0], both[1]);
            seen += 1;
        }
    }
    seen
}

/// All tiles of a case.
fn tiles(call: &mut Call) -> Vec<&mut Tile> {
    match call {
        Call::Mscatter(c) => vec![&mut c.src, &mut c.idx],
        Call::MscatterFirst(c) => vec![&mut c.src, &mut c.idx],
        Call::Mgather(c) => vec![&mut c.dst, &mut c.idx],
        Call::MgatherL1(c) => vec![&mut c.dst],
        Call::TscatterIndex(c) => vec![&mut c.src, &mut c.dst, &mut c.idx],
        Call::TscatterMask(c) => vec![&mut c.src, &mut c.dst],
        Call::Tgatherb(c) => vec![&mut c.dst, &mut c.src, &mut c.offset],
    }
}

fn table_mut(call: &mut Call) -> &mut ptodiff_isa::GlobalTensor {
    match call {
        Call::Mscatter(c) => &mut c.table,
        Call::MscatterFirst(c) => &mut c.table,
        Call::Mgather(c) => &mut c.table,
        Call::MgatherL1(c) => &mut c.table,
        _ => panic!("it has no table"),
    }
}

/// Gives all operands but the index another type.
fn retype(case: &mut Case, dtype: DType) {
    let index = usize::from(case.call.operand(Role::Index).is_some());
    let mut tiles = tiles(&mut case.call);
    // The index tile is the last one; the index of a gather to L1 is no tile.
    let data = tiles.len() - index.min(tiles.len() - 1);
    tiles[..data].iter_mut().for_each(|tile| tile.dtype = dtype);
    if case.call.table().is_some() {
        table_mut(&mut case.call).dtype = dtype;
    }
}

fn set_values(case: &mut Case, values: &[u32]) {
    let values = Fill::Literal(words(values));
    match case.call.operand(Role::Source) {
        Some(_) => case.data.source = values,
        None => case.data.table = values,
    }
}

fn set_indices(case: &mut Case, values: &[u32]) {
    case.data.index = IndexPattern::Literal(words(values));
}

#[test]
fn without_a_wish_nothing_is_left() {
    let seen = all(Form::ALL, 12, |_| true, |_, _| {});
    assert!(seen > 70, "{seen}");
}

#[test]
fn a_negative_index_and_wrap() {
    let wraps = |call: &Call| match call {
        Call::Mscatter(c) => c.oob == ScatterOob::Wrap,
        Call::MscatterFirst(c) => c.oob == ScatterOob::Wrap,
        Call::Mgather(c) => c.oob == GatherOob::Wrap,
        Call::MgatherL1(c) => c.oob == GatherOob::Wrap,
        _ => false,
    };
    let holds = |case: &Case| wraps(&case.call) && indices(case).iter().any(|index| *index < 0);
    let seen = all(&IN_GM, 150, holds, |_, least| {
        match &mut least.call {
            Call::Mscatter(c) => c.oob = ScatterOob::Wrap,
            Call::MscatterFirst(c) => c.oob = ScatterOob::Wrap,
            Call::Mgather(c) => c.oob = GatherOob::Wrap,
            Call::MgatherL1(c) => c.oob = GatherOob::Wrap,
            _ => unreachable!("these forms have a policy"),
        }
        set_indices(least, &[u32::MAX]);
    });
    assert!(seen > 20, "{seen}");
}

#[test]
fn a_wide_table_of_floats() {
    let holds = |case: &Case| {
        let table = case.call.table();
        table.is_some_and(|table| table.dtype == DType::Float && table.shape[4].get() > 3)
    };
    let seen = all(&IN_GM, 30, holds, |_, least| {
        retype(least, DType::Float);
        *table_mut(&mut least.call) = table(DType::Float, 1, 4);
        let one = 1_f32.to_bits();
        if least.call.operand(Role::Source).is_some() {
            set_values(least, &[one]);
        } else {
            set_values(
                least,
                &[one, 2_f32.to_bits(), 3_f32.to_bits(), 4_f32.to_bits()],
            );
        }
    });
    assert!(seen > 20, "{seen}");
}

#[test]
fn rows_that_are_known_at_run_time_only() {
    let holds = |case: &Case| matches!(case.call.data_tile().valid_row, Dim::Dynamic(_));
    let seen = all(Form::ALL, 12, holds, |_, least| {
        let data = *least.call.data_tile();
        let mut tiles = tiles(&mut least.call);
        let tile = tiles.iter_mut().find(|tile| ***tile == data);
        tile.expect("it has a data tile").valid_row = Dim::Dynamic(1);
    });
    assert!(seen > 30, "{seen}");
}

#[test]
fn two_chunks() {
    let holds = |case: &Case| case.chunks > 1;
    let seen = all(&IN_GM, 40, holds, |_, least| {
        least.chunks = 2;
        if least.call.operand(Role::Source).is_some() {
            set_values(least, &[1, 2]);
        }
        // There is one slot.
        set_indices(least, &[0, 0]);
    });
    assert!(seen > 20, "{seen}");
}

#[test]
fn a_table_in_nz_form() {
    let holds = |case: &Case| case.call.table().is_some_and(|t| t.layout == Layout::NZ);
    let seen = all(&IN_GM, 40, holds, |_, least| {
        table_mut(&mut least.call).layout = Layout::NZ;
    });
    assert!(seen > 30, "{seen}");
}

fn is_nan(dtype: DType, bits: u64) -> bool {
    match dtype {
        DType::Float => f32::from_bits(bits as u32).is_nan(),
        DType::Half => bits & 0x7FFF > 0x7C00,
        DType::Bfloat16 => bits & 0x7FFF > 0x7F80,
        DType::Float8E4M3 => bits & 0x7F == 0x7F,
        DType::Float8E5M2 => bits & 0x7F > 0x7C,
        DType::Hifloat8 => bits == 0x80,
        _ => false,
    }
}

#[test]
fn a_nan_in_the_source() {
    let forms = [
        Form::Mscatter,
        Form::MscatterFirst,
        Form::TscatterIndex,
        Form::TscatterMask,
        Form::Tgatherb,
    ];
    let holds = |case: &Case| {
        let dtype = case.call.operand(Role::Source).map(Operand::dtype);
        let dtype = dtype.expect("these forms have one");
        elements(case, Role::Source)
            .iter()
            .any(|bits| is_nan(dtype, *bits))
    };
    let seen = all(&forms, 100, holds, |_, least| {
        retype(least, DType::Float);
        set_values(least, &[0x7FC0_0000]);
    });
    assert!(seen > 20, "{seen}");
}

#[test]
fn an_index_past_the_slots() {
    let forms: Vec<Form> = Form::ALL
        .iter()
        .copied()
        .filter(|f| *f != Form::TscatterMask)
        .collect();
    let holds = |case: &Case| {
        let capacity = capacity(&case.call);
        indices(case)
            .iter()
            .any(|index| u64::try_from(*index).is_ok_and(|i| i >= capacity))
    };
    let seen = all(&forms, 30, holds, |_, least| {
        let past = capacity(&least.call);
        set_indices(least, &[past as u32]);
    });
    assert!(seen > 30, "{seen}");
}

#[test]
fn boxes() {
    let holds = |case: &Case| case.call.data_tile().slayout != SLayout::NoneBox;
    let forms: Vec<Form> = Form::ALL
        .iter()
        .copied()
        .filter(|f| *f != Form::MgatherL1)
        .collect();
    let seen = all(&forms, 20, holds, |case, least| {
        let data = *least.call.data_tile();
        let mut tiles = tiles(&mut least.call);
        let tile = tiles.iter_mut().find(|tile| ***tile == data);
        tile.expect("it has a data tile").slayout = case.call.data_tile().slayout;
    });
    assert!(seen > 20, "{seen}");
}

#[test]
fn one_reading_of_many() {
    let holds = |case: &Case| case.data_readings().negative_index == NegativeIndex::Signed;
    let seen = all(Form::ALL, 200, holds, |_, least| {
        least.readings.set("negative-index", "signed").unwrap();
    });
    assert!(seen > 20, "{seen}");
}

#[test]
fn launch_parameters_one_by_one() {
    let launch = |case: &Case| case.call.launch().copied().unwrap_or_default();
    let launch_of = |call: &mut Call, change: &dyn Fn(&mut ptodiff_isa::Launch)| match call {
        Call::Mscatter(c) => change(&mut c.launch),
        Call::MscatterFirst(c) => change(&mut c.launch),
        Call::Mgather(c) => change(&mut c.launch),
        Call::MgatherL1(c) => change(&mut c.launch),
        _ => unreachable!("these forms have a launch"),
    };
    let sized = |case: &Case| launch(case).dyn_ub_bytes.is_some();
    let seen = all(&IN_GM, 12, sized, |case, least| {
        let bytes = launch(case).dyn_ub_bytes;
        launch_of(&mut least.call, &|launch| launch.dyn_ub_bytes = bytes);
    });
    assert!(seen > 8, "{seen}");
    let direct = |case: &Case| launch(case).dispatch == Dispatch::Direct;
    let seen = all(&IN_GM, 24, direct, |_, least| {
        launch_of(&mut least.call, &|launch| {
            launch.dispatch = Dispatch::Direct
        });
    });
    assert!(seen > 8, "{seen}");
    let missing = |case: &Case| launch(case).flush == CacheFlush::Missing;
    let seen = all(&IN_GM, 24, missing, |_, least| {
        launch_of(&mut least.call, &|launch| {
            launch.flush = CacheFlush::Missing
        });
    });
    assert!(seen > 8, "{seen}");
}

#[test]
fn a_mask_or_its_axis() {
    let mask = |call: &Call| match call {
        Call::TscatterMask(c) => (c.pattern, c.axis),
        _ => unreachable!("of one form"),
    };
    let third = |case: &Case| mask(&case.call).0 == MaskPattern::P0100;
    let seen = all(&[Form::TscatterMask], 60, third, |_, least| {
        let Call::TscatterMask(call) = &mut least.call else {
            unreachable!("of one form");
        };
        call.pattern = MaskPattern::P0100;
    });
    assert!(seen > 8, "{seen}");
    let rows = |case: &Case| mask(&case.call).1 == MaskAxis::Col;
    let seen = all(&[Form::TscatterMask], 40, rows, |_, least| {
        let Call::TscatterMask(call) = &mut least.call else {
            unreachable!("of one form");
        };
        call.axis = MaskAxis::Col;
    });
    assert!(seen > 8, "{seen}");
}

#[test]
fn rows_of_a_table_that_lie_apart() {
    let holds = |case: &Case| {
        let table = case.call.table();
        table.is_some_and(|t| t.stride[3].get() > t.shape[4].get())
    };
    let seen = all(&IN_GM, 40, holds, |_, least| {
        let one = Dim::Static(1);
        let two = Dim::Static(2);
        table_mut(&mut least.call).stride = [two, two, two, two, one];
    });
    assert!(seen > 20, "{seen}");
}

#[test]
fn two_targets_of_three() {
    let holds = |case: &Case| case.targets.len() > 1;
    let seen = all(Form::ALL, 12, holds, |case, least| {
        least.targets = case.targets[case.targets.len() - 2..].to_vec();
    });
    assert!(seen > 20, "{seen}");
}

#[test]
fn small_types() {
    let forms = [
        Form::Mscatter,
        Form::Mgather,
        Form::TscatterIndex,
        Form::Tgatherb,
    ];
    let size = |case: &Case, role| {
        case.call
            .operand(role)
            .map(|operand| operand.dtype().size())
    };
    let holds =
        |case: &Case| case.call.data_tile().dtype.size() == 1 && size(case, Role::Index) == Some(2);
    let seen = all(&forms, 60, holds, |_, least| {
        retype(least, DType::Int8);
        let mut tiles = tiles(&mut least.call);
        tiles.last_mut().expect("it has an index tile").dtype = DType::Int16;
        least.data.index = IndexPattern::Literal(vec![0, 0]);
        let one = Fill::Literal(vec![1]);
        match least.call.operand(Role::Source) {
            Some(_) => least.data.source = one,
            None => least.data.table = one,
        }
    });
    assert!(seen > 8, "{seen}");
}

#[test]
fn elem_mode() {
    let holds = |case: &Case| case.call.mode() == Some(Coalesce::Elem);
    let seen = all(
        &[Form::Mscatter, Form::Mgather, Form::MgatherL1],
        12,
        holds,
        |_, least| match &mut least.call {
            Call::Mscatter(c) => c.mode = Coalesce::Elem,
            Call::Mgather(c) => c.mode = Coalesce::Elem,
            Call::MgatherL1(c) => c.mode = Coalesce::Elem,
            _ => unreachable!("these forms have a mode"),
        },
    );
    assert!(seen > 20, "{seen}");
}

#[test]
fn a_scratch() {
    let holds = |case: &Case| case.call.operand(Role::Scratch).is_some();
    let seen = all(&[Form::MgatherL1], 40, holds, |_, least| {
        let Call::MgatherL1(call) = &mut least.call else {
            unreachable!("of one form");
        };
        call.scratch = Some(table(DType::Int32, 1, 1));
    });
    assert!(seen > 8, "{seen}");
}
