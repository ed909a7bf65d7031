//! The JSON Schema of case files, for editors.

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::raw::RawFile;

/// The JSON Schema of a case file, from the types that read one.
///
/// `cases/case-file.schema.json` is this, kept fresh by a test. It says less
/// than the reader: what needs arithmetic or two keys at once is not in it.
#[must_use]
pub fn schema() -> Value {
    let generator = SchemaSettings::draft07().into_generator();
    let mut schema = generator.into_root_schema_for::<RawFile>().to_value();
    if let Some(definitions) = schema.get_mut("definitions").and_then(Value::as_object_mut) {
        // One type reads all tiles, and one all tensors; these follow from no other operand.
        for key in ["tile", "source", "table"] {
            definitions["Case"]["properties"][key]["required"] = json!(["shape"]);
        }
        // One type reads cases and defaults; these the former alone have.
        if let Some(mut defaults) = definitions.get("Case").cloned() {
            if let Some(keys) = defaults
                .get_mut("properties")
                .and_then(Value::as_object_mut)
            {
                for key in ["name", "covers", "gap", "holes", "expect"] {
                    keys.remove(key);
                }
            }
            defaults["description"] =
                json!("Keys of a case, for every case that does not give its own.");
            definitions.insert("Defaults".to_owned(), defaults);
        }
        if let Some(case) = definitions.get_mut("Case") {
            case["required"] = json!(["name"]);
        }
    }
    if let Some(keys) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        keys.insert(
            "defaults".to_owned(),
            json!({ "$ref": "#/definitions/Defaults" }),
        );
    }
    without_null(&mut schema);
    schema
}

/// Takes back that an optional key may be null: the reader wants a value or no key.
pub(crate) fn without_null(schema: &mut Value) {
    match schema {
        Value::Object(keys) => {
            if keys.get("default") == Some(&Value::Null) {
                keys.remove("default");
            }
            if let Some(Value::Array(types)) = keys.get_mut("type") {
                types.retain(|kind| kind != "null");
                if let [kind] = types.as_slice() {
                    let kind = kind.clone();
                    keys.insert("type".to_owned(), kind);
                }
            }
            if let Some(Value::Array(names)) = keys.get_mut("enum") {
                names.retain(|name| !name.is_null());
            }
            if let Some(Value::Array(choices)) = keys.get_mut("anyOf") {
                choices.retain(|choice| choice["type"] != "null");
            }
            keys.values_mut().for_each(without_null);
        }
        Value::Array(values) => values.iter_mut().for_each(without_null),
        _ => {}
    }
}
