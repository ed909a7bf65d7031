//! From the text of a `ptodiff.toml` to what it says. Every key is checked.

use std::{fmt::Display, ops::Range, str::FromStr, time::Duration};

use ptodiff_isa::{Target, reading};
use ptodiff_record::reproduce::word;
use ptodiff_register::Edition;
use strum::VariantNames as _;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{Check, Common, Config, Implementation, Run};
use crate::{
    implementations, mistake::Mistake, readings::ReadingArgs, rules::rule, values::duration,
};

type Value<'a> = Spanned<DeValue<'a>>;

const IMPLEMENTATION: &[&str] = &[
    "command", "edition", "env", "jobs", "memory", "readings", "target", "time",
];
const CHECK: &[&str] = &["allow", "deny", "edition", "readings", "targets", "warn"];
const RUN: &[&str] = &["edition", "jobs", "out", "readings", "targets"];

/// Reads `text`.
///
/// # Errors
/// The first mistake, in the order of the file's tables.
pub(super) fn read(text: &str) -> Result<Config, Mistake> {
    let table = DeTable::parse(text)
        .map_err(|e| Mistake::new(e.span().unwrap_or(0..0), e.message().to_owned()))?;
    let table = table.get_ref();
    keys(table, "the file", &["check", "impl", "run"])?;
    let mut config = Config::default();
    if let Some(value) = table.get("impl") {
        for (name, value) in in_order(entries(value)?) {
            implementations::usable(name.get_ref())
                .map_err(|why| Mistake::new(name.span(), why))?;
            let own = implementation(name.get_ref(), name.span(), value)?;
            config.implementations.push(own);
        }
    }
    config.run = get(table, "run", run)?.unwrap_or_default();
    config.check = get(table, "check", check)?.unwrap_or_default();
    Ok(config)
}

fn implementation(
    name: &str,
    at: Range<usize>,
    value: &Value<'_>,
) -> Result<Implementation, Mistake> {
    let table = entries(value)?;
    keys(table, &format!("[impl.{name}]"), IMPLEMENTATION)?;
    let mut own = Implementation {
        name: name.to_owned(),
        ..Implementation::default()
    };
    let Some(value) = table.get("command") else {
        let wrong = Mistake::new(at, format!("[impl.{name}] has no `command`"));
        return Err(wrong.help("as in `command = \"python3 implementation.py\"`"));
    };
    own.command = match value.get_ref() {
        DeValue::Array(_) => {
            let words = list(value, &|v| text(v).map(str::to_owned))?;
            let quoted: Vec<String> = words.iter().map(|w| word(w)).collect();
            quoted.join(" ")
        }
        _ => text(value)?.to_owned(),
    };
    if let Err(why) = ptodiff_impl::split(&own.command) {
        return Err(Mistake::new(value.span(), why.to_string()));
    }
    own.targets = get(table, "target", targets)?.unwrap_or_default();
    own.time = get(table, "time", time)?;
    own.memory = get(table, "memory", |value| {
        let mib = number::<u64>(value, 1..=1 << 20);
        mib.map_err(|m| m.help("memory is a number of MiB: `memory = 2048`"))
    })?;
    own.jobs = get(table, "jobs", jobs)?;
    own.chosen = chosen(table)?;
    if let Some(value) = table.get("env") {
        for (name, value) in in_order(entries(value)?) {
            let spelled: &str = name.get_ref();
            if spelled.is_empty() || spelled.contains(['=', '\0']) {
                return Err(Mistake::new(name.span(), "not the name of a variable"));
            }
            let set = text(value)?;
            if set.contains('\0') {
                return Err(Mistake::new(value.span(), "a variable cannot hold this"));
            }
            own.place.env.push((spelled.to_owned(), set.to_owned()));
        }
    }
    Ok(own)
}

fn run(value: &Value<'_>) -> Result<Run, Mistake> {
    let table = entries(value)?;
    keys(table, "[run]", RUN)?;
    Ok(Run {
        common: common(table)?,
        jobs: get(table, "jobs", jobs)?,
        out: get(table, "out", text)?.map(Into::into),
    })
}

