//! The JSON Schema of case files, for editors.

use serde_json::{Value, json};

use crate::format::{FILE, OWN_ALONE};

/// The JSON Schema of a case file, from what its reader checks.
///
/// `cases/case-file.schema.json` is this, kept fresh by a test. It says less
/// than the reader: what needs arithmetic or two keys at once is not in it.
#[must_use]
pub fn schema() -> Value {
    let mut schema = FILE.document();
    let case = &mut schema["definitions"]["Case"];
    // All tiles and all tensors have one shape; these follow from no other operand.
    for key in ["tile", "source", "table"] {
        case["properties"][key]["required"] = json!(["shape"]);
    }
    // Cases and defaults have one shape; these keys the former alone have.
    let mut defaults = case.clone();
    case["required"] = json!(["name"]);
    if let Some(keys) = defaults["properties"].as_object_mut() {
        keys.retain(|key, _| !OWN_ALONE.contains(&key.as_str()));
    }
    defaults["description"] = json!("Keys of a case, for every case that does not give its own.");
    schema["definitions"]["Defaults"] = defaults;
    schema["properties"]["defaults"] = json!({ "$ref": "#/definitions/Defaults" });
    schema
}
