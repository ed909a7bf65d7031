//! Which part of a run or hunt: as typed, or as the engine that runs all of them says.

use std::env;

use ptodiff_record::{NoPartition, Partition};

/// The word for what the engine says.
const AUTO: &str = "auto";

/// The part that a text names: `2/4`, `hash:2/4`, `auto`.
pub(crate) fn partition(text: &str) -> Result<Partition, String> {
    match text {
        AUTO => of_engine(),
        _ => text.parse().map_err(|e: NoPartition| e.to_string()),
    }
}

/// As [`partition`], of a hunt.
pub(crate) fn share(text: &str) -> Result<Partition, String> {
    match text.strip_prefix("hash:") {
        Some(rest) => Err(format!(
            "the cases of a hunt are divided by their numbers, and not by a hash: write {rest}"
        )),
        None => partition(text),
    }
}

/// An engine that runs a job many times: the variable with the number of one of them.
struct Engine {
    /// What messages call it.
    called: &'static str,
    /// The number of the part.
    number: &'static str,
    /// That of the first part; an array of Slurm says it itself.
    first: u64,
    /// How many there are.
    count: &'static str,
    /// Who sets that.
    set_by: &'static str,
}

/// How many parts there are, where the engine has no variable for it.
const PARTS: &str = "PTODIFF_PARTS";

const SLURM: &str = "SLURM_ARRAY_TASK_ID";

const ENGINES: [Engine; 4] = [
    Engine {
        called: "an array of Slurm",
        number: SLURM,
        first: 0,
        count: "SLURM_ARRAY_TASK_COUNT",
        set_by: "`sbatch --array=1-N` sets it",
    },
    Engine {
        called: "an Indexed Job of Kubernetes",
        number: "JOB_COMPLETION_INDEX",
        first: 0,
        count: PARTS,
        set_by: "set it in the manifest to the number of `completions`",
    },
    Engine {
        called: "a parallel job of GitLab",
        number: "CI_NODE_INDEX",
        first: 1,
        count: "CI_NODE_TOTAL",
        set_by: "`parallel: N` sets it",
    },
    Engine {
        called: "a matrix of GitHub, or another engine",
        number: "PTODIFF_PART_INDEX",
        first: 0,
        count: PARTS,
        set_by: "on GitHub set it to ${{ strategy.job-total }}",
    },
];

fn of_engine() -> Result<Partition, String> {
    let is_set = |name: &str| env::var_os(name).is_some();
    let here: Vec<&Engine> = ENGINES.iter().filter(|e| is_set(e.number)).collect();
    let engine = match here[..] {
        [engine] => engine,
        [one, other, ..] => {
            return Err(format!(
                "{} and {} are both set, of {} and of {}: write K/N",
                one.number, other.number, one.called, other.called
            ));
        }
        [] => {
            // GitLab has its count in every job.
            let half = ENGINES.iter().rev().find(|e| is_set(e.count));
            let names: Vec<&str> = ENGINES.iter().map(|e| e.number).collect();
            return Err(match half {
                Some(half) => format!("{} is set, and {} is not", half.count, numbers_of(half)),
                None => format!("no engine is here: none of {} is set", names.join(", ")),
            });
        }
    };
    let count = number(engine.count, engine.set_by)?;
    if engine.count != PARTS && is_set(PARTS) {
        let other = number(PARTS, "")?;
        if other != count {
            return Err(format!(
                "{} is {count}, and {PARTS} is {other}: write K/N",
                engine.count
            ));
        }
    }
    let own = number(engine.number, "")?;
    let part = match engine.number {
        SLURM => in_array(own, count)?,
        _ => own.checked_sub(engine.first).map(|at| at + 1),
    };
    let part = part.filter(|part| *part <= count);
    let [part, parts] = [part, Some(count)].map(|n| n.and_then(|n| u32::try_from(n).ok()));
    match (part, parts) {
        (Some(part), Some(parts)) => Partition::new(part, parts).map_err(|e| e.to_string()),
        _ => Err(format!(
            "{} is {own}, and {} is {count}: they name no part",
            engine.number, engine.count
        )),
    }
}

fn numbers_of(half: &Engine) -> String {
    let same = ENGINES.iter().filter(|e| e.count == half.count);
    let names: Vec<&str> = same.map(|e| e.number).collect();
    names.join(" or ")
}

/// The part that task `own` of an array is, if it is one. An array with gaps, or one that
/// begins elsewhere, is that of a few tasks that are run again: which parts these are of
/// and it is not said how many.
fn in_array(own: u64, count: u64) -> Result<Option<u64>, String> {
    let told = |name: &str| number(name, "`sbatch --array=1-N` sets it");
    const MIN: &str = "SLURM_ARRAY_TASK_MIN";
    const MAX: &str = "SLURM_ARRAY_TASK_MAX";
    const STEP: &str = "SLURM_ARRAY_TASK_STEP";
    let (min, max) = (told(MIN)?, told(MAX)?);
    let step = match env::var_os(STEP) {
        Some(_) => told(STEP)?,
        None => 1,
    };
    if min > 1 {
        return Err(format!(
            "{MIN} is {min}: an array of all parts begins with 0 or 1; to run some again write K/N"
        ));
    }
    let last = count.checked_sub(1).and_then(|n| n.checked_mul(step));
    if step == 0 || last.and_then(|n| n.checked_add(min)) != Some(max) {
        return Err(format!(
            "{MIN} is {min}, {MAX} is {max}, {STEP} is {step}, and SLURM_ARRAY_TASK_COUNT is {count}: \
             an array of all parts has no gaps; to run some again write K/N"
        ));
    }
    let at = own.checked_sub(min).filter(|at| at.is_multiple_of(step));
    Ok(at.map(|at| at / step + 1))
}

/// The number in a variable, which `set_by` sets.
fn number(name: &str, set_by: &str) -> Result<u64, String> {
    let Some(value) = env::var_os(name) else {
        return Err(format!("{name} is not set: {set_by}"));
    };
    let text = value.to_string_lossy();
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = plain.then(|| text.parse().ok()).flatten();
    number.ok_or_else(|| format!("{name} is `{text}`, which is no number of a part"))
}
