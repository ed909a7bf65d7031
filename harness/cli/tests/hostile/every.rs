//! Every command: where nothing can be written, and with hostile texts in all
//! that it reads.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use pulldown_cmark::{Event, Options, Parser};

use crate::{
    HOSTILE,
    common::{Done, command, files, scatter, suites, untimed},
    hides, is_plain,
};

/// A command of each kind, as it is typed, with its exit code. They run in the order that they
/// stand in: a later one reads what an earlier one wrote.
const COMMANDS: &[(&str, i32)] = &[
    ("--help", 0),
    ("--version", 0),
    ("run --help", 0),
    ("no-such-command", 2),
    ("run cases --out out --readings all", 0),
    ("run bad.yaml --out no", 2),
    ("run wrong --out red", 1),
    ("run nothing --out no", 3),
    (
        "run cases --out sick --jobs 1 --impl sick=./sick.sh --as a5",
        1,
    ),
    ("run cases --out no --impl none=./no-such-program", 2),
    (
        "report --from red/run.jsonl --text --annotations --html x.html --md x.md --junit x.xml",
        0,
    ),
    ("report --from sick/run.jsonl --md -", 0),
    ("report --from red/run.jsonl --junit /dev/stdout", 0),
    ("diagnose red", 3),
    ("diff out/run.jsonl red/run.jsonl", 1),
    (
        "diff red/run.jsonl sick/run.jsonl --format md --out diff.md",
        1,
    ),
    (
        "diff red/run.jsonl out/run.jsonl --format html --out diff.html",
        1,
    ),
    ("merge out/run.jsonl --out merged.jsonl", 0),
    ("hunt --count 90 --partition 1/2 --record hunt.jsonl", 0),
    ("merge hunt.jsonl --out merged-hunt.jsonl", 2),
    ("hunt --from hunt.jsonl --known none", 0),
    (
        "gate --cases cases --baseline waivers.yaml --bless --write",
        0,
    ),
    ("gate --cases cases --baseline waivers.yaml", 0),
    ("gate --from red/run.jsonl --baseline waivers.yaml", 1),
    ("export-cases exported", 0),
    ("schema case", 0),
    ("list cases", 0),
    ("list cases --format json", 0),
    ("check cases", 0),
    ("check cases --format json", 0),
    ("check cases --format sarif", 0),
    ("trace good --target a5 --cases cases", 0),
    ("trace good --target a5 --cases cases --format json", 0),
    ("asm good --cases cases", 0),
    ("asm good --cases cases --pto", 0),
    ("asm good --cases cases --yaml", 0),
    ("cpp good --cases cases", 0),
    ("cpp --harness program --cases cases", 0),
    (
        "hunt --count 300 --form tscatter-mask --rules broken --quick --known none --keep kept --out found.yaml",
        0,
    ),
    ("hunt --count 9 --show 8", 0),
    ("holes kept", 0),
    ("holes kept --format json", 0),
    ("coverage cases", 1),
    ("coverage cases --format json", 1),
    ("gaps cases", 0),
    ("gaps cases --format json", 0),
    (
        "st export --suite a5 --filter random_8x32_64rows --out data --cases SUITE",
        0,
    ),
    (
        "st check data --suite a5 --filter random_8x32_64rows --cases SUITE --out checked",
        3,
    ),
    ("export good --cases cases --npy npy", 0),
    ("judge good npy/result-a5.npy --as a5 --cases cases", 0),
    (
        "selftest --filter tgatherb-a5-rounded-down --hunt-count 1 cases",
        1,
    ),
    ("fix old.yaml", 0),
    ("explain good --cases cases", 0),
    ("explain MSCATTER-OOB-02", 0),
    ("init begun --python", 0),
    ("guide", 0),
    ("guide limits", 0),
    ("completions bash", 0),
    ("man pages", 0),
];

/// One that greets, and then dies with its last words.
const SICK: &str = "#!/bin/sh\nread line\n\
    printf '{\"kind\":\"hello\",\"protocol\":1,\"name\":\"%s\"}\\n' NAME\n\
    read line\ncat words >&2\nexit 1\n";

/// A name that a file may have, as hostile as can be.
fn file_name(text: &str) -> String {
    let mut name = text.replace('/', "\u{2215}");
    name.truncate(name.floor_char_boundary(200));
    name + ".yaml"
}

