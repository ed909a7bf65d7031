//! Random cases, what their data is, and a shrink that is watched.

use ptodiff_case::limits::{data_elements, stored_elements};
use ptodiff_case::{Case, Style, case_yaml, load_str};
use ptodiff_generate::random::{Form, Rules, Series, Wish, draw, name};
use ptodiff_generate::{stimulus, written_out};
use ptodiff_hunt::shrink;
use ptodiff_hunt::shrink::Measure;
use ptodiff_isa::{Call, DType, Dim, Operand, Role};

/// More than any of the searches here takes.
pub(crate) const TRIES: usize = 20_000;

/// The run's seed.
pub(crate) const SEED: u64 = 3;

/// Named cases of these forms, `count` of each kind of each, the kinds in turn.
pub(crate) fn random(forms: &[Form], count: u64) -> impl Iterator<Item = Case> {
    let series = Series::new(17);
    let kinds = [Rules::Legal, Rules::Broken(2), Rules::Wild];
    let numbered = move |form| (0..count).flat_map(move |n| kinds.map(|rules| (form, n, rules)));
    forms
        .iter()
        .flat_map(numbered)
        .map(move |(form, number, rules)| {
            let wish = Wish {
                rules,
                forms: vec![*form],
                ..Wish::default()
            };
            let mut case = draw(&mut series.number(number), &wish).case;
            name(&mut case, 17, number);
            case
        })
}

/// `case` read back from the text of its own case file.
pub(crate) fn again(case: &Case) -> Case {
    let text = case_yaml(case);
    let read = load_str("random.yaml", &text);
    let mut read = read.unwrap_or_else(|e| panic!("{}\n{text}", e.render(Style::Plain)));
    let mut read = read.cases.remove(0);
    read.place = case.place.clone();
    read
}

/// Bytes of all operands, the larger of storage and data of each.
pub(crate) fn bytes(case: &Case) -> u64 {
    let of = |(role, operand): (Role, Operand<'_>)| {
        let data = data_elements(role, operand, case.chunks.into());
        let elements = stored_elements(operand).max(data);
        elements.saturating_mul(operand.dtype().size() as u64)
    };
    let all = case.call.operands().into_iter();
    all.map(of).fold(0, u64::saturating_add)
}

/// The bits of the elements of an operand; none of what has a named fill or pattern.
pub(crate) fn elements(case: &Case, role: Role) -> Vec<u64> {
    let size = case
        .call
        .operand(role)
        .map(|operand| operand.dtype().size());
    let data = written_out(case, SEED).data;
    let (Some(size), Some(bytes)) = (size, data.literal(role)) else {
        return Vec::new();
    };
    let elements = bytes.chunks(size).map(|element| {
        let mut word = [0; 8];
        word[..element.len()].copy_from_slice(element);
        u64::from_le_bytes(word)
    });
    elements.collect()
}

/// The indices of a case, with their sign where their type has one.
pub(crate) fn indices(case: &Case) -> Vec<i64> {
    let dtype = case.call.operand(Role::Index).map(Operand::dtype);
    let signed = dtype.is_some_and(DType::is_signed_integer);
    let unused = 64 - 8 * dtype.map_or(8, DType::size) as u32;
    let all = elements(case, Role::Index).into_iter();
    all.map(|bits| match signed {
        true => (bits << unused).cast_signed() >> unused,
        false => bits.cast_signed(),
    })
    .collect()
}

/// Whether two lanes have one index: something that takes a while to get to.
pub(crate) fn repeats(case: &Case) -> bool {
    let mut all = indices(case);
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    all.len() < count
}

/// What one index selects among: as the documents count slots for the form.
pub(crate) fn capacity(call: &Call) -> u64 {
    let product = |dims: &[Dim]| dims.iter().map(|dim| dim.get()).product::<u64>();
    match call {
        Call::TscatterIndex(c) => c.dst.rows * c.dst.cols,
        Call::Tgatherb(c) => c.src.rows * c.src.cols * c.src.dtype.size() as u64,
        Call::TscatterMask(_) => 0,
        _ => call.table().map_or(0, |table| product(&table.shape[..4])),
    }
}

/// Shrinks `case`, and checks what holds of every search: that it asks about
/// nothing larger than `case`, that what it takes gets smaller, and that the
/// result holds, can be read back and is the same under any seed.
pub(crate) fn shrunk(case: &Case, holds: impl Fn(&Case) -> bool) -> Case {
    assert!(holds(case), "{case:?}");
    let most = bytes(case);
    let mut asked = 0;
    let mut last: Option<Measure> = None;
    let result = shrink(case, SEED, TRIES, &mut |candidate| {
        asked += 1;
        assert!(bytes(candidate) <= most, "{candidate:?}");
        assert_eq!((&candidate.id, &candidate.name), (&case.id, &case.name));
        let keeps = holds(candidate);
        if keeps && asked > 1 {
            let measure = Measure::of(candidate);
            assert!(last.as_ref().is_none_or(|last| measure < *last));
            last = Some(measure);
        }
        keeps
    });
    assert!(asked < TRIES, "the search came to its end");
    assert!(holds(&result));
    assert_eq!(again(&result), result);
    assert!(stimulus(&result, 0) == stimulus(&result, 1), "{result:?}");
    result
}
