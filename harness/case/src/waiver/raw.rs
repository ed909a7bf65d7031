//! A file of waivers as written: what serde reads and what its JSON Schema is made from.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, json_schema};
use serde::Deserialize;
use serde_json::Value as Json;

use crate::raw::{List, Value};
use crate::schema::without_null;
use crate::word::Kind;
use crate::yaml::Located;

/// Violations that are known and owned. The conformance gate lets them pass
/// until they expire, and fails on one that nothing needs.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Waivers")]
pub(super) struct RawWaivers {
    /// The waivers.
    pub(super) waivers: Located<Vec<Located<RawWaiver>>>,
}

/// One violation that is known and owned.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Waiver")]
pub(super) struct RawWaiver {
    /// The failure group of the violation, as a report prints it. Nothing else is hidden.
    #[serde(rename = "failure-group")]
    pub(super) failure_group: Value<Text>,
    /// The target (a5) or the two targets (cpu/a5) that the violation is
    /// recorded under, or * for a failure group that several have.
    pub(super) pair: Value<Pair>,
    /// Ids of the cases that show it; without the key every case that does.
    pub(super) cases: Option<List<Text>>,
    /// Why the violation is there.
    pub(super) cause: Value<Text>,
    /// Where more is to be found about it: an issue, a page, a document.
    pub(super) reference: Value<Text>,
    /// Who is to fix it.
    pub(super) owner: Value<Text>,
    /// The last day on which the waiver holds, in UTC.
    pub(super) expires: Value<Day>,
}

/// A text that says something.
#[derive(Debug)]
pub(super) struct Text;

impl Kind for Text {
    fn schema() -> Schema {
        json_schema!({ "type": "string", "minLength": 1 })
    }
}

/// One party, two, or any.
#[derive(Debug)]
pub(super) struct Pair;

impl Kind for Pair {
    fn schema() -> Schema {
        let party = "(cpu|a2a3|a5)(:[^/]+)?";
        json_schema!({ "type": "string", "pattern": format!(r"^(\*|{party}(/{party})?)$") })
    }
}

/// A day.
#[derive(Debug)]
pub(super) struct Day;

impl Kind for Day {
    fn schema() -> Schema {
        json_schema!({ "type": "string", "format": "date" })
    }
}

/// The JSON Schema of a file of waivers, from the types that read one.
///
/// `reports/waivers.schema.json` is this, kept fresh by a test.
#[must_use]
pub fn schema() -> Json {
    let generator = SchemaSettings::draft07().into_generator();
    let mut schema = generator.into_root_schema_for::<RawWaivers>().to_value();
    without_null(&mut schema);
    schema
}