/// A YAML scalar.
fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|c| format!("\\U{:08X}", u32::from(c)));
    format!("\"{}\"", escaped.collect::<String>())
}

/// A folder for all of them: with this text wherever one may stand.
fn folder(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let about = format!("    about: {}\n", quoted(text));
    let wrong = format!("{about}    rejected: {{a5: MSCATTER-TILE-01}}\n");
    let undefined = scatter("lost", &about).replace("data: permutation", "data: all-out-of-bounds");
    for (place, case) in [
        ("cases", scatter("good", &about)),
        ("wrong", scatter("red", &wrong)),
        ("nothing", undefined),
    ] {
        fs::create_dir(at.join(place)).expect("a folder");
        fs::write(at.join(place).join(file_name(text)), case).expect("a file");
    }
    let bad = scatter("a", &format!("    mode: {}\n", quoted(text)));
    let old =
        scatter("a", "    refused: {a5: MSCATTER-TILE-01}\n") + "    # " + &text.replace('\r', "");
    let name = text.replace(|c: char| !c.is_ascii_graphic() || "\"\\'$`".contains(c), "");
    for (file, holds) in [
        ("bad.yaml", bad),
        ("old.yaml", old.replace(hides, "")),
        ("waivers.yaml", "waivers: []\n".to_owned()),
        ("words", format!("{text}\n{text}\n")),
        ("sick.sh", SICK.replace("NAME", &format!("'{name}'"))),
    ] {
        fs::write(at.join(file), holds).expect("a file");
    }
    let runs = fs::Permissions::from_mode(0o755);
    fs::set_permissions(at.join("sick.sh"), runs).expect("it is there");
    folder
}

/// The arguments of a command that is typed.
fn arguments(line: &str) -> Vec<String> {
    let suite = suites().join("mscatter-a5.yaml");
    let suite = suite.to_string_lossy();
    let words = line.split(' ');
    words.map(|word| word.replace("SUITE", &suite)).collect()
}

/// Where a stream goes.
#[derive(Clone, Copy, PartialEq, Debug)]
enum To {
    Heard,
    Full,
    Closed,
    Gone,
}

fn stdio(to: To) -> Stdio {
    match to {
        To::Heard => Stdio::piped(),
        To::Closed => Stdio::null(),
        To::Full => File::options()
            .write(true)
            .open("/dev/full")
            .expect("a device")
            .into(),
        To::Gone => std::io::pipe().expect("a pipe").1.into(),
    }
}

fn run(at: &Path, line: &str, [out, err]: [To; 2]) -> Done {
    let mut own = command(at);
    if out == To::Closed || err == To::Closed {
        let closed = |to, what| if to == To::Closed { what } else { "" };
        let script = format!("exec \"$@\" {} {}", closed(out, ">&-"), closed(err, "2>&-"));
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_ptodiff")]);
        shell.current_dir(at).env_remove("GITHUB_ACTIONS");
        own = shell;
    }
    own.args(arguments(line))
        .stdout(stdio(out))
        .stderr(stdio(err));
    own.output().expect("it starts").into()
}

/// Every file below `folder`, by the path within it.
fn within(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    // Commands that are there to be typed name the folder in full.
    let here = folder.to_str().expect("UTF-8");
    let own = |path: PathBuf| {
        let bytes = fs::read(&path).expect("a file");
        let bytes = match path.ends_with("program/README.md") {
            true => String::from_utf8(bytes)
                .expect("UTF-8")
                .replace(here, "HERE")
                .into_bytes(),
            false => bytes,
        };
        let path = path.strip_prefix(folder).expect("below it").to_owned();
        (path, bytes)
    };
    files(folder, &|_| true).into_iter().map(own).collect()
}

#[test]
fn every_command_is_among_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let help = run(folder.path(), "--help", [To::Heard; 2]).out;
    let all = help.split("Commands:\n").nth(1).expect("a list");
    let lines = all.lines().take_while(|line| !line.is_empty());
    // What a command does may take more lines, further to the right.
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<&str> = names.filter(|n| !n.is_empty() && *n != "help").collect();
    for name in &names {
        let mut typed = COMMANDS.iter().map(|(line, _)| line.split(' ').next());
        assert!(typed.any(|own| own == Some(name)), "{name}");
    }
    assert!(names.len() >= 20, "{help}");
}

