//! `ptodiff trace`

use std::io::Write;

use clap::Args;
use ptodiff_case::Form;
use ptodiff_isa::{Event, Target};
use ptodiff_record::counted;
use ptodiff_report::style::{BAD, BOLD, DIM};
use ptodiff_runner::{Difference, Options, Untraced};
use serde::Serialize;

use crate::{
    args::{Format, Named},
    exit::{Error, Exit},
    out::stdout,
    plain, select,
    text::joined,
    values::target,
};

/// `ptodiff trace`
#[derive(Args, Debug)]
pub(crate) struct Trace {
    /// Which case.
    #[command(flatten)]
    pub(crate) case: Named,
    /// The target: cpu, a2a3 or a5
    #[arg(long, value_name = "TARGET", value_parser = target)]
    pub(crate) target: Target,
    /// Root seed of all data
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Number of the schedule, as a run counts them: 0 in order, 1 reversed, then shuffles
    #[arg(long, default_value_t = 0)]
    pub(crate) schedule: u32,
    /// Leave out this handshake (`before V->S`, `caller MTE2->V`) and show what goes wrong
    #[arg(long, value_name = "HANDSHAKE")]
    pub(crate) without: Option<String>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// One event as a line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    call: usize,
    event: &'a Event,
}

/// How it ended, as a line of JSON.
#[derive(Serialize)]
struct End {
    hangs: bool,
    out_of_bounds_accesses: u64,
}

/// What came out otherwise without a handshake, as a line of JSON.
#[derive(Serialize)]
struct Differs<'a> {
    difference: &'a Difference,
}

/// Shows what a target issues for a case, and what goes wrong without one of
/// its handshakes or its caller's.
///
/// # Errors
/// No such case, several of that name, the target rejects it, or standard
/// output fails.
pub(crate) fn trace(args: &Trace) -> Result<Exit, Error> {
    let case = &select::one(&args.case)?;
    if !case.targets.contains(&args.target) {
        let target = args.target;
        return Err(Error::usage(format!("the case does not run on {target}")));
    }
    let options = Options {
        seed: args.seed,
        ..Options::default()
    };
    let schedule = ptodiff_runner::schedule(args.schedule);
    let (trace, differences) = match &args.without {
        None => {
            let trace = ptodiff_runner::trace(case, args.target, schedule, &options);
            (trace.map_err(|e| untraced(args, e))?, None)
        }
        Some(_) if args.target == Target::Cpu => {
            return Err(Error::usage(
                "cpu has no pipes: nothing can be left out (MSCATTER-SYNC-13, MGATHER-SYNC-13)",
            ));
        }
        Some(name) => {
            let hazard = ptodiff_runner::hazard(case, args.target, name, &options);
            let hazard = hazard.map_err(|e| untraced(args, e))?;
            (hazard.trace, Some(hazard.differences))
        }
    };
    let mut out = stdout();
    for (call, events) in trace.calls.iter().enumerate() {
        if args.format == Format::Text && trace.calls.len() > 1 {
            writeln!(out, "{BOLD}call {call}{BOLD:#}")?;
        }
        for event in events {
            match args.format {
                Format::Text => write_event(&mut out, Form::of(&case.call), event)?,
                Format::Json => plain::json(&mut out, &Line { call, event })?,
            }
        }
    }
    let (hangs, out_of_bounds_accesses) = (trace.hung, trace.oob_accesses.count);
    match args.format {
        Format::Text => {
            let events: usize = trace.calls.iter().map(Vec::len).sum();
            writeln!(
                out,
                "{DIM}{}, {}{}{DIM:#}",
                counted(events, "event"),
                counted(out_of_bounds_accesses, "out-of-bounds access"),
                if hangs { ", hangs" } else { "" }
            )?;
        }
        Format::Json => {
            let end = End {
                hangs,
                out_of_bounds_accesses,
            };
            plain::json(&mut out, &end)?;
        }
    }
    for difference in differences.iter().flatten() {
        match args.format {
            Format::Text => write_difference(&mut out, difference)?,
            Format::Json => plain::json(&mut out, &Differs { difference })?,
        }
    }
    if differences.is_some_and(|all| all.is_empty()) && args.format == Format::Text {
        writeln!(out, "{BOLD}nothing changes with this data{BOLD:#}")?;
    }
    Ok(Exit::Conforms)
}

/// What `event` is about stands in a column of its own.
fn write_event(out: &mut impl Write, form: Form, event: &Event) -> std::io::Result<()> {
    let line = event.named(|role| form.key(role));
    let (kind, about) = line.split_once(' ').unwrap_or((&line, ""));
    writeln!(out, "{kind:<9} {about}")
}

fn write_difference(out: &mut impl Write, d: &Difference) -> std::io::Result<()> {
    writeln!(
        out,
        "{BAD}hazard{BAD:#}  call {}, {}: {} of {} bytes differ, byte {} is {:#04x} and would be {:#04x}",
        d.call, d.place, d.bytes, d.of, d.first, d.without, d.with
    )
}

fn untraced(args: &Trace, why: Untraced) -> Error {
    match why {
        Untraced::Rejected(rejections) => {
            let all = rejections.iter().map(|r| format!("{} {}", r.clause, r.why));
            let (target, all) = (args.target, joined(all, "\n  "));
            Error::usage(format!("{target} rejects the case:\n  {all}"))
        }
        Untraced::NoHandshake(names) if names.is_empty() => Error::usage(
            "no document lists a handshake for this kernel or its caller (TSCATTER-GAP-19, \
             TGATHERB-GAP-15, MGATHERL1-GAP-12)",
        ),
        Untraced::NoHandshake(names) => Error::usage(format!(
            "there is no such handshake; this kernel and its caller have\n  {}",
            names.join("\n  ")
        )),
        Untraced::Sparse => Error::usage(
            "what is seen without a handshake cannot be told of a sparse table: make the table \
             smaller",
        ),
        Untraced::Fault(why) => Error::fault(format!("the model of {} failed: {why}", args.target)),
    }
}
