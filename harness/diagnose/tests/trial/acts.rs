//! That a known mistake acts: in another form, under other readings, in boxes, under one schedule,
//! and where a value was there already.

use ptodiff_isa::DType;

use super::*;

#[test]
fn a_mistake_of_one_form_is_tried_in_another() {
    for (name, file) in [
        ("mscatter-a2a3-clamp-to-zero", "axes/mscatter_axes_first"),
        ("mscatter-a5-float-max-by-bits", "clauses/mscatter_first"),
    ] {
        let mutant = named(name);
        let first = mutant.on(Target::A5, Form::MscatterFirst);
        let cases = cases(&format!("cases/{file}.yaml"));
        assert_whole(&first, &cases, mutant.mistake);
    }
}

/// Takes the table for a row less by row, which the first revision has no argument for.
fn a_row_less(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let mut call = *call;
    if let Call::MscatterFirst(own) = &mut call {
        own.table.shape[3] = Dim::Dynamic(own.table.shape[3].get() - 1);
    }
    right().execute(&call, memory, how, log)
}

#[test]
fn the_rows_of_the_first_revision_are_rows() {
    let mut cases = CLAUSES.clone();
    cases.retain(|case| matches!(&case.call, Call::MscatterFirst(own) if own.idx.cols == 1));
    let mistake = "takes the table for one slot, or one row, smaller than it is";
    assert_whole(&executes(a_row_less), &cases, mistake);
}

/// Those of the public library's suites.
#[test]
fn a_mistake_is_one_under_other_readings() {
    for (name, mode, reading) in [
        (
            "tscatter-cpu-first-writer-wins",
            None,
            ("tscatter-unaddressed", "zero"),
        ),
        (
            "mscatter-cpu-first-writer-wins",
            Some(Coalesce::Row),
            ("cpu-form", "templated"),
        ),
    ] {
        let mut cases = CLAUSES.clone();
        let form = named(name).form;
        cases.retain(|case| Form::of(&case.call) == form && case.call.mode() == mode);
        let told = told_under(named(name), &cases, &[reading], |_| "all".to_owned());
        let first = told.first().and_then(|told| told.fits.first());
        let first = first.map(|fit| (&*fit.name, fit.contradicts));
        assert_eq!(first, Some((name, 0)), "{told:#?}");
    }
}

/// No launch matters on CPU and A2/A3, and on A5 what is not flushed may show.
#[test]
fn a_mistake_is_one_however_it_is_launched() {
    for target in [Target::Cpu, Target::A2a3, Target::A5] {
        let first = named(&format!("mscatter-{target}-first-writer-wins"));
        let mut cases = cases("cases/clauses/mscatter.yaml");
        cases.retain_mut(|case| {
            if let Call::Mscatter(own) = &mut case.call {
                own.launch.flush = CacheFlush::Missing;
                own.launch.dispatch = match target {
                    Target::A5 => Dispatch::Standard,
                    _ => Dispatch::Direct,
                };
            }
            Form::of(&case.call) == first.form && case.chunks == 1
        });
        let launched = altered(first, |first, call, memory, how, log| {
            let mut call = *call;
            let launch = call.launch_mut().into_iter();
            launch.for_each(|launch| *launch = Launch::default());
            first.execute(&call, memory, how, log)
        });
        assert_whole(&launched, &cases, first.mistake);
    }
}

/// Gathers by bytes, and zeroes the padding of its destination.
fn padding_zeroed(
    call: &Call,
    memory: &mut Memory,
    how: &How,
    log: &mut Log,
) -> Result<End, Fault> {
    let end = right().execute(call, memory, how, log)?;
    if let (Call::Tgatherb(own), Some(region)) = (call, memory.get_mut(Role::Destination)) {
        let [cols, valid_row, valid_col] = [
            own.dst.cols,
            own.dst.valid_row.get(),
            own.dst.valid_col.get(),
        ]
        .map(|n| n as usize);
        let elements = region.body_mut().chunks_exact_mut(own.dst.dtype.size());
        for (n, element) in elements.enumerate() {
            if n % cols >= valid_col || n / cols >= valid_row {
                element.fill(0);
            }
        }
    }
    Ok(end)
}

