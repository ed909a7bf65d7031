//! `ptodiff coverage --axes`

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    io::{self, Write},
};

use ptodiff_case::{Case, Corpus, Form};
use ptodiff_isa::{Party, Target};
use ptodiff_record::{CaseRecord, TargetVerdict};
use ptodiff_report::style::{BAD, BOLD, DIM};
use ptodiff_runner::{
    Options,
    axes::{Combination, combination, promised, promises},
};
use serde::Serialize;
use strum::VariantArray as _;

use super::{recorded, write_json};
use crate::{
    args::Format,
    exit::{Error, Exit},
    out::stdout,
    plain,
    text::grouped,
};

/// A combination that a target promises, and what there is of it.
#[derive(Serialize)]
struct Promised<'a> {
    /// Who is to have a result: a target, or an implementation.
    party: &'a Party,
    #[serde(flatten)]
    of: Combination,
    /// Cases in which it has one, by id.
    cases: Vec<&'a str>,
    /// The first case that should show one and does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    instead: Option<Instead<'a>>,
}

/// A case that was to show a combination, and what came of it.
#[derive(Serialize)]
struct Instead<'a> {
    case: &'a str,
    verdict: TargetVerdict,
}

/// Says which combinations of parameters that a target promises have no case with a
/// result; of a record with implementations, which of them they meet.
///
/// # Errors
/// A record that cannot be read, or standard output fails.
pub(super) fn axes(args: &super::CoverageArgs, corpus: &Corpus) -> Result<Exit, Error> {
    let record = args.from.as_deref();
    let record = record.map(|path| recorded(path, corpus)).transpose()?;
    let mut options = Options::default();
    let mut parties: Vec<Party> = Target::VARIANTS.iter().copied().map(Party::of).collect();
    let mut ran: HashMap<&str, &CaseRecord> = HashMap::new();
    if let Some((header, cases)) = &record {
        options.seed = header.seed;
        options.readings.clone_from(&header.readings);
        let implementations = header.implementations.iter();
        parties = implementations.map(|i| i.party.clone()).collect();
        if parties.is_empty() {
            parties = header.targets.iter().copied().map(Party::of).collect();
        }
        ran.extend(cases.iter().map(|case| (case.id.as_str(), case)));
    }
    let verdict = |case: &Case, party: &Party| match &record {
        // What is promised is what a target does: a run would add nothing.
        None => Some(TargetVerdict::Conforms),
        Some(_) => Some(ran.get(case.id.as_str())?.targets.get(party)?.verdict),
    };
    let all: Vec<Promised<'_>> = parties
        .iter()
        .flat_map(|party| of_party(party, corpus, &options, &verdict))
        .collect();
    let mut out = stdout();
    match args.format {
        Format::Text => write(&mut out, &parties, &all, args.all)?,
        Format::Json => all
            .iter()
            .try_for_each(|one| write_json(&mut out, "combination", one))?,
    }
    Ok(Exit::failed(all.iter().any(Promised::is_missing)))
}

/// All that the target of `party` promises in the forms that `corpus` has, with the cases
/// in which `party` has it.
fn of_party<'a>(
    party: &'a Party,
    corpus: &'a Corpus,
    options: &Options,
    verdict: &impl Fn(&Case, &Party) -> Option<TargetVerdict>,
) -> Vec<Promised<'a>> {
    let forms: HashSet<Form> = corpus.cases.iter().map(|c| Form::of(&c.call)).collect();
    let none = |of: Combination| Promised {
        party,
        of,
        cases: Vec::new(),
        instead: None,
    };
    let wanted = promised(party.target).into_iter();
    let wanted = wanted.filter(|of| forms.contains(&of.form));
    let mut found: BTreeMap<Combination, Promised<'a>> =
        wanted.map(|of| (of.clone(), none(of))).collect();
    for case in &corpus.cases {
        if !case.targets.contains(&party.target) {
            continue;
        }
        let Some(verdict) = verdict(case, party) else {
            continue;
        };
        let readings = &options.readings(case)[party.target];
        let of = |call| combination(call, party.target, readings);
        let Some(one) = of(&case.call).and_then(|of| found.get_mut(&of)) else {
            continue;
        };
        // A policy shows where an index is out of range: there Undefined promises nothing.
        let mut unbounded = case.clone();
        unbounded.call.set_argument("oob", "Undefined");
        let alike = of(&unbounded.call).as_ref() == Some(&one.of);
        let has = |case| promises(case, options.seed, party.target, readings);
        if !has(case) || !alike && has(&unbounded) {
            continue;
        }
        match verdict {
            TargetVerdict::Conforms => one.cases.push(&case.id),
            verdict => {
                let case = &case.id;
                one.instead.get_or_insert(Instead { case, verdict });
            }
        }
    }
    found.into_values().collect()
}

impl Promised<'_> {
    fn is_missing(&self) -> bool {
        self.cases.is_empty()
    }
}

fn write(
    out: &mut impl Write,
    parties: &[Party],
    all: &[Promised<'_>],
    every: bool,
) -> io::Result<()> {
    writeln!(
        out,
        "  {DIM}combinations  promised  with a result  missing{DIM:#}"
    )?;
    for party in parties {
        let those = || all.iter().filter(|one| one.party == party);
        let count = |n: usize| grouped(n as u64);
        let missing = those().filter(|one| one.is_missing()).count();
        writeln!(
            out,
            "  {:<12}  {:>8}  {:>13}  {:>7}",
            plain::text(&party.to_string()),
            count(those().count()),
            count(those().count() - missing),
            count(missing),
        )?;
    }
    for party in parties {
        let those = all.iter().filter(|one| one.party == party);
        let mut those = those.filter(|one| every || one.is_missing()).peekable();
        if those.peek().is_some() {
            let what = if every {
                "every combination"
            } else {
                "missing"
            };
            let name = plain::text(&party.to_string());
            writeln!(out, "\n{BOLD}{what} on {name}{BOLD:#}")?;
        }
        those.try_for_each(|one| write_one(out, one))?;
    }
    Ok(())
}

fn write_one(out: &mut impl Write, one: &Promised<'_>) -> io::Result<()> {
    let form: &str = one.of.form.into();
    write!(out, "  {form}")?;
    for (name, value) in &one.of.parameters {
        write!(out, " {name}={value}")?;
    }
    if !one.cases.is_empty() {
        write!(out, "  {DIM}{}{DIM:#}", plain::text(&one.cases.join(" ")))?;
    } else if let Some(Instead { case, verdict }) = &one.instead {
        write!(out, "  {BAD}{verdict}{BAD:#} {}", plain::text(case))?;
    }
    writeln!(out)
}
