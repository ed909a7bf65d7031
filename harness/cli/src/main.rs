//! The ptodiff command.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod args;
mod caller;
mod command;
mod commands;
mod completion;
mod config;
mod corpus;
mod diagnosis;
mod event;
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
mod progress;
mod pto;
mod readings;
mod reports;
mod screen;
mod select;
mod sources;
mod text;
mod threads;
mod typed;

use std::{env, process::ExitCode};

use clap::FromArgMatches as _;

use exit::Exit;

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    out::ended(command()).into()
}

/// Does what the arguments say, and comes to this.
fn command() -> Exit {
    // Answers a shell that asks for completions, and ends.
    match completion::asked() {
        Ok(true) => return Exit::Conforms,
        Ok(false) => {}
        Err(error) => return error.report(),
    }
    let mut known = command::command();
    let read = known
        .try_get_matches_from_mut(old_words::arguments(env::args_os()))
        .and_then(|matches| {
            let args = args::Args::from_arg_matches(&matches)?;
            Ok((args, matches))
        });
    let (mut args, matches) = match read {
        Ok(both) => both,
        Err(error) => return exit::wrong_usage(&error),
    };
    anstream::ColorChoice::write_global(match args.color {
        args::Color::Auto => anstream::ColorChoice::Auto,
        args::Color::Always => anstream::ColorChoice::Always,
        args::Color::Never => anstream::ColorChoice::Never,
    });
    if let Err(error) = config::apply(&mut args, &matches) {
        return error.report();
    }
    if let args::Command::Run(run) = &mut args.command
        && let Some((name, read)) = matches.subcommand()
        && let Some(command) = known.find_subcommand(name)
    {
        run.again = typed::typed(command, read);
    }
    if let Err(error) = interrupt::wait() {
        return error.report();
    }
    let done = match args.command {
        args::Command::Run(run) => commands::run::run(&run),
        args::Command::Report(report) => commands::report::report(&report),
        args::Command::Diagnose(diagnose) => commands::diagnose::diagnose(&diagnose),
        args::Command::Diff(diff) => commands::diff::diff(&diff),
        args::Command::Merge(merge) => commands::merge::merge(&merge),
        args::Command::Gate(gate) => commands::gate::gate(&gate),
        args::Command::List(list) => commands::list::list(&list),
        args::Command::Check(check) => commands::check::check(&check),
        args::Command::Trace(trace) => commands::trace::trace(&trace),
        args::Command::Asm(asm) => commands::asm::asm(&asm),
        args::Command::Cpp(cpp) => commands::cpp::cpp(&cpp),
        args::Command::Hunt(hunt) => commands::hunt::hunt(&hunt),
        args::Command::Holes(holes) => commands::holes::holes(&holes),
        args::Command::Coverage(coverage) => commands::coverage::coverage(&coverage),
        args::Command::Gaps(gaps) => commands::gaps::gaps(&gaps),
        args::Command::St(st) => commands::st::st(&st),
        args::Command::Export(export) => commands::export::export(&export),
        args::Command::ExportCases(export) => commands::export_cases::export_cases(&export),
        args::Command::Schema(schema) => commands::schema::schema(&schema),
        args::Command::Judge(judge) => commands::judge::judge(&judge),
        args::Command::Selftest(selftest) => commands::selftest::selftest(&selftest),
        args::Command::Fix(fix) => commands::fix::fix(&fix),
        args::Command::Explain(explain) => commands::explain::explain(&explain),
        args::Command::Init(init) => commands::init::init(&init),
        args::Command::Guide(guide) => commands::guide::guide(&guide),
        args::Command::Completions(shell) => completion::completions(&shell),
        args::Command::Man(pages) => completion::man(&pages),
    };
    done.unwrap_or_else(exit::Error::report)
}
