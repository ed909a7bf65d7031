//! `ptodiff trace`

use std::io::{BufWriter, Write};

use anstream::stdout;
use ptodiff_isa::{Event, Schedule};
use ptodiff_report::style::{BOLD, DIM};
use ptodiff_runner::{Options, Untraced};
use serde::Serialize;

use crate::{
    args::{Format, Trace},
    exit::{Error, Exit},
    select,
};

/// One event as a line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    call: usize,
    event: &'a Event,
}

/// Shows what a target issues for a case.
///
/// # Errors
/// No such case, several of that name, the target refuses it, or standard
/// output fails.
pub(crate) fn trace(args: &Trace) -> Result<Exit, Error> {
    let cases = select::named(&args.case, &args.cases)?;
    let [case] = cases.as_slice() else {
        let ids: Vec<&str> = cases.iter().map(|c| c.id.as_str()).collect();
        return Err(Error::usage(format!(
            "several cases have that name; give one id:\n  {}",
            ids.join("\n  ")
        )));
    };
    let options = Options {
        seed: args.seed,
        ..Options::default()
    };
    let schedule = ptodiff_runner::schedules(args.schedule.saturating_add(1))
        .pop()
        .unwrap_or(Schedule::InOrder);
    let trace = ptodiff_runner::trace(case, args.target, schedule, &options)
        .map_err(|e| untraced(args, e))?;
    let mut out = BufWriter::new(stdout().lock());
    for (call, events) in trace.calls.iter().enumerate() {
        if args.format == Format::Text && trace.calls.len() > 1 {
            writeln!(out, "{BOLD}call {call}{BOLD:#}")?;
        }
        for event in events {
            match args.format {
                Format::Text => write_event(&mut out, event)?,
                Format::Json => {
                    serde_json::to_writer(&mut out, &Line { call, event })
                        .map_err(std::io::Error::from)?;
                    writeln!(out)?;
                }
            }
        }
    }
    if args.format == Format::Text {
        let events: usize = trace.calls.iter().map(Vec::len).sum();
        writeln!(
            out,
            "{DIM}{events} events, {} accesses outside operands{DIM:#}",
            trace.strays.count
        )?;
    }
    out.flush()?;
    Ok(Exit::Conforms)
}

fn untraced(args: &Trace, why: Untraced) -> Error {
    match why {
        Untraced::Refused(refusals) => {
            let all: Vec<String> = refusals
                .iter()
                .map(|r| format!("{} {}", r.clause, r.why))
                .collect();
            Error::usage(format!(
                "{} refuses the case:\n  {}",
                args.target,
                all.join("\n  ")
            ))
        }
        Untraced::Fault(why) => Error::fault(format!("the model of {} failed: {why}", args.target)),
    }
}

fn write_event(out: &mut impl Write, event: &Event) -> std::io::Result<()> {
    match event {
        Event::Dma {
            name,
            from,
            to,
            n_burst,
            len_burst,
            gm_gap,
            ub_gap,
        } => writeln!(
            out,
            "dma       {name} {}+{} -> {}+{} nBurst={n_burst} lenBurst={len_burst} gmGap={gm_gap} ubGap={ub_gap}",
            from.0, from.1, to.0, to.1
        ),
        Event::Load {
            space,
            role,
            offset,
            len,
        } => writeln!(out, "load      {space} {role}+{offset} {len} bytes"),
        Event::Store {
            space,
            role,
            offset,
            len,
        } => writeln!(out, "store     {space} {role}+{offset} {len} bytes"),
        Event::Atomic {
            name,
            role,
            offset,
            len,
        } => writeln!(out, "atomic    {name} {role}+{offset} {len} bytes"),
        Event::SetFlag { from, to } => writeln!(out, "set_flag  {from}->{to}"),
        Event::WaitFlag { from, to } => writeln!(out, "wait_flag {from}->{to}"),
        Event::SetAtomicAdd(dtype) => writeln!(out, "mode      set_atomic_add {dtype}"),
        Event::SetAtomicNone => writeln!(out, "mode      set_atomic_none"),
        Event::Launch {
            kernel,
            mode,
            dim3,
            row_warps,
            warps_per_row,
            trips,
        } => {
            write!(
                out,
                "launch    {kernel} {mode} dim3{{{}, {}}}",
                dim3.0, dim3.1
            )?;
            if let Some(warps) = row_warps {
                write!(out, " kRowWarps={warps}")?;
            }
            if let Some(warps) = warps_per_row {
                write!(out, " kWarpsPerRow={warps}")?;
            }
            writeln!(out, " trips={trips}")
        }
    }
}
