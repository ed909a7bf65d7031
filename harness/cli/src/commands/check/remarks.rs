//! Legal calls that look wrong. What is in range is the contract's to say: it is asked
//! about the same call without a policy.

use ptodiff_case::{Case, Fill, IndexPattern, limits};
use ptodiff_generate::stimulus;
use ptodiff_isa::{
    Call, Coalesce, CpuForm, DType, Form, Layout, Memory, Role, Target,
    reading::{GAPS, Gap, OnTarget},
};

use super::finding::Finding;
use crate::text::joined;

/// Gives `found` what looks wrong in how `case` is written and in the indices that it gives to
/// these targets, which do not reject it.
pub(super) fn of_data(case: &Case, targets: &[Target], mut found: impl FnMut(Finding)) {
    if let Some(finding) = missing_mode(case) {
        found(finding);
    }
    if let Some(finding) = wide(case) {
        found(finding);
    }
    // What leads out of the range of one target is chance there.
    if case.data.index.is_drawn_in_range() {
        return;
    }
    let drawn = drawn(case);
    let (IndexPattern::Literal(bytes), Some(index)) =
        (&drawn.data.index, case.call.operand(Role::Index))
    else {
        return;
    };
    let values = values(bytes, index.dtype());
    if let Some(finding) = negative(case, targets, &values) {
        found(finding);
    }
    if is_written(case)
        && let Some(finding) = within_elements(case, &values)
    {
        found(finding);
    }
    for target in targets {
        out_of_range(case, *target, &values, &mut found);
    }
}

/// `case` with the indices that it has under the first seed.
fn drawn(case: &Case) -> Case {
    let mut bare = case.clone();
    for (role, _) in case.call.operands() {
        bare.data.set_fill(role, Fill::Zeros);
    }
    ptodiff_generate::written_out(&bare, 0)
}

/// Whether the case gives its indices one by one: what is drawn is no mistake.
fn is_written(case: &Case) -> bool {
    matches!(case.data.index, IndexPattern::Literal(_))
}

/// What looks wrong in indices of which one is out of range on `target`.
fn out_of_range(case: &Case, target: Target, values: &[i128], found: &mut impl FnMut(Finding)) {
    let Some(index) = case.call.operand(Role::Index) else {
        return;
    };
    if beyond(&bare(case), target).is_none() {
        return;
    }
    let mut known = case.clone();
    if is_negative_open(case, target) {
        // A remark of their own tells of those.
        let width = index.dtype().size();
        let others = values
            .iter()
            .flat_map(|value| (*value).max(0).to_le_bytes()[..width].to_vec());
        known.data.index = IndexPattern::Literal(others.collect());
    }
    if let Some(policy) = moved(case)
        && self::beyond(case, target).is_none()
        && let Some(beyond) = self::beyond(&bare(&known), target)
    {
        let message = format!(
            "{beyond}: {policy} takes it to a place that other indices mean, and nothing shows it"
        );
        found(Finding::of(case, target, "live-row", message));
    }
    let element = case.call.data_tile().dtype.size() as i128;
    let (size, of, counts) = match (case.call.mode(), case.call.table()) {
        (Some(Coalesce::Row), Some(table)) => {
            let row = i128::from(table.stride[3].get()) * element;
            (row, "a row", "Row counts rows")
        }
        _ => (element, "an element", "these instructions count elements"),
    };
    let all_multiples = values
        .iter()
        .all(|value| *value >= 0 && value % size.max(1) == 0);
    if is_written(case) && size > 1 && all_multiples && !matches!(case.call, Call::Tgatherb(_)) {
        let mut divided = case.clone();
        let width = index.dtype().size();
        let fewer: Vec<u8> = values
            .iter()
            .flat_map(|value| (value / size).to_le_bytes()[..width].to_vec())
            .collect();
        divided.data.index = IndexPattern::Literal(fewer);
        if self::beyond(&bare(&divided), target).is_none() {
            let message = format!(
                "all indices are multiples of {size}, the bytes of {of}, and reach out of \
                 range; divided by it they do not: are they bytes?"
            );
            found(Finding::of(case, target, "byte-index", message).help(counts));
        }
    }
}

/// A table that reaches further than a signed number of 32 bits counts, in bytes.
fn wide(case: &Case) -> Option<Finding> {
    const MOST: u64 = i32::MAX as u64;
    let table = case.call.table()?;
    let size = table.dtype.size() as u64;
    let last = limits::span_bytes(&case.call)?.checked_sub(size)?;
    if last <= MOST {
        return None;
    }
    let index = match (&case.data.index, case.call.operand(Role::Index)) {
        (IndexPattern::Literal(bytes), Some(index)) => values(bytes, index.dtype()),
        _ => Vec::new(),
    };
    // Where the rows of such a table lie needs no account.
    let plain = table.layout == Layout::ND && table.shape[..3].iter().all(|dim| dim.get() == 1);
    let row = index.into_iter().filter_map(|row| u64::try_from(row).ok());
    let row = row.filter(|row| *row < table.shape[3].get()).max();
    let at = |row: u64| row.checked_mul(table.stride[3].get())?.checked_mul(size);
    let row = row
        .filter(|_| plain && case.call.mode() == Some(Coalesce::Row))
        .and_then(|row| Some((row, at(row).filter(|at| *at > MOST)?)));
    let message = match row {
        Some((row, at)) => format!("row {row} begins {at} bytes behind the table's first element"),
        None => format!("the table's last element lies {last} bytes behind its first"),
    };
    let message = format!("{message}, 2^31 or more: offsets into it take 64 bits");
    Some(Finding::about(case, "wide-offset", message))
}

