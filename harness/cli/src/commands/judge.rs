//! `ptodiff judge`

use std::{io::Write, path::PathBuf, time::Duration};

use clap::Args;
use ptodiff_case::{Form, limits::stored_elements};
use ptodiff_data::{
    file,
    npy::{self, NpyError},
    place,
    st::{Order, Stored},
};
use ptodiff_isa::{Party, Target};
use ptodiff_record::{CaseRecord, TargetVerdict, Took, Verdict};
use ptodiff_runner::{
    Options, ResultFile, from_padding, judge_result_files, required, written_slots,
};
use serde::Serialize;

use crate::{
    args::{Format, Named, OutputArgs},
    commands::run::options_of,
    exit::{Error, Exit},
    out::stdout,
    plain,
    readings::ReadAs,
    reports::{Reports, without_colours},
    select,
    text::counted,
    values::target,
    values::time_or_none,
};

/// `ptodiff judge`
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 the result conforms, 1 it violates what is promised or the case \
    expects what is not so, 2 wrong usage or a bad case, 3 nothing was judged: nothing is promised, or what is written is not in the array."
)]
pub(crate) struct Judge {
    /// Which case.
    #[command(flatten)]
    pub(crate) case: Named,
    /// What stands in the output after the call, as an `.npy` file: an array as `export`
    /// writes it
    array: PathBuf,
    /// The target whose contract it is held to
    #[arg(long = "as", value_name = "TARGET", value_parser = target)]
    held_to: Target,
    /// Root seed of all data
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How the gaps of the documents are read.
    #[command(flatten)]
    pub(crate) read_as: ReadAs,
    /// How long to look what may be behind a wrong one
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time_or_none)]
    diagnosis: Duration,
    /// For people, or one JSON object
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// What the array is called in messages.
const NAME: &str = "result";

#[derive(Serialize)]
struct Judged<'a> {
    record: &'a CaseRecord,
    /// What the terminal says.
    text: &'a str,
}

/// Judges one array as the result of a case.
///
/// # Errors
/// No such case, or no such array.
pub(crate) fn judge(args: &Judge) -> Result<Exit, Error> {
    let case = &select::one(&args.case)?;
    let role = case.call.output();
    let operand = case.call.operand(role).ok_or_else(|| {
        let key = Form::of(&case.call).key(role);
        Error::usage(format!("{}: there is no {key}", plain::text(&case.id)))
    })?;
    let wrong = |why: String| Error::usage(format!("{}: {why}", plain::path(&args.array)));
    let (from, _) = file::open(&args.array).map_err(|e| wrong(e.to_string()))?;
    let values = npy::read(from, operand.dtype(), &place::extents(operand));
    let values = values.map_err(|e| match e {
        NpyError::NotNpy => wrong(format!(
            "{e}; numpy makes one of raw bytes: numpy.save(\"x.npy\", numpy.fromfile(\"x.bin\", \"{}\")\
             .reshape({:?})); `ptodiff st check` reads those of an ST suite",
            npy::spelled(operand.dtype()),
            place::extents(operand)
        )),
        _ => wrong(e.to_string()),
    })?;
    let options = Options {
        seed: args.seed,
        details: true,
        ..options_of(&[args.held_to], None, &args.read_as.chosen)?
    };
    let file = Stored {
        name: NAME,
        role,
        operand,
        order: Order::RowMajor,
        parts: 1,
    };
    let given = ResultFile {
        file: &file,
        values: &values,
    };
    let record =
        judge_result_files(case, args.held_to, &[given], &options).map_err(Error::usage)?;
    // It is not sparse.
    let mut body = vec![0; stored_elements(operand) as usize * operand.dtype().size()];
    let _ = place::put(operand, &values, &mut body);
    if place::take(operand, &body).is_some_and(|held| held != values) {
        let why = "elements that the strides put into one slot hold different values";
        return Err(wrong(why.to_owned()));
    }
    let party = Party::form(args.held_to, NAME);
    let verdict = record.targets.get(&party).map(|target| target.verdict);
    let header = options.header(1);
    let mut reports = Reports::new(&header, &[], vec![party]);
    reports.add(&record, &Took::default())?;
    let cases = std::slice::from_ref(case);
    let failures = &mut reports.failures;
    let explained = failures.explain(cases, &options, 1, args.diagnosis)?;
    let told = reports.text(&OutputArgs {
        quiet: true,
        ..OutputArgs::default()
    })?;
    let told = String::from_utf8_lossy(&told);
    let mut text = String::new();
    for line in told.lines() {
        // A run of the case would not know the array, and there is no page.
        let shown = line.split("; the page has ").next().unwrap_or_default();
        if !line.contains("reproduce  ") {
            text.push_str(&format!("{shown}\n"));
        }
        if shown != line {
            let all = explained.iter().flat_map(|one| one.lines(false));
            for (more, _) in all.filter(|(own, _)| !told.contains(own)) {
                text.push_str(&format!("             {more}\n"));
            }
        }
    }
    if record.verdict == Verdict::Violation {
        text.push_str(&format!("\n  judged with the data of seed {}\n", args.seed));
    }
    for (role, count) in from_padding(case, args.held_to, &options) {
        let between = super::export::of_padding(case, args.held_to, role, count);
        text.push_str(&format!("  {between}\n"));
    }
    let conforms = verdict == Some(TargetVerdict::Conforms);
    let promised = required(case, args.held_to, &options).ok();
    let permits = promised.filter(|_| conforms).and_then(|own| own.permits);
    let [inside, outside] = permits.map_or([0, 0], |own| written_slots(&case.call, &own));
    if outside > 0 {
        let all = counted((inside + outside) as u64, "slot");
        text.push_str(&format!(
            "  {outside} of {all} that the call writes are not in the array, and not judged\n"
        ));
    }
    let mut out = stdout();
    match args.format {
        Format::Json => {
            let text = String::from_utf8_lossy(&without_colours(text.as_bytes())).into_owned();
            let (record, text) = (&record, text.trim());
            plain::json(&mut out, &Judged { record, text })?;
        }
        Format::Text => {
            out.write_all(text.as_bytes())?;
            let line = ptodiff_report::plain::cleaned(&record);
            ptodiff_report::write_line(&mut out, &line)?;
        }
    }
    Ok(match verdict {
        // As a run ends: what the case expects may be broken by a result that conforms.
        _ if record.verdict == Verdict::Violation => Exit::Violation,
        // Of what is written nothing may be there.
        _ if conforms && (inside > 0 || outside == 0) => Exit::Conforms,
        _ => Exit::Nothing,
    })
}
