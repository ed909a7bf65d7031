//! The JSON Schema of a record, for who reads one with other tools.

use std::borrow::Cow;
use std::marker::PhantomData;

use ptodiff_isa::Target;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};
use strum::VariantNames;

use crate::{CaseRecord, Diagnosis, FORMAT, Header};

/// One of the names of `T`, as the schema says it: the words of the ISA are
/// declared where no schema is known.
pub(crate) struct Word<T>(PhantomData<T>);

impl<T: VariantNames> JsonSchema for Word<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Word".into()
    }

    fn schema_id() -> Cow<'static, str> {
        std::any::type_name::<T>().into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": T::VARIANTS })
    }
}

/// A target, or a further form of a case on one.
pub(crate) struct PartyText;

impl JsonSchema for PartyText {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Party".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let targets = Target::VARIANTS.join("|");
        json_schema!({ "type": "string", "pattern": format!("^({targets})(:.*)?$") })
    }
}

/// The JSON Schema of a line of a record, from the types that write one: its
/// header, which is the first, a case, or a diagnosis.
///
/// `reports/run-record.schema.json` is this, kept fresh by a test.
#[must_use]
pub fn schema() -> Value {
    let mut generator = SchemaSettings::draft07().into_generator();
    let header = generator.subschema_for::<Header>();
    let case = generator.subschema_for::<CaseRecord>();
    let diagnosis = generator.subschema_for::<Diagnosis>();
    let mut definitions = generator.take_definitions(true);
    for line in ["Header", "CaseRecord"] {
        add_checksum(&mut definitions[line]);
    }
    let mut diagnosis = json!({
        "type": "object",
        "description": "What may be behind the failures of an implementation.",
        "properties": {"diagnosis": diagnosis},
        "required": ["diagnosis"],
        "additionalProperties": false,
    });
    add_checksum(&mut diagnosis);
    let end = json!({
        "type": "object",
        "description": "What closes the record.",
        "properties": {"end": {
            "type": "string",
            "pattern": "^[0-9a-f]{64}$",
            "description": "BLAKE3 of all lines before it, each with a line feed.",
        }},
        "required": ["end"],
        "additionalProperties": false,
    });
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": format!("A line of a ptodiff record of format {FORMAT}"),
        "description": "The first line is the header, the last one what closes the record, every line between them a case or, after all cases, a diagnosis.",
        "anyOf": [header, case, diagnosis, end],
        "definitions": definitions,
    })
}

/// The entry that ends a line, which no type has: it is over the text of the others.
fn add_checksum(line: &mut Value) {
    line["properties"]["check"] = json!({
        "type": "string",
        "pattern": "^[0-9a-f]{16}$",
        "description": "The last entry: the first eight bytes of the BLAKE3 hash of the line as it is without it.",
    });
}
