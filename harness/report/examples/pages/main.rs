//! Writes pages for the browser test: `cargo run --example pages -- FOLDER`.
//!
//! A second argument is either how many cases the page of very many has, or
//! the path of a record, of which one page is written instead.

#[path = "../../../record/tests/lay.rs"]
mod lay;
mod records;

use std::{
    env, fs,
    io::{self, BufWriter, Write},
    path::Path,
    time::Instant,
};

use ptodiff_record::{CaseRecord, Diagnosis, Header, Reader};
use ptodiff_report::write_html;

/// Cases of the largest page, where nobody says how many: an unoptimised build
/// writes a hundred thousand too slowly for a test.
const MANY: usize = 20_000;

fn write(
    folder: &Path,
    name: &str,
    header: &Header,
    cases: &[CaseRecord],
    diagnoses: &[Diagnosis],
) -> io::Result<()> {
    let begun = Instant::now();
    let path = folder.join(name);
    let mut to = BufWriter::new(fs::File::create(&path)?);
    write_html(&mut to, header, cases, diagnoses)?;
    to.flush()?;
    println!(
        "{name}: {} cases, {} bytes, {} ms",
        cases.len(),
        fs::metadata(&path)?.len(),
        begun.elapsed().as_millis()
    );
    Ok(())
}

fn main() -> io::Result<()> {
    let mut arguments = env::args().skip(1);
    let folder = arguments
        .next()
        .ok_or_else(|| io::Error::other("which folder?"))?;
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    let many = match arguments.next().map(|told| (told.parse(), told)) {
        None => MANY,
        Some((Ok(cases), _)) => cases,
        Some((Err(_), path)) => {
            let record = io::BufReader::new(fs::File::open(path)?);
            let mut record = Reader::new(record).map_err(io::Error::other)?;
            let cases: Result<Vec<_>, _> = record.by_ref().collect();
            let cases = cases.map_err(io::Error::other)?;
            let header = record.header();
            return write(folder, "run.html", header, &cases, record.diagnoses());
        }
    };
    for (name, cases) in [
        ("red.html", records::mixed()),
        ("green.html", vec![records::case("cases/a.yaml", "one")]),
        ("hostile.html", records::hostile()),
        ("many.html", records::many(many)),
    ] {
        write(folder, name, &records::header(&cases), &cases, &[])?;
    }
    let (header, cases, diagnoses) = records::tested();
    write(folder, "tested.html", &header, &cases, &diagnoses)
}