#[test]
fn what_is_written_with_the_value_that_it_had_is_written() {
    let mut cases = cases("cases");
    let by_rows =
        |call: &Call| matches!(call, Call::Tgatherb(own) if own.dst.blayout == BLayout::RowMajor);
    cases.retain(|case| by_rows(&case.call));
    let mistake = "zeroes what it does not write";
    assert_whole(&executes(padding_zeroed), &cases, mistake);
}

/// Keeps integer sums at the end of their range, and finds the slots flushed.
fn saturates(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let (mut call, mut how) = (*call, *how);
    if let Some(launch) = call.launch_mut() {
        launch.flush = CacheFlush::Appended;
    }
    let saturate = how.readings.set("add-overflow", "saturate");
    saturate.expect("a reading");
    right().execute(&call, memory, &how, log)
}

/// Of a slot that is not flushed two values are permitted, and an implementation leaves one.
#[test]
fn a_mistake_is_found_flushed_and_so_is_a_reading() {
    let mut cases = cases("cases/clauses/launch.yaml");
    cases.retain(|case| case.name == "unflushed_sums");
    let mistake = "keeps integer sums at the end of their range";
    assert_whole(&executes(saturates), &cases, mistake);
    let fit = &told(&executes(saturates), &cases)[0].fits[1];
    assert_eq!((&*fit.name, fit.explains), ("add-overflow=saturate", 1));
}

/// Puts the elements of each box of four bytes column by column.
fn by_columns(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let end = right().execute(call, memory, how, log)?;
    for role in [Role::Destination, Role::Scratch] {
        let body = memory.get_mut(role).expect("an operand").body_mut();
        for (n, element) in body.to_vec().chunks_exact(4).enumerate() {
            let (start, r, c) = (n / 128 * 128, n % 128 / 8, n % 8);
            body[4 * (start + c * 16 + r)..][..4].copy_from_slice(element);
        }
    }
    Ok(end)
}

#[test]
fn boxes_that_are_transposed_are_explained() {
    let mut cases = CLAUSES.clone();
    cases.retain(|case| match &case.call {
        Call::MgatherL1(own) => own.scratch.is_some() && own.dst.dtype.size() == 4,
        _ => false,
    });
    let mistake = "takes the elements of a box column by column, not row by row";
    assert_whole(&executes(by_columns), &cases, mistake);
}

/// Writes nothing by row, and nothing by element where the lanes come the other way round.
fn idle(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    match how.schedule == Schedule::Reversed || call.mode() == Some(Coalesce::Row) {
        true => Ok(End::Finished),
        false => right().execute(call, memory, how, log),
    }
}

#[test]
fn what_fails_under_another_schedule_only_is_counted_and_no_failure_of_a_diagnosis() {
    let mut cases = cases("cases/clauses/mscatter.yaml");
    cases.retain(|case| case.targets.contains(&Target::A5));
    let told = |cases: &[Case]| told_of(&executes(idle), cases, |_| "all".to_owned());
    let both = told(&cases);
    let (all, fit) = (&both[0], &both[0].fits[0]);
    assert_eq!(
        (&*fit.name, fit.explains),
        ("nothing-written", all.failures)
    );
    let more = format!(", {} more fail under another schedule only", all.elsewhere);
    assert!(all.elsewhere > 1 && all.lines(false)[0].0.contains(&more));
    cases.retain(|case| case.call.mode() == Some(Coalesce::Elem));
    assert_eq!(told(&cases), []);
}