/// What a run prints without the time that it took.
fn timeless(text: &str) -> String {
    let line = |line: &str| match line.split_once(" s   ") {
        Some((before, page)) => {
            let kept = before.rsplit_once(", ").map_or(before, |(kept, _)| kept);
            format!("{kept}   {page}\n")
        }
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn what_nobody_hears_changes_no_exit_code_and_no_file() {
    let heard = folder("plain");
    let all = COMMANDS
        .iter()
        .map(|(line, _)| run(heard.path(), line, [To::Heard; 2]));
    let said: Vec<Done> = all.collect();
    let mut wrong = COMMANDS
        .iter()
        .zip(&said)
        .filter(|((_, code), done)| done.code != *code);
    let told = |((line, _), done): (&(&str, i32), &Done)| {
        format!("{line}: {} {}{}", done.code, done.out, done.err)
    };
    assert_eq!(wrong.next().map(told), None);
    let written = within(heard.path());
    for [out, err] in [
        [To::Heard, To::Full],
        [To::Heard, To::Gone],
        [To::Closed, To::Closed],
        [To::Gone, To::Heard],
        [To::Full, To::Heard],
        [To::Full, To::Full],
    ] {
        let unheard = folder("plain");
        for ((line, code), said) in COMMANDS.iter().zip(&said) {
            let what = format!("{line} with {out:?}, {err:?}");
            let done = run(unheard.path(), line, [out, err]);
            // A file is one, whatever it is called: its writer hears of it.
            let lost = out == To::Full && !said.out.is_empty() && *code != 2;
            let code = if lost { 70 } else { *code };
            assert_eq!(done.code, code, "{what}: {}", done.err);
            if lost && err == To::Heard {
                assert!(
                    done.err
                        .contains("standard output: No space left on device"),
                    "{what}: {}",
                    done.err
                );
            }
            // Whoever leaves, as `head` does, has seen enough: nothing is said of it.
            if out == To::Gone && err == To::Heard {
                let lines = |done: &Done| done.err.lines().count();
                assert_eq!(lines(&done), lines(said), "{what}: {}", done.err);
            }
            if out == To::Heard {
                assert_eq!(timeless(&done.out), timeless(&said.out), "{what}");
            }
        }
        let now = within(unheard.path());
        let names = |all: &BTreeMap<PathBuf, Vec<u8>>| all.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&now), names(&written), "{out:?}, {err:?}");
        for (path, bytes) in &written {
            // JUnit says how long its run took.
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let same = match path.ends_with("junit.xml") {
                true => untimed(&text(&now[path])) == untimed(&text(bytes)),
                false => now[path] == *bytes,
            };
            assert!(same, "{} with {out:?}, {err:?}", path.display());
        }
    }
}

/// What the names and texts of cases, files and implementations would tell
/// whoever reads an output, nobody hears.
#[test]
fn no_output_of_any_command_obeys_a_text() {
    let folder = folder(HOSTILE);
    for (what, code) in COMMANDS {
        let mut own = command(folder.path());
        own.args(arguments(what)).env("CLICOLOR_FORCE", "1");
        let done: Done = own.output().expect("it starts").into();
        assert_eq!(done.code, *code, "{what}: {}{}", done.out, done.err);
        is_plain(what, &done.err);
        let own = |line: &&str| {
            !(what.contains("--annotations")
                && (line.starts_with("::error file=") || line.starts_with("::notice title=")))
        };
        let out: Vec<&str> = done.out.lines().filter(own).collect();
        is_plain(what, &out.join("\n"));
    }
    let mut seen = 0;
    for (path, bytes) in within(folder.path()) {
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        let name = path.to_string_lossy().into_owned();
        match path.extension().and_then(|e| e.to_str()) {
            Some("md" | "xml" | "txt") => is_plain(&name, &text),
            Some("html") => assert_eq!(text.find(hides), None, "{name}"),
            _ => continue,
        }
        seen += 1;
        if name.ends_with("md") {
            let mut all = Parser::new_ext(&text, Options::ENABLE_TABLES);
            let html = all.find(|event| match event {
                Event::Html(html) | Event::InlineHtml(html) => html.contains("script"),
                _ => false,
            });
            assert_eq!(html, None, "{name}");
        }
        let markup = name.ends_with("html") || name.ends_with("xml");
        for tag in ["<script>alert", "]]>"] {
            assert!(!markup || !text.contains(tag), "{name}: {tag}");
        }
    }
    assert!(seen > 10, "{seen} files");
    assert!(!folder.path().join("owned").exists());
}
