//! Results that stand in files: judged as one more party of a case, and made
//! for others to compare with.

use ptodiff_case::{Case, limits::stored_elements};
use ptodiff_contract::{Permit, Permits};
use ptodiff_data::{place, st::Stored};
use ptodiff_isa::{Call, Clause, End, Log, Memory, Model, Operand, Party, Role, Schedule, Target};
use ptodiff_judge::Answer;
use ptodiff_record::{CaseRecord, Verdict};

use crate::{
    Options, Trial, altered, case,
    context::{Prepared, RunContext},
    detail::detail,
    model_of, readings,
};

/// A result that somebody else came to.
#[derive(Clone, Copy)]
pub struct ResultFile<'a> {
    /// The file that holds it; reports call it by its name.
    pub file: &'a Stored<'a>,
    /// Its values, in logical order. What it has no values for, padding and
    /// guard zones, is left as it stands.
    pub values: &'a [u8],
}

/// Runs `case`, and judges each of `results` under the contract of `target`, as
/// the party `TARGET:NAME` beside the models. What a file says nothing of
/// counts as the model of `target` left it.
///
/// # Errors
/// If `target` does not take part in the case under these options, in one line.
pub fn judge_result_files(
    case: &Case,
    target: Target,
    results: &[ResultFile<'_>],
    options: &Options,
) -> Result<CaseRecord, String> {
    let models: Vec<&dyn Model> = case::selected(case, options)
        .map(|m| m as &dyn Model)
        .collect();
    let model = models.iter().find(|m| m.target() == target);
    let model = *model.ok_or_else(|| format!("the case does not run on {target}"))?;
    let prepared = Prepared::new(case, options);
    held(
        &prepared.steps,
        results.iter().map(|result| result.file.role),
    )?;
    let context = prepared.context();
    let mut party_runs = context.party_runs(&models);
    // A file has one content, whatever order it was made in.
    let once = RunContext {
        schedules: &[Schedule::InOrder],
        ..context
    };
    for result in results {
        let party = Party::form(target, result.file.name);
        let written = file_model(model, result);
        party_runs.push(once.run(party, &written, &case.call));
    }
    let uses = readings::that_matter(&context, &models);
    let trial = Trial::new(context, party_runs).judged();
    let mut record = trial.record(uses);
    // With its data written out a case is long: only where there is something to see.
    let seen = matches!(record.verdict, Verdict::Violation | Verdict::Permitted);
    record.detail = (options.details && seen).then(|| detail(&trial, &models, &record));
    Ok(record)
}

/// Whoever wrote a file: of what it did, only the values in the file are known.
fn file_model<'a>(model: &'a dyn Model, result: &'a ResultFile<'a>) -> impl Model + 'a {
    altered(model, |model, call, memory, how, _| {
        // Its accesses are not those of the file's writer, and nor is a wait.
        let _ = model.execute(call, memory, how, &mut Log::default())?;
        let ResultFile { file, values } = result;
        if let Some(region) = memory.get_mut(file.role) {
            // Too few values leave the rest as it stands, and are judged so.
            let _ = place::put(file.operand, values, region.body_mut());
        }
        Ok(End::Finished)
    })
}

/// A result to compare with.
#[derive(Clone, PartialEq, Debug)]
pub struct Required {
    /// All operands after the call: what the contract requires of the output,
    /// and where it permits several results what the target's model comes to.
    pub memory: Memory,
    /// Why nothing at all is promised, if nothing is: the preconditions that are broken.
    pub undefined: Vec<Clause>,
    /// What may stand in every slot, where anything is promised.
    pub permits: Option<Permits>,
}

/// What `target` is required to come to with the data of `case`.
///
/// # Errors
/// Where there is no result, in one line: the target rejects the case, never
/// returns from it, or its model fails.
pub fn required(case: &Case, target: Target, options: &Options) -> Result<Required, String> {
    required_of(&Prepared::new(case, options), target)
}

fn required_of(prepared: &Prepared<'_>, target: Target) -> Result<Required, String> {
    let case = prepared.case;
    let mut run = prepared
        .context()
        .under(model_of(target), prepared.readings[target]);
    let mut memory = match run.answers.pop() {
        Some(Answer::Ran(ran)) => ran.memory,
        Some(Answer::Hung(_)) => return Err(format!("{target} hangs")),
        Some(Answer::Fault(why)) => return Err(format!("the model of {target} failed: {why}")),
        Some(Answer::Rejected(all)) if !all.is_empty() => {
            let (clause, why) = (all[0].clause, &all[0].why);
            return Err(format!("{target} rejects: {clause} {why}"));
        }
        _ => return Err(format!("the model of {target} gave no answer")),
    };
    let call = &case.call;
    held(&prepared.steps, [call.output()])?;
    let mut undefined: Vec<Clause> = run.broken().map(|b| b.clause).collect();
    undefined.sort_unstable();
    undefined.dedup();
    let mut permits = None;
    if undefined.is_empty() {
        let promised = run.promise.permits();
        let promised = promised.ok_or_else(|| format!("the operands do not fit {target}"))?;
        require(call, promised, &mut memory);
        permits = Some(promised.clone());
    }
    Ok(Required {
        memory,
        undefined,
        permits,
    })
}

