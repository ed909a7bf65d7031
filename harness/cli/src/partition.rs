//! Which part of a run or hunt: as typed, or as the engine that runs all of them says.

use std::{env, ffi::OsString};

use ptodiff_record::{NoPartition, Partition};

/// The word for what the engine says.
const AUTO: &str = "auto";

/// The part that a text names: `2/4`, `hash:2/4`, `auto`.
pub(crate) fn partition(text: &str) -> Result<Partition, String> {
    match text {
        AUTO => of_engine(&|name| env::var_os(name)),
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

type Variables<'a> = &'a dyn Fn(&str) -> Option<OsString>;

fn of_engine(variables: Variables<'_>) -> Result<Partition, String> {
    let is_set = |name: &str| variables(name).is_some();
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
    let count = number(variables, engine.count, engine.set_by)?;
    if engine.count != PARTS && is_set(PARTS) {
        let other = number(variables, PARTS, "")?;
        if other != count {
            return Err(format!(
                "{} is {count}, and {PARTS} is {other}: write K/N",
                engine.count
            ));
        }
    }
    let own = number(variables, engine.number, "")?;
    let part = match engine.number {
        SLURM => in_array(variables, own, count)?,
        _ => own.checked_sub(engine.first).map(|at| at + 1),
    };
    let part = part.filter(|part| *part <= count);
    let both = part
        .zip(Some(count))
        .and_then(|(part, count)| Some((u32::try_from(part).ok()?, u32::try_from(count).ok()?)));
    match both {
        Some((part, parts)) => Partition::new(part, parts).map_err(|e| e.to_string()),
        None => Err(format!(
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
fn in_array(variables: Variables<'_>, own: u64, count: u64) -> Result<Option<u64>, String> {
    let told = |name: &str| number(variables, name, "`sbatch --array=1-N` sets it");
    const MIN: &str = "SLURM_ARRAY_TASK_MIN";
    const MAX: &str = "SLURM_ARRAY_TASK_MAX";
    const STEP: &str = "SLURM_ARRAY_TASK_STEP";
    let (min, max) = (told(MIN)?, told(MAX)?);
    let step = match variables(STEP) {
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
fn number(variables: Variables<'_>, name: &str, set_by: &str) -> Result<u64, String> {
    let Some(value) = variables(name) else {
        return Err(format!("{name} is not set: {set_by}"));
    };
    let text = value.to_string_lossy();
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = plain.then(|| text.parse().ok()).flatten();
    number.ok_or_else(|| format!("{name} is `{text}`, which is no number of a part"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What variables as `A=1 B=2` name.
    fn of(text: &str) -> Result<String, String> {
        let all: Vec<(&str, &str)> = text.split(' ').filter_map(|v| v.split_once('=')).collect();
        let variable = |name: &str| {
            let found = all.iter().find(|(own, _)| *own == name);
            found.map(|(_, value)| OsString::from(value))
        };
        of_engine(&variable).map(Partition::fraction)
    }

    /// In words of their own, what Slurm sets for task ID of an array: `slurm=ID:MIN-MAX/STEP*COUNT`.
    fn spelled(text: &str) -> String {
        let Some((slurm, rest)) = text.strip_prefix("slurm=").map(|own| {
            let (own, rest) = own.split_once(' ').unwrap_or((own, ""));
            (own.split([':', '-', '/', '*']).collect::<Vec<_>>(), rest)
        }) else {
            return text.to_owned();
        };
        let [id, min, max, step, count] = slurm[..] else {
            panic!("{text}")
        };
        format!(
            "SLURM_ARRAY_TASK_ID={id} SLURM_ARRAY_TASK_MIN={min} SLURM_ARRAY_TASK_MAX={max} \
             SLURM_ARRAY_TASK_STEP={step} SLURM_ARRAY_TASK_COUNT={count} {rest}"
        )
    }

    #[test]
    fn each_engine_names_its_part() {
        for (text, part) in [
            ("slurm=1:1-8/1*8", "1/8"),
            ("slurm=8:1-8/1*8", "8/8"),
            ("slurm=0:0-7/1*8", "1/8"),
            ("slurm=28:0-28/4*8", "8/8"),
            ("slurm=1:1-1/1*1", "1/1"),
            ("JOB_COMPLETION_INDEX=7 PTODIFF_PARTS=8", "8/8"),
            ("CI_NODE_INDEX=1 CI_NODE_TOTAL=3", "1/3"),
            ("PTODIFF_PART_INDEX=0 PTODIFF_PARTS=3", "1/3"),
            // GitLab says so in a job that is none of several.
            (
                "JOB_COMPLETION_INDEX=0 PTODIFF_PARTS=2 CI_NODE_TOTAL=1",
                "1/2",
            ),
            ("slurm=2:1-2/1*2 PTODIFF_PARTS=2", "2/2"),
        ] {
            assert_eq!(of(&spelled(text)).as_deref(), Ok(part), "{text}");
        }
    }

    /// The variables, and parts of the message.
    const MISTAKES: &str = "
        | SLURM_ARRAY_TASK_ID | JOB_COMPLETION_INDEX | CI_NODE_INDEX | PTODIFF_PART_INDEX
        SLURM_ARRAY_TASK_ID=1 | SLURM_ARRAY_TASK_COUNT is not set
        SLURM_ARRAY_TASK_COUNT=4 | SLURM_ARRAY_TASK_COUNT is set, and SLURM_ARRAY_TASK_ID is not
        SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=4 | SLURM_ARRAY_TASK_MIN is not set
        JOB_COMPLETION_INDEX=1 | PTODIFF_PARTS is not set | completions
        PTODIFF_PARTS=4 | PTODIFF_PARTS is set | JOB_COMPLETION_INDEX or PTODIFF_PART_INDEX is not
        CI_NODE_TOTAL=1 | CI_NODE_INDEX is not
        CI_NODE_INDEX=1 | CI_NODE_TOTAL is not set
        CI_NODE_INDEX=0 CI_NODE_TOTAL=3 | CI_NODE_INDEX is 0 | name no part
        CI_NODE_INDEX=4 CI_NODE_TOTAL=3 | CI_NODE_INDEX is 4, and CI_NODE_TOTAL is 3
        JOB_COMPLETION_INDEX=3 PTODIFF_PARTS=3 | JOB_COMPLETION_INDEX is 3, and PTODIFF_PARTS is 3
        JOB_COMPLETION_INDEX= PTODIFF_PARTS=3 | JOB_COMPLETION_INDEX is ``
        PTODIFF_PART_INDEX=0 PTODIFF_PARTS=-3 | PTODIFF_PARTS is `-3`
        PTODIFF_PART_INDEX=0 PTODIFF_PARTS=99999999999 | PTODIFF_PARTS is 99999999999
        PTODIFF_PART_INDEX=0 PTODIFF_PARTS=0 | PTODIFF_PARTS is 0
        CI_NODE_INDEX=1 CI_NODE_TOTAL=3 PTODIFF_PARTS=4 | CI_NODE_TOTAL is 3, and PTODIFF_PARTS is 4
        slurm=1:1-8/1*8 JOB_COMPLETION_INDEX=0 PTODIFF_PARTS=8 | SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX are both set
        slurm=3:3-3/1*1 | SLURM_ARRAY_TASK_MIN is 3 | write K/N
        slurm=1:1-5/1*2 | SLURM_ARRAY_TASK_MAX is 5 | write K/N
        slurm=3:0-4/2*3 | SLURM_ARRAY_TASK_ID is 3 | name no part
        slurm=9:1-8/1*8 | SLURM_ARRAY_TASK_ID is 9
        slurm=0:1-8/1*8 | SLURM_ARRAY_TASK_ID is 0
    ";

    #[test]
    fn what_is_missing_or_contradicts_itself_is_named() {
        for line in MISTAKES.trim().lines() {
            let mut parts = line.split('|').map(str::trim);
            let text = spelled(parts.next().expect("variables"));
            let why = of(&text).expect_err(line);
            assert!(parts.all(|part| why.contains(part)), "{line}: {why}");
        }
    }
}
