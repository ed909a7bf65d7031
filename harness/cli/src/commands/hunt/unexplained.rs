//! What a hunt says of differences that no clause explains.

use std::io::{self, Write};

use ptodiff_edge::text;
use ptodiff_hunt::{Found, Plan, Smallest, unexplained};
use ptodiff_isa::Model;
use ptodiff_report::style::{BAD, BOLD};

use super::{Hunt, draw::command, shrunk};

/// Says what no clause explains of `models`, with a smallest case of the first `most` kinds,
/// which it gives back, and the command that shows the case as it was drawn.
pub(super) fn write(
    to: &mut impl Write,
    models: &[&dyn Model],
    args: &Hunt,
    plan: &Plan,
    found: &Found,
    most: usize,
) -> io::Result<Vec<Smallest>> {
    if found.unexplained.is_empty() {
        writeln!(to, "{BOLD}no unexplained difference{BOLD:#}")?;
        return Ok(Vec::new());
    }
    let count = found.unexplained.len();
    writeln!(to, "{BAD}{count} unexplained{BAD:#}")?;
    let all = unexplained(models, plan, found, most);
    for one in &all {
        shrunk::write(to, one)?;
        see(to, args, one.seen.first)?;
    }
    for (failure_group, seen) in found.unexplained.iter().skip(most) {
        shrunk::head(to, failure_group, seen)?;
        writeln!(to)?;
        see(to, args, seen.first)?;
    }
    Ok(all)
}

fn see(to: &mut impl Write, args: &Hunt, number: u64) -> io::Result<()> {
    writeln!(to, "    as drawn: {}", text::line(&command(args, number)))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use clap::Parser;
    use ptodiff_hunt::{Limit, Participants, hunt_on};

    use super::*;
    use crate::exit::Exit;

    /// A wrong model in the place of the right one.
    #[test]
    fn a_wrong_model_is_told_shrunk_and_fails_the_hunt() {
        let wrong = ptodiff_mutants::mutants();
        let wrong = wrong.iter().find(|m| m.name == "tgatherb-a5-rounded-down");
        let models: [&dyn Model; 1] = [wrong.expect("a wrong model")];
        let line = "ptodiff hunt --form tgatherb --target a5 --rules legal --seed 4";
        let parsed = crate::command::Args::try_parse_from(line.split(' ')).expect("it reads");
        let crate::command::Action::Hunt(args) = parsed.command else {
            panic!("a hunt");
        };
        let plan = super::super::plan(&args).expect("a plan");
        let participants = Participants {
            models: &models,
            implementations: &[],
        };
        let found = hunt_on(
            participants,
            &plan,
            Limit::count(400),
            &AtomicBool::new(false),
            |_| {},
        );
        let mut text = Vec::new();
        let all = write(&mut text, &models, &args, &plan, &found, 16).expect("a vector");
        let text = String::from_utf8(text).expect("text");
        assert_eq!(all.len(), found.unexplained.len());
        assert!(all.iter().all(|one| one.schedule.is_some()), "{text}");
        assert!(text.contains(" unexplained"), "{text}");
        let (failure_group, seen) = found.unexplained.iter().next().expect("it is caught");
        assert!(text.contains(failure_group), "{text}");
        let own = "--form tgatherb --target a5 --rules legal";
        let shown = format!(
            "    as drawn: ptodiff hunt --show {} --seed 4 {own}\n",
            seen.first
        );
        assert!(text.contains(&shown), "{text}");
        assert_eq!(
            super::super::exit(&found, &Default::default()),
            Exit::Violation
        );

        // What is kept shows the same on the wrong model, and nothing on the right one.
        let steps = ptodiff_generate::stimulus(&all[0].case, 4).steps;
        let schedule = all[0].schedule.expect("it shows");
        let right = ptodiff_runner::trial(&all[0].case, &steps, &schedule);
        assert!(right.unexplained().is_empty());
        let again = ptodiff_runner::trial_on(&models, &all[0].case, &steps, &schedule);
        assert!(
            again.unexplained().contains(&all[0].failure_group),
            "{text}"
        );
    }
}