fn check(value: &Value<'_>) -> Result<Check, Mistake> {
    let table = entries(value)?;
    keys(table, "[check]", CHECK)?;
    let rules = |value: &Value<'_>| {
        list(value, &|v| {
            rule(text(v)?).map_err(|why| Mistake::new(v.span(), why))
        })
    };
    Ok(Check {
        deny: get(table, "deny", rules)?.unwrap_or_default(),
        warn: get(table, "warn", rules)?.unwrap_or_default(),
        allow: get(table, "allow", rules)?.unwrap_or_default(),
        common: common(table)?,
    })
}

fn common(table: &DeTable<'_>) -> Result<Common, Mistake> {
    Ok(Common {
        targets: get(table, "targets", targets)?.unwrap_or_default(),
        chosen: chosen(table)?,
    })
}

fn chosen(table: &DeTable<'_>) -> Result<ReadingArgs, Mistake> {
    Ok(ReadingArgs {
        edition: get(table, "edition", edition)?,
        reading: get(table, "readings", readings)?.unwrap_or_default(),
    })
}

/// What stands under `key`, if it is there.
fn get<'t, 'a, T>(
    table: &'t DeTable<'a>,
    key: &str,
    read: impl FnOnce(&'t Value<'a>) -> Result<T, Mistake>,
) -> Result<Option<T>, Mistake> {
    table.get(key).map(read).transpose()
}

/// That `table` has these keys and no others.
fn keys(table: &DeTable<'_>, what: &str, known: &[&str]) -> Result<(), Mistake> {
    match in_order(table).find(|(key, _)| !known.contains(&&**key.get_ref())) {
        None => Ok(()),
        Some((key, _)) => {
            let key_text: &str = key.get_ref();
            let wrong = Mistake::new(key.span(), format!("{what} has no key `{key_text}`"));
            Err(match key_text {
                // What people write who know the other table or the option.
                "targets" if known.contains(&"target") => wrong.help("did you mean `target`?"),
                "implementation" if known.contains(&"impl") => wrong.help("did you mean `impl`?"),
                _ => wrong.known(key_text, known),
            })
        }
    }
}

type Key<'a> = Spanned<std::borrow::Cow<'a, str>>;

/// The entries of `table` as the file has them.
fn in_order<'t, 'a>(table: &'t DeTable<'a>) -> impl Iterator<Item = (&'t Key<'a>, &'t Value<'a>)> {
    let mut all: Vec<_> = table.iter().collect();
    all.sort_by_key(|(key, _)| key.span().start);
    all.into_iter()
}

/// What `value` is, where it `is` of the kind that is `wanted`.
fn of_kind<T>(value: &Value<'_>, is: Option<T>, wanted: &str) -> Result<T, Mistake> {
    is.ok_or_else(|| {
        let kind = value.get_ref().type_str();
        let why = format!("expected {wanted}, this is of the kind {kind}");
        Mistake::new(value.span(), why)
    })
}

fn entries<'t, 'a>(value: &'t Value<'a>) -> Result<&'t DeTable<'a>, Mistake> {
    of_kind(value, value.get_ref().as_table(), "a table")
}

fn text<'t>(value: &'t Value<'_>) -> Result<&'t str, Mistake> {
    of_kind(value, value.get_ref().as_str(), "a text")
}

fn number<T: FromStr + PartialOrd + Display>(
    value: &Value<'_>,
    within: std::ops::RangeInclusive<T>,
) -> Result<T, Mistake> {
    let number = of_kind(value, value.get_ref().as_integer(), "a number")?;
    let read = number.as_str().parse().ok();
    let read = read.filter(|n| number.radix() == 10 && within.contains(n));
    read.ok_or_else(|| {
        let (least, most) = (within.start(), within.end());
        let why = format!("expected a number from {least} to {most}");
        Mistake::new(value.span(), why)
    })
}

fn jobs(value: &Value<'_>) -> Result<u16, Mistake> {
    number(value, 1..=1024)
}