/// Compares indices as signed numbers before it clamps them.
fn clamps_signed(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let clamps = call.argument("oob").is_some_and(|oob| oob.value == "Clamp");
    let index = memory.get_mut(Role::Index).filter(|_| clamps);
    let given = index.map(|index| {
        let before = index.body().to_vec();
        for element in index.body_mut().as_chunks_mut::<4>().0 {
            if i32::from_le_bytes(*element) < 0 {
                *element = [0; 4];
            }
        }
        before
    });
    let end = right().execute(call, memory, how, log);
    if let (Some(given), Some(index)) = (given, memory.get_mut(Role::Index)) {
        index.body_mut().copy_from_slice(&given);
    }
    end
}

#[test]
fn a_negative_index_that_is_clamped_to_the_first_is_told() {
    let mut cases = cases("cases/clauses");
    cases.retain(|case| matches!(case.call, Call::Mgather(_) | Call::Mscatter(_)));
    let mistake = "clamps a negative index to 0, not to the last one inside";
    assert_whole(&executes(clamps_signed), &cases, mistake);
}

/// Keeps the lower 32 bits of an offset into the table, whose elements have four bytes.
fn short_offsets(call: &Call, memory: &mut Memory, how: &How, log: &mut Log) -> Result<End, Fault> {
    let mut call = *call;
    call.launch_mut().expect("a launch").flush = CacheFlush::Appended;
    let index = memory.get_mut(Role::Index).expect("an operand").body_mut();
    let given = index.to_vec();
    for element in index.as_chunks_mut::<4>().0 {
        let short = u32::from_le_bytes(*element).wrapping_mul(4) / 4;
        *element = short.to_le_bytes();
    }
    let end = right().execute(&call, memory, how, log);
    let index = memory.get_mut(Role::Index).expect("an operand").body_mut();
    index.copy_from_slice(&given);
    end
}

/// An implementation has no cache that a launch without a flush leaves full.
#[test]
fn offsets_of_32_bits_are_told_also_where_no_flush_is_asked_for() {
    let mut cases = cases("cases/clauses/sparse_tables.yaml");
    let names = [
        "elements_beyond_4_gib",
        "elements_over_two_calls",
        "elements_without_a_flush",
    ];
    cases.retain(|case| names.iter().any(|name| case.name == *name));
    let mistake = "keeps the lower 32 bits of an offset in bytes";
    assert_whole(&executes(short_offsets), &cases, mistake);
}

#[test]
fn what_is_done_to_the_bits_of_a_value_is_told() {
    let mut cases = cases("cases/clauses/bits.yaml");
    cases.retain(|case| case.call.data_tile().dtype == DType::Float);
    type Change = fn(f32) -> u32;
    let mistakes: [(&str, Change); 4] = [
        ("writes one NaN for every other", |x| match x.is_nan() {
            true => 0x7FC0_0000,
            false => x.to_bits(),
        }),
        ("makes a signalling NaN quiet", |x| {
            x.to_bits() | u32::from(x.is_nan()) << 22
        }),
        ("loses the sign of a zero", |x| match x == 0.0 {
            true => 0,
            false => x.to_bits(),
        }),
        ("writes a zero for a subnormal value", |x| {
            match x.is_subnormal() {
                true => x.to_bits() & 1 << 31,
                false => x.to_bits(),
            }
        }),
    ];
    for (mistake, change) in mistakes {
        let spoiled = altered(right(), move |model, call, memory, how, log| {
            let before = memory.get(call.output()).expect("it").body().to_vec();
            let end = model.execute(call, memory, how, log)?;
            let output = memory.get_mut(call.output()).expect("it").body_mut();
            for (new, old) in output.chunks_exact_mut(4).zip(before.chunks_exact(4)) {
                if new != old {
                    let value = f32::from_le_bytes(new.try_into().expect("a float"));
                    new.copy_from_slice(&change(value).to_le_bytes());
                }
            }
            Ok(end)
        });
        assert_whole(&spoiled, &cases, mistake);
        // No call passes: each instruction is on its own.
        for one in told(&spoiled, &cases) {
            let instruction = one.failure_group.split(' ').next();
            assert!(
                one.also
                    .iter()
                    .all(|other| other.split(' ').next() == instruction),
                "{one:?}"
            );
        }
    }
}
