//! The targets: what is declared, what is there, and what seeds find.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ptodiff_case::{Style, load_str};
use ptodiff_fuzz::corpus::{all, small};
use ptodiff_fuzz::seeds::{self, of_case};
use ptodiff_fuzz::target::{CASE_READER, JUDGE, Reads, TARGETS, Target};
use ptodiff_fuzz::{input, show};
use ptodiff_generate::stimulus;

fn crate_file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

#[test]
fn each_target_asks_its_own_oracle() {
    for target in TARGETS {
        let name = target.name;
        let source = crate_file(&format!("targets/{name}.rs"));
        let glue = source.lines().last().expect("a line");
        let ready = match target.reads {
            Reads::Text(_) | Reads::Bytes(_) => "",
            Reads::Case(_) | Reads::CaseOrText(..) | Reads::Folder => {
                ", ptodiff_fuzz::corpus::ready()"
            }
        };
        let upper = name.to_uppercase();
        assert_eq!(glue, format!("ptodiff_fuzz::glue!({upper}{ready});"));
        assert_eq!(source.lines().count(), 4, "{name} is more than glue");
    }
}

#[test]
fn every_target_has_seeds_and_the_shortest_inputs_find_nothing() {
    let corpus = all().expect("cases/ is read");
    for target in TARGETS {
        let seeds = seeds::of(target, corpus);
        assert!(seeds.len() > 200, "{}: {} seeds", target.name, seeds.len());
        let names: BTreeSet<&String> = seeds.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), seeds.len());
        let cases = seeds.iter().filter(|(name, _)| name.starts_with("case-"));
        let one_each = match target.reads {
            Reads::Text(_) | Reads::Bytes(_) | Reads::Folder => 0,
            Reads::Case(_) | Reads::CaseOrText(..) => small().len(),
        };
        assert_eq!(cases.count(), one_each, "{}", target.name);
        for bytes in [&[][..], &[0], &[1, 2, 3], &[255; 40]] {
            assert_eq!(target.find(bytes), Ok(()), "{}: {bytes:?}", target.name);
        }
    }
}

#[test]
fn seeds_are_written_beside_what_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("judge");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("found"), b"kept").expect("a file");
    let corpus = all().expect("cases/ is read");
    let count = seeds::write(&JUDGE, corpus, usize::MAX, &folder);
    let count = count.expect("they are written");
    assert_eq!(count, small().len());
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), count + 1);
    let last = u16::try_from(count - 1).expect("a small number");
    let bytes = fs::read(folder.join(format!("case-{last:05}"))).expect("a seed");
    assert_eq!(bytes, of_case(last));
}

#[test]
fn inputs_near_seeds_are_others_and_the_same_every_time() {
    let corpus = all().expect("cases/ is read");
    for target in TARGETS {
        let seeds = seeds::of(target, corpus);
        let near = seeds::near(&seeds, 300);
        assert_eq!(near, seeds::near(&seeds, 300));
        let own: BTreeSet<&Vec<u8>> = seeds.iter().map(|(_, bytes)| bytes).collect();
        let others: BTreeSet<&Vec<u8>> = near.iter().map(|(_, bytes)| bytes).collect();
        assert!(others.difference(&own).count() > 200, "{}", target.name);
        let long = near
            .iter()
            .zip(&seeds)
            .filter(|((_, near), (_, seed))| near.len() > seed.len());
        assert!(long.count() > 30, "{}", target.name);
    }
    assert_eq!(seeds::near(&[], 1).len(), 1);
}

#[test]
fn a_panic_is_a_finding_and_a_finding_is_a_panic() {
    let panics = Target {
        run: |bytes| panic!("on {} bytes", bytes.len()),
        ..JUDGE
    };
    assert_eq!(panics.find(&[1, 2]), Err("panicked: on 2 bytes".to_owned()));
    let finds = Target {
        run: |_| Err("wrong".to_owned()),
        ..JUDGE
    };
    let caught = std::panic::catch_unwind(|| finds.fuzz(&[])).expect_err("it panics");
    let text = caught.downcast_ref::<String>().expect("a message");
    assert_eq!(text, "judge: wrong");
    JUDGE.fuzz(&of_case(0));
}

/// What is shown can be kept: it is the same case whatever seed it is run with.
#[test]
fn an_input_is_shown_as_a_case_with_its_data() {
    let inputs = [
        of_case(5),
        vec![0, 1, 9, 9, 9, 9],
        vec![2, 7, 200, 3],
        vec![3, 0, 1, 0, 9, 9],
    ];
    for target in TARGETS {
        let Reads::Case(recipe) = target.reads else {
            continue;
        };
        for bytes in &inputs {
            let text = show::input(target, "crash-1", bytes);
            let read = load_str("fuzz.yaml", &text);
            let read = read.unwrap_or_else(|e| panic!("{}\n{text}", e.render(Style::Plain)));
            let [shown] = read.cases.as_slice() else {
                panic!("{} cases", read.cases.len())
            };
            assert_eq!(shown.id, "fuzz/crash-1");
            let case = input::read(bytes, &recipe).case;
            assert_eq!((shown.call, shown.chunks), (case.call, case.chunks));
            assert_eq!(
                (&shown.targets, shown.readings),
                (&case.targets, case.readings)
            );
            assert_eq!(stimulus(shown, 77).steps, stimulus(&case, 0).steps);
        }
        let wrong = Target {
            run: |_| Err("two\nlines".to_owned()),
            ..*target
        };
        let text = show::input(&wrong, "crash-1", &of_case(5));
        assert!(
            text.starts_with("# two\n# lines\n# lanes in order\n"),
            "{text}"
        );
        let text = show::input(&wrong, "crash-1", &[3, 3]);
        assert!(text.contains("# lanes shuffled by 2\n"), "{text}");
    }
}

#[test]
fn a_text_is_shown_with_what_its_reader_says() {
    let text = show::input(&CASE_READER, "crash-1", b"cases:\n  - nam: x\n");
    assert!(
        text.starts_with("# nothing is wrong with it\n# error"),
        "{text}"
    );
    assert!(text.ends_with("\ncases:\n  - nam: x\n"), "{text}");
    for name in ["asm", "st_name"] {
        let target = Target::of(name).expect("a target");
        let text = show::input(&target, "crash-1", b"case_row_float_8x32_64rows");
        assert!(
            text.contains("# ") && text.ends_with("case_row_float_8x32_64rows"),
            "{text}"
        );
    }
    let text = show::input(
        &Target::of("asm").expect("a target"),
        "crash-1",
        &of_case(5),
    );
    assert!(load_str("fuzz.yaml", &text).is_ok(), "{text}");
    assert!(Target::of("none").is_none());
}
