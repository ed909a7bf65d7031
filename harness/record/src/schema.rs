//! The JSON Schema of a record, for who reads one with other tools.

use std::borrow::Cow;
use std::marker::PhantomData;

use ptodiff_isa::Target;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};
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
#[derive(Debug)]
pub struct PartyText;

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
    let diagnosis = json!({
        "type": "object",
        "description": "What may be behind the failures of an implementation.",
        "properties": {"diagnosis": diagnosis},
        "required": ["diagnosis"],
        "additionalProperties": false,
    });
    let interrupted = json!({
        "type": "object",
        "description": "Ends the cases where the run was interrupted: fewer than the header says.",
        "properties": {"interrupted": {
            "type": "integer",
            "minimum": 0,
            "description": "Cases before it.",
        }},
        "required": ["interrupted"],
        "additionalProperties": false,
    });
    sealed_schema(
        &format!("A line of a ptodiff record of format {FORMAT}"),
        "The first line is the header, the last one what closes the record, every line between them a case or, after all cases, a diagnosis, or that the run was interrupted.",
        vec![header.into(), case.into(), diagnosis, interrupted],
        generator.take_definitions(true),
    )
}

/// The JSON Schema of a line of a file that [`SealedWriter`](crate::SealedWriter)
/// writes: one of `lines`, with a checksum, or the one that closes it. Each is an object,
/// several, or refers to `definitions`.
#[must_use]
pub fn sealed_schema(
    title: &str,
    description: &str,
    mut lines: Vec<Value>,
    mut definitions: Map<String, Value>,
) -> Value {
    for line in &mut lines {
        let name = line["$ref"].as_str();
        let name = name.and_then(|name| name.strip_prefix("#/definitions/"));
        let line = match name.and_then(|name| definitions.get_mut(name)) {
            Some(defined) => defined,
            None => line,
        };
        match line.get_mut("oneOf").and_then(Value::as_array_mut) {
            Some(several) => several.iter_mut().for_each(add_checksum),
            None => add_checksum(line),
        }
    }
    lines.push(json!({
        "type": "object",
        "description": "What closes the record.",
        "properties": {"end": {
            "type": "string",
            "pattern": "^[0-9a-f]{64}$",
            "description": "BLAKE3 of all lines before it, each with a line feed.",
        }},
        "required": ["end"],
        "additionalProperties": false,
    }));
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": title,
        "description": description,
        "anyOf": lines,
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
