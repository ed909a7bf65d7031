//! The ptodiff command.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod args;
mod commands;
mod event;
mod exit;
mod files;
mod interrupt;
mod out;
mod plain;
mod progress;
mod readings;
mod reports;
mod screen;
mod select;
mod sources;
mod subjects;
mod text;
mod threads;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => return exit::wrong_usage(&error),
    };
    if let Err(error) = interrupt::wait() {
        return error.report();
    }
    let done = match args.command {
        args::Command::Run(run) => commands::run::run(&run),
        args::Command::Report(report) => commands::report::report(&report),
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
        args::Command::Selftest(selftest) => commands::selftest::selftest(&selftest),
        args::Command::Explain(explain) => commands::explain::explain(&explain),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(error) => error.report(),
    }
}