/// A mode that is left to defaults that differ, though the index has the data's shape.
fn missing_mode(case: &Case) -> Option<Finding> {
    // PTO text has a remark of its own, at the operation.
    if ptodiff_pto::is_pto(&case.place.file) || !case.leaves_all_out() {
        return None;
    }
    case.call.mode()?;
    let (index, data) = (
        *case.call.operand(Role::Index)?.tile()?,
        case.call.data_tile(),
    );
    let like = index.valid_row.get() == data.valid_row.get()
        && index.valid_col.get() == data.valid_col.get();
    like.then(|| {
        // The call without template arguments is a form of its own there.
        let scatters = matches!(case.call, Call::Mscatter(_));
        let cpu_form = case.readings[Target::Cpu].cpu_form;
        let default = match scatters && cpu_form == CpuForm::Documented {
            true => "Row on a2a3 and a5 and Elem on the CPU simulator",
            false => "Row",
        };
        let message = format!(
            "no mode: the default is {default}, and the index has the data's shape, which is how \
             Elem is written"
        );
        Finding::about(case, "missing-coalesce", message).help("write `mode: Elem`, or `mode: Row`")
    })
}

/// Offsets, which count bytes, that begin in the middle of an element.
fn within_elements(case: &Case, offsets: &[i128]) -> Option<Finding> {
    let Call::Tgatherb(call) = &case.call else {
        return None;
    };
    let size = call.dst.dtype.size() as i128;
    let (at, offset) = offsets.iter().enumerate().find(|(_, n)| *n % size != 0)?;
    let message = format!(
        "offset {at} is {offset}, in the middle of an element of {size} bytes: are the offsets \
         elements?"
    );
    Some(Finding::about(case, "element-offset", message).help("these offsets count bytes"))
}

/// A negative index of which a policy takes care.
fn negative(case: &Case, targets: &[Target], values: &[i128]) -> Option<Finding> {
    let at = values.iter().position(|value| *value < 0)?;
    let gap = negative_index(&case.call)?;
    let open = targets
        .iter()
        .filter(|target| is_negative_open(case, **target));
    let read = open.map(|target| (*target, gap.choice(&case.readings[*target])));
    let read: Vec<(Target, &str)> = read.collect();
    let (_, first) = read.first()?;
    let alike = read.iter().all(|(_, choice)| choice == first);
    let own = match alike {
        true => format!("`{first}`"),
        false => joined(
            read.iter().map(|(t, choice)| format!("`{choice}` on {t}")),
            " and ",
        ),
    };
    // MGATHER of the CPU casts them.
    let on = match read.len() == targets.len() {
        true => String::new(),
        false => format!(
            " on {}",
            joined(read.iter().map(|(target, _)| target), ", ")
        ),
    };
    let message = format!(
        "index {at} is {}: the documents say nothing of negative indices{on}; it is read as {own}",
        values[at]
    );
    let others = gap
        .choices
        .iter()
        .filter(|choice| !alike || *choice != first);
    let others = others.map(|choice| format!("--reading {}={choice}", gap.name));
    let help = format!("other readings: {}", joined(others, ", "));
    Some(Finding::about(case, "negative-index", message).help(help))
}

/// The gap on what a negative index of `call` is.
fn negative_index(call: &Call) -> Option<&'static Gap> {
    let form = Form::of(call);
    let is_of = |gap: &&Gap| gap.name.ends_with("negative-index") && gap.forms.contains(&form);
    GAPS.iter().find(is_of)
}

/// Whether it is open what a negative index means to `target`.
fn is_negative_open(case: &Case, target: Target) -> bool {
    let (call, steps) = (&case.call, &stimulus(case, 0).steps[..]);
    let documented = case.readings[target].cpu_form == CpuForm::Documented;
    // Without a policy nothing is made of them.
    let is_plain = target == Target::Cpu && documented && matches!(call, Call::Mscatter(_));
    let own = OnTarget {
        call,
        steps,
        target,
    };
    !is_plain && negative_index(call).is_some_and(|gap| gap.may_matter(&own))
}

/// The policy by which an index that is out of range selects something all the same.
fn moved(case: &Case) -> Option<String> {
    let policy = ptodiff_runner::describe(case).remove("oob")?;
    if case.call.table()?.shape.iter().any(|dim| dim.get() == 0) {
        return None;
    }
    matches!(&policy[..], "Clamp" | "Wrap").then_some(policy)
}

/// `case` without a policy.
fn bare(case: &Case) -> Case {
    let mut bare = case.clone();
    bare.call.set_argument("oob", "Undefined");
    bare
}

/// The first index that is out of range and no policy takes care of, in the contract's words.
fn beyond(case: &Case, target: Target) -> Option<String> {
    let steps = ptodiff_generate::stimulus(case, 0).steps;
    let steps: Vec<&Memory> = steps.iter().collect();
    ptodiff_runner::out_of_range(case, &steps, target)
}

/// The numbers of little-endian elements.
fn values(bytes: &[u8], dtype: DType) -> Vec<i128> {
    let width = dtype.size();
    let value = |element: &[u8]| {
        let mut raw = [0; 8];
        raw[..width].copy_from_slice(element);
        let bits = u64::from_le_bytes(raw);
        let unused = 64 - 8 * width as u32;
        match dtype.is_signed_integer() {
            true => i128::from((bits << unused) as i64 >> unused),
            false => i128::from(bits),
        }
    };
    bytes.chunks_exact(width).map(value).collect()
}
