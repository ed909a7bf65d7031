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

use exit::Exit;
use typed::Again;

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    exit::ended(command()).into()
}

/// Does what the arguments say, and comes to this.
fn command() -> Exit {
    // Answers a shell that asks for completions, and ends.
    match completion::asked(command::command) {
        Ok(true) => return Exit::Conforms,
        Ok(false) => {}
        Err(error) => return error.report(),
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
        Err(error) => return exit::wrong_usage(&error, command::command),
    };
    anstream::ColorChoice::write_global(match args.color {
        clap::ColorChoice::Auto => anstream::ColorChoice::Auto,
        clap::ColorChoice::Always => anstream::ColorChoice::Always,
        clap::ColorChoice::Never => anstream::ColorChoice::Never,
    });
    if let Err(error) = apply_config::apply(&mut args, &matches) {
        return error.report();
    }
    if let Some((name, read)) = matches.subcommand()
        && let Some(command) = known.find_subcommand(name)
    {
        let typed = |again| typed::typed(command, read, again);
        match &mut args.command {
            command::Action::Run(run) => {
                run.again = typed(Again::OtherParts);
                run.typed = typed(Again::SameCase);
            }
            command::Action::Gate(gate) => gate.again = typed(Again::SameGate),
            _ => {}
        }
    }
    if let Err(error) = interrupt::wait() {
        return error.report();
    }
    let done = match args.command {
        command::Action::Run(run) => commands::run::run(&run),
        command::Action::Report(report) => commands::report::report(&report),
        command::Action::Diagnose(diagnose) => commands::diagnose::diagnose(&diagnose),
        command::Action::Diff(diff) => commands::diff::diff(&diff),
        command::Action::Merge(merge) => commands::merge::merge(&merge),
        command::Action::Gate(gate) => commands::gate::gate(&gate),
        command::Action::List(list) => commands::list::list(&list),
        command::Action::Check(check) => commands::check::check(&check),
        command::Action::Trace(trace) => commands::trace::trace(&trace),
        command::Action::Asm(asm) => commands::asm::asm(&asm),
        command::Action::Cpp(cpp) => commands::cpp::cpp(&cpp),
        command::Action::Hunt(hunt) => commands::hunt::hunt(&hunt),
        command::Action::Holes(holes) => commands::holes::holes(&holes),
        command::Action::Coverage(coverage) => commands::coverage::coverage(&coverage),
        command::Action::Gaps(gaps) => commands::gaps::gaps(&gaps),
        command::Action::St(st) => commands::st::st(&st),
        command::Action::Export(export) => commands::export::export(&export),
        command::Action::ExportCases(export) => commands::export_cases::export_cases(&export),
        command::Action::Schema(schema) => commands::schema::schema(&schema),
        command::Action::Judge(judge) => commands::judge::judge(&judge),
        command::Action::Selftest(selftest) => commands::selftest::selftest(&selftest),
        command::Action::Fix(fix) => commands::fix::fix(&fix),
        command::Action::Explain(explain) => commands::explain::explain(&explain),
        command::Action::Init(init) => commands::init::init(&init),
        command::Action::Guide(guide) => commands::guide::guide(&guide),
        command::Action::Completions(shell) => completion::completions(&shell),
        command::Action::Man(pages) => completion::man(&pages, command::command()),
    };
    done.unwrap_or_else(exit::Error::report)
}