fn time(value: &Value<'_>) -> Result<Duration, Mistake> {
    let spelled = match value.get_ref().as_integer() {
        Some(seconds) => seconds.as_str(),
        None => text(value)?,
    };
    duration(spelled).map_err(|why| Mistake::new(value.span(), why))
}

/// One value, or a list of them.
fn list<T>(
    value: &Value<'_>,
    read: &dyn Fn(&Value<'_>) -> Result<T, Mistake>,
) -> Result<Vec<T>, Mistake> {
    match value.get_ref().as_array() {
        Some(all) => all.iter().map(read).collect(),
        None => Ok(vec![read(value)?]),
    }
}

fn targets(value: &Value<'_>) -> Result<Vec<Target>, Mistake> {
    let target = |value: &Value<'_>| {
        let word = text(value)?;
        crate::values::target(word).map_err(|_| {
            Mistake::new(value.span(), format!("no target is `{word}`"))
                .known(word, Target::VARIANTS)
        })
    };
    let all = list(value, &target)?;
    match all.is_empty() {
        true => {
            Err(Mistake::new(value.span(), "no target is named").help("leave the key out for all"))
        }
        false => Ok(all),
    }
}

fn edition(value: &Value<'_>) -> Result<&'static Edition, Mistake> {
    crate::readings::edition(text(value)?).map_err(|why| Mistake::new(value.span(), why))
}

fn readings(value: &Value<'_>) -> Result<Vec<(String, String)>, Mistake> {
    let table = entries(value)
        .map_err(|wrong| wrong.help("as in `readings = { undefined-last = \"dropped\" }`"))?;
    let mut all = Vec::new();
    for (gap, choice) in in_order(table) {
        let (name, chosen): (&str, &str) = (gap.get_ref(), text(choice)?);
        let set = ptodiff_isa::TargetReadings::default().set(name, chosen);
        set.map_err(|unknown| match unknown {
            reading::UnknownReading::Gap => {
                let names: Vec<&str> = reading::GAPS.iter().map(|g| g.name).collect();
                Mistake::new(gap.span(), format!("no reading is called `{name}`"))
                    .known(name, &names)
            }
            reading::UnknownReading::Choice(of) => {
                Mistake::new(choice.span(), format!("{name} has no choice `{chosen}`"))
                    .known(chosen, of.choices)
            }
        })?;
        all.push((name.to_owned(), chosen.to_owned()));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mistakes are in `tests/cmd/configuration.md`.
    #[test]
    fn a_file_says_what_an_implementation_and_a_run_are() {
        let text = r#"
            [impl.sim]
            command = ["./my sim", "--pto"]
            target = "a5"
            time = "2m"
            memory = 64
            jobs = 2
            readings = { undefined-last = "dropped" }
            env = { B = "1", A = "x y" }

            [impl.board]
            command = "board --port 3"
            target = ["cpu", "a2a3"]
            time = 30

            [run]
            targets = ["a5", "cpu"]
            readings = { cpu-form = "documented" }
            jobs = 4
            out = "reports"
        "#;
        let config = read(text).expect("it reads");
        let [sim, board] = &config.implementations[..] else {
            panic!("{config:?}")
        };
        assert_eq!(sim.command, "'./my sim' --pto");
        assert_eq!(sim.targets, [Target::A5]);
        assert_eq!(sim.time, Some(Duration::from_secs(120)));
        assert_eq!((sim.memory, sim.jobs), (Some(64), Some(2)));
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(sim.chosen.reading, [pair("undefined-last", "dropped")]);
        assert_eq!(sim.place.env, [pair("B", "1"), pair("A", "x y")]);
        assert_eq!(board.targets, [Target::Cpu, Target::A2a3]);
        assert_eq!(board.time, Some(Duration::from_secs(30)));
        assert_eq!(config.run.common.targets, [Target::A5, Target::Cpu]);
        assert_eq!(
            config.run.common.chosen.reading,
            [pair("cpu-form", "documented")]
        );
        assert_eq!(config.run.out, Some("reports".into()));
        assert_eq!(read(""), Ok(Config::default()));
    }
}
