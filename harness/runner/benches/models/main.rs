//! Elements a second of each model, beside a plain loop of the same operation
//! on the same data in the same run; then the mirrored suites, file reading to
//! record, on one core.

mod chip;
mod contest;
mod data;
mod gm;

use std::{fs, path::PathBuf};

use ptodiff_isa::Target;
use ptodiff_runner::Options;

use contest::{ROUNDS, time};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Milliseconds from reading the files to the written record, on one core.
fn bench_suites() -> f64 {
    let cases = root().join("cases/st");
    let out = std::env::temp_dir().join(format!("ptodiff-bench-{}.jsonl", std::process::id()));
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let whole = || {
            let corpus =
                ptodiff_case::load(std::slice::from_ref(&cases)).expect("the corpus loads");
            let options = Options {
                jobs: 1,
                ..Options::default()
            };
            let mut file =
                std::io::BufWriter::new(fs::File::create(&out).expect("a temporary file"));
            ptodiff_runner::run(&corpus.cases, &options, &mut file, |_| {}).expect("the run ends");
        };
        // Reading uses the pool it is called from: one thread here, as the run.
        best = best.min(time(1, || one_core().install(whole)));
    }
    let _ = fs::remove_file(out);
    best / 1e6
}

fn one_core() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a thread starts")
}

fn main() {
    // cargo passes flags of its own; any other word selects by label.
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with("--"))
        .collect();
    let selected = |label: &str| wanted.is_empty() || wanted.iter().any(|w| label.contains(w));
    println!(
        "million elements/s, best of {ROUNDS} interleaved rounds (times slower than the plain loop)"
    );
    println!(
        "{:<40} {:>8} {:>16} {:>16} {:>16}",
        "", "plain", "cpu", "a2a3", "a5"
    );
    for contest in gm::contests().chain(chip::contests()) {
        let (label, elements) = (contest.label.clone(), contest.elements);
        if !selected(&label) {
            continue;
        }
        let times = contest.run();
        let rate = |ns: f64| elements as f64 * 1e3 / ns;
        print!("{label:<40} {:>8.0}", rate(times.plain));
        for target in [Target::Cpu, Target::A2a3, Target::A5] {
            match times.models.iter().find(|(t, _)| *t == target) {
                Some((_, ns)) => print!(" {:>8.0} ({:>5.2})", rate(*ns), ns / times.plain),
                None => print!(" {:>16}", "-"),
            }
        }
        println!();
    }
    if !selected("suites") {
        return;
    }
    println!(
        "mirrored suites, file reading to run.jsonl, one core: {:.1} ms",
        bench_suites()
    );
}