/// The operands from between whose elements elements of the result come, each with how many:
/// an array of the operand does not have those bytes. None where nothing is promised.
#[must_use]
pub fn from_padding(case: &Case, target: Target, options: &Options) -> Vec<(Role, usize)> {
    let (call, role) = (&case.call, case.call.output());
    let Some(output) = call.operand(role) else {
        return Vec::new();
    };
    let result = |prepared: &Prepared<'_>| {
        let required = required_of(prepared, target).ok();
        let required = required.filter(|own| own.undefined.is_empty())?;
        place::take(output, required.memory.get(role)?.body())
    };
    let count = |(role, operand): (Role, Operand<'_>)| {
        let mut other = Prepared::new(case, options);
        let given = result(&other)?;
        for region in other.steps.iter_mut().filter_map(|step| step.get_mut(role)) {
            let elements = place::take(operand, region.body())?;
            region.body_mut().iter_mut().for_each(|byte| *byte = !*byte);
            place::put(operand, &elements, region.body_mut())?;
        }
        let (size, otherwise) = (output.dtype().size(), result(&other)?);
        let pairs = given.chunks(size).zip(otherwise.chunks(size));
        let count = pairs.filter(|(one, other)| one != other).count();
        (count > 0).then_some((role, count))
    };
    let inputs = call.operands().into_iter().filter(|(input, operand)| {
        *input != role && place::count(&place::extents(*operand)) < Some(stored_elements(*operand))
    });
    inputs.filter_map(count).collect()
}

/// That operands of these roles stand in files as a whole.
///
/// # Errors
/// That one is sparse.
pub(crate) fn held(steps: &[Memory], roles: impl IntoIterator<Item = Role>) -> Result<(), String> {
    for role in roles {
        let operand = steps.iter().find_map(|step| step.get(role));
        if let Some(large) = operand.filter(|region| region.is_sparse()) {
            let mib = large.body().len().div_ceil(1 << 20);
            return Err(format!("the {role} is sparse: no file holds its {mib} MiB"));
        }
    }
    Ok(())
}

/// Puts what `permits` require into `memory`.
fn require(call: &Call, permits: &Permits, memory: &mut Memory) {
    let output = call.output();
    let (Some(operand), Some(after)) = (permits.of(output), memory.get_mut(output)) else {
        return;
    };
    let after = after.body_mut();
    for run in &operand.runs {
        if let Permit::Exactly { at } = run.permit
            && run.or_kept.is_none()
        {
            let required = &permits.pool[at..at + run.len];
            after[run.offset..run.offset + run.len].copy_from_slice(required);
        }
    }
}

#[cfg(test)]
mod tests {
    use ptodiff_data::st::{self, GOLDEN};
    use ptodiff_record::TargetVerdict;

    use super::*;

    /// A file does not cover what its writer touched beside it.
    #[test]
    fn accesses_of_the_model_are_not_those_of_the_file() {
        let text = "cases:\n  - name: x\n    instruction: MSCATTER\n    mode: Elem\n    \
             dtype: int32_t\n    conflict: Default\n    oob: Undefined\n    \
             tile: {shape: [1, 8], valid: [1, 4]}\n    \
             index: {shape: [1, 8], valid: [1, 4], data: all-out-of-bounds}\n    \
             table: {shape: [1, 1, 1, 1, 8]}\n";
        let case = &ptodiff_case::load_str("x.yaml", text)
            .expect("a case")
            .cases[0];
        let file = st::result(Target::A5, &case.call, GOLDEN).expect("an output");
        let result = ResultFile {
            file: &file,
            values: &[0; 32],
        };
        let options = Options::default();
        let record = judge_result_files(case, Target::A5, &[result], &options).expect("a record");
        let golden = &record.targets[&Party::form(Target::A5, "golden.bin")];
        assert_eq!(golden.verdict, TargetVerdict::Undefined);
        let told = &golden.reasons;
        assert!(!told.is_empty() && told.iter().all(|r| !r.why.is_empty()));
        assert_eq!(golden.out_of_bounds, 0);
        assert_eq!(record.targets[&Party::of(Target::A5)].out_of_bounds, 4);
    }
}
