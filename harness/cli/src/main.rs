//! The ptodiff command.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod apply_config;
mod args;
mod caller;
mod command;
mod commands;
mod completion;
mod config;
mod corpus;
mod diagnosis;
mod exit;
mod files;
mod filter;
mod implementations;
mod interrupt;
mod mistake;
mod old_words;
mod out;
mod partition;
mod plain;
mod pto;
mod readings;
mod reports;
mod rules;
mod screen;
mod select;
mod sources;
mod text;
mod threads;
mod typed;
mod values;

use std::{env, process::ExitCode};

use clap::FromArgMatches as _;

use command::Action;
use exit::{Error, Exit};
use typed::Again;

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    exit::ended(command().unwrap_or_else(Error::report)).into()
}

/// Does what the arguments say, and comes to this.
fn command() -> Result<Exit, Error> {
    // Answers a shell that asks for completions, and ends.
    if completion::asked(command::command)? {
        return Ok(Exit::Conforms);
    }
    let mut known = command::command();
    let read = known
        .try_get_matches_from_mut(env::args_os())
        .and_then(|matches| {
            let args = command::Args::from_arg_matches(&matches)?;
            Ok((args, matches))
        });
    let (mut args, matches) = match read {
        Ok(both) => both,
        Err(error) => return Ok(exit::wrong_usage(&error, command::command)),
    };
    anstream::ColorChoice::write_global(match args.color {
        clap::ColorChoice::Auto => anstream::ColorChoice::Auto,
        clap::ColorChoice::Always => anstream::ColorChoice::Always,
        clap::ColorChoice::Never => anstream::ColorChoice::Never,
    });
    threads::start();
    interrupt::wait()?;
    apply_config::apply(&mut args, &matches)?;
    if let Some((name, read)) = matches.subcommand()
        && let Some(command) = known.find_subcommand(name)
    {
        let typed = |again| typed::typed(command, read, again);
        match &mut args.command {
            Action::Run(run) => {
                run.again = typed(Again::OtherParts);
                run.typed = typed(Again::SameCase);
            }
            Action::Gate(gate) => gate.again = typed(Again::SameGate),
            _ => {}
        }
    }
    match args.command {
        Action::Run(run) => commands::run::run(&run),
        Action::Report(report) => commands::report::report(&report),
        Action::Diagnose(diagnose) => commands::diagnose::diagnose(&diagnose),
        Action::Diff(diff) => commands::diff::diff(&diff),
        Action::Merge(merge) => commands::merge::merge(&merge),
        Action::Gate(gate) => commands::gate::gate(&gate),
        Action::List(list) => commands::list::list(&list),
        Action::Check(check) => commands::check::check(&check),
        Action::Trace(trace) => commands::trace::trace(&trace),
        Action::Asm(asm) => commands::asm::asm(&asm),
        Action::Cpp(cpp) => commands::cpp::cpp(&cpp),
        Action::Hunt(hunt) => commands::hunt::hunt(&hunt),
        Action::Holes(holes) => commands::holes::holes(&holes),
        Action::Coverage(coverage) => commands::coverage::coverage(&coverage),
        Action::Gaps(gaps) => commands::gaps::gaps(&gaps),
        Action::St(st) => commands::st::st(&st),
        Action::Export(export) => commands::export::export(&export),
        Action::ExportCases(export) => commands::export_cases::export_cases(&export),
        Action::Schema(schema) => commands::schema::schema(&schema),
        Action::Judge(judge) => commands::judge::judge(&judge),
        Action::Selftest(selftest) => commands::selftest::selftest(&selftest),
        Action::Fix(fix) => commands::fix::fix(&fix),
        Action::Explain(explain) => commands::explain::explain(&explain),
        Action::Init(init) => commands::init::init(&init),
        Action::Guide(guide) => commands::guide::guide(&guide),
        Action::Completions(shell) => completion::completions(&shell),
        Action::Man(pages) => completion::man(&pages, command::command()),
    }
}
