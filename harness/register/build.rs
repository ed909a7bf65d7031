//! Reads `clauses/*.yaml` and `gaps/*.yaml` and writes them as one static
//! table: a register that does not read well does not build.

use std::{
    collections::{BTreeMap, HashSet},
    env,
    fmt::Write as _,
    fs,
    path::Path,
};

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The areas, in the order of the documents.
const AREAS: [&str; 6] = [
    "mscatter",
    "mgather",
    "mgather_l1",
    "tscatter",
    "mscatter_first",
    "tgatherb",
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Clause {
    id: String,
    targets: Vec<String>,
    kind: String,
    says: String,
    source: String,
    experiment: String,
    no_case: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Gap {
    id: String,
    targets: Vec<String>,
    unclear: String,
    source: String,
    readings: BTreeMap<char, String>,
    in_use: char,
    #[serde(default)]
    choices: BTreeMap<char, String>,
    how: Option<String>,
    experiment: String,
    no_case: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edition {
    name: String,
    says: String,
    source: String,
    readings: BTreeMap<String, String>,
}

fn main() {
    println!("cargo::rerun-if-changed=clauses");
    println!("cargo::rerun-if-changed=gaps");
    let mut table = String::from("&[\n");
    let mut seen = HashSet::new();
    for area in AREAS {
        for clause in read::<Clause>("clauses", area) {
            unique(&mut seen, &clause.id);
            write_clause(&mut table, &clause);
        }
        for gap in read::<Gap>("gaps", area) {
            unique(&mut seen, &gap.id);
            write_gap(&mut table, &gap);
        }
    }
    table.push(']');
    write("entries.rs", &table);
    println!("cargo::rerun-if-changed=editions.yaml");
    let mut table = String::from("&[\n");
    for edition in read_file::<Edition>("editions.yaml") {
        unique(&mut seen, &edition.name);
        let Edition {
            name,
            says,
            source,
            readings,
        } = edition;
        let readings: Vec<_> = readings.into_iter().collect();
        writeln!(
            table,
            "Edition {{ name: {name:?}, says: {says:?}, source: {source:?}, readings: &{readings:?} }},"
        )
        .expect("a string takes all");
    }
    table.push(']');
    write("editions.rs", &table);
}

fn write(name: &str, table: &str) {
    let out = env::var("OUT_DIR").expect("cargo gives build scripts a folder");
    fs::write(Path::new(&out).join(name), table).expect("the folder can be written");
}

fn read<T: DeserializeOwned>(folder: &str, area: &str) -> Vec<T> {
    read_file(&format!("{folder}/{area}.yaml"))
}

fn read_file<T: DeserializeOwned>(path: &str) -> Vec<T> {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    yaml_serde::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn unique(seen: &mut HashSet<String>, id: &str) {
    assert!(seen.insert(id.to_owned()), "{id} stands twice");
}

fn write_clause(table: &mut String, clause: &Clause) {
    let id = &clause.id;
    assert!(!id.contains("-GAP-"), "{id} is no gap");
    let kind = match clause.kind.as_str() {
        "value" => "Value",
        "freedom" => "Freedom",
        "undefined" => "Undefined",
        "legality" => "Legality",
        "caller" => "Caller",
        "trace" => "Trace",
        "syntax" => "Syntax",
        other => panic!("{id}: there is no kind `{other}`"),
    };
    let says = &clause.says;
    let (source, experiment) = (&clause.source, &clause.experiment);
    write_entry(table, id, &clause.targets, kind, [says, source, experiment]);
    let reason = &clause.no_case;
    writeln!(table, "no_case: {reason:?}, gap: None }},").expect("a string takes all");
}

fn write_gap(table: &mut String, gap: &Gap) {
    let id = &gap.id;
    assert!(id.contains("-GAP-"), "{id} is a gap");
    let letters: String = gap.readings.keys().collect();
    assert!(
        !letters.is_empty() && "abcdefgh".starts_with(&letters),
        "{id}: readings are lettered a, b, c, ..."
    );
    assert!(
        letters.contains(gap.in_use) && gap.choices.keys().all(|c| letters.contains(*c)),
        "{id}: `in_use` and `choices` name readings"
    );
    let (says, source) = (&gap.unclear, &gap.source);
    write_entry(
        table,
        id,
        &gap.targets,
        "Gap",
        [says, source, &gap.experiment],
    );
    let (in_use, how, reason) = (gap.in_use, &gap.how, &gap.no_case);
    write!(
        table,
        "no_case: {reason:?}, gap: Some(Gap {{ in_use: {in_use:?}, how: {how:?}, readings: &["
    )
    .expect("a string takes all");
    for (letter, says) in &gap.readings {
        let choice = gap.choices.get(letter).map(|choice| {
            choice
                .split_once('=')
                .unwrap_or_else(|| panic!("{id}: `{choice}` is not PARAMETER=CHOICE"))
        });
        write!(
            table,
            "Reading {{ letter: {letter:?}, says: {says:?}, choice: {choice:?} }}, "
        )
        .expect("a string takes all");
    }
    table.push_str("] }) },\n");
}

fn write_entry(
    table: &mut String,
    id: &str,
    targets: &[String],
    kind: &str,
    [says, source, experiment]: [&String; 3],
) {
    let target = |name: &String| match name.as_str() {
        "cpu" => "Target::Cpu, ",
        "a2a3" => "Target::A2a3, ",
        "a5" => "Target::A5, ",
        other => panic!("{id}: there is no target `{other}`"),
    };
    let targets: String = targets.iter().map(target).collect();
    assert!(!targets.is_empty(), "{id} is about no target");
    for text in [says, source, experiment] {
        assert!(!text.trim().is_empty(), "{id}: something is empty");
    }
    write!(
        table,
        "Entry {{ id: {id:?}, targets: &[{targets}], kind: Kind::{kind}, says: {says:?}, \
         source: {source:?}, experiment: {experiment:?}, "
    )
    .expect("a string takes all");
}
