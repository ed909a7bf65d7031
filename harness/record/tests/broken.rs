//! What a line breaks of a JSON Schema of ours.

use serde_json::Value;

/// What `value` breaks of `schema`; stops at a keyword that it does not know.
pub(crate) fn broken(root: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let Value::Object(keys) = schema else {
        return if *schema == true {
            vec![]
        } else {
            vec![format!("{at} may not be there")]
        };
    };
    let mut wrong = Vec::new();
    for (key, want) in keys {
        let children = || want.as_object().unwrap().iter();
        match key.as_str() {
            "$schema" | "title" | "description" | "definitions" | "format" => {}
            "$ref" => {
                let name = want
                    .as_str()
                    .unwrap()
                    .strip_prefix("#/definitions/")
                    .unwrap();
                wrong.extend(broken(root, &root["definitions"][name], value, at));
            }
            "type" => {
                let is = |kind: &Value| match kind.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    "integer" => value.is_u64() || value.is_i64(),
                    other => panic!("type {other}"),
                };
                let fits = want
                    .as_array()
                    .map_or_else(|| is(want), |all| all.iter().any(is));
                if !fits {
                    wrong.push(format!("{at} is no {want}"));
                }
            }
            "enum" if !want.as_array().unwrap().contains(value) => {
                wrong.push(format!("{at} is none of {want}"));
            }
            "const" if want != value => wrong.push(format!("{at} is not {want}")),
            "enum" | "const" => {}
            "anyOf" | "oneOf" => {
                let all = want.as_array().unwrap().iter();
                let all: Vec<_> = all.map(|one| broken(root, one, value, at)).collect();
                if !all.iter().any(Vec::is_empty) {
                    wrong.extend(all.into_iter().flatten());
                }
            }
            "allOf" => {
                for one in want.as_array().unwrap() {
                    wrong.extend(broken(root, one, value, at));
                }
            }
            "required" => {
                let missing = want.as_array().unwrap().iter();
                let missing = missing.filter(|key| value.get(key.as_str().unwrap()).is_none());
                wrong.extend(missing.map(|key| format!("{at} has no {key}")));
            }
            "properties" => {
                for (name, one) in children() {
                    if let Some(own) = value.get(name) {
                        wrong.extend(broken(root, one, own, &format!("{at}.{name}")));
                    }
                }
            }
            // The one pattern of names there is: a party.
            "patternProperties" => {
                for (_, one) in children() {
                    for (name, own) in value.as_object().into_iter().flatten() {
                        if is_party(name) {
                            wrong.extend(broken(root, one, own, &format!("{at}.{name}")));
                        }
                    }
                }
            }
            "pattern" => {
                let fits = match want.as_str().unwrap() {
                    "^(cpu|a2a3|a5)(:.*)?$" => value.as_str().is_some_and(is_party),
                    "^[0-9a-f]{16}$" => is_hash(value, 16),
                    "^[0-9a-f]{64}$" => is_hash(value, 64),
                    other => {
                        panic!("the schema has a pattern that this test does not know: {other}")
                    }
                };
                if !fits {
                    wrong.push(format!("{at} does not fit {want}"));
                }
            }
            "additionalProperties" => {
                for (name, own) in value.as_object().into_iter().flatten() {
                    let named = keys
                        .get("properties")
                        .is_some_and(|p| p.get(name).is_some());
                    let party = keys.contains_key("patternProperties") && is_party(name);
                    if !named && !party {
                        wrong.extend(broken(root, want, own, &format!("{at}.{name}")));
                    }
                }
            }
            "items" => {
                for (n, own) in value.as_array().into_iter().flatten().enumerate() {
                    let one = want.as_array().map_or(Some(want), |all| all.get(n));
                    if let Some(one) = one {
                        wrong.extend(broken(root, one, own, &format!("{at}[{n}]")));
                    }
                }
            }
            "minItems" | "maxItems" | "minLength" | "maxLength" => {
                let length = match value {
                    Value::Array(all) => all.len(),
                    Value::String(text) => text.chars().count(),
                    _ => continue,
                };
                let limit = want.as_u64().unwrap() as usize;
                if key.starts_with("min") && length < limit
                    || key.starts_with("max") && length > limit
                {
                    wrong.push(format!("{at} has {length} of {key} {limit}"));
                }
            }
            "minimum" => {
                if value
                    .as_i64()
                    .is_some_and(|n| n < want.as_f64().unwrap() as i64)
                {
                    wrong.push(format!("{at} is below {want}"));
                }
            }
            other => panic!("the schema has a keyword that this test does not know: {other}"),
        }
    }
    wrong
}

fn is_party(text: &str) -> bool {
    let target = text.split(':').next().unwrap_or_default();
    ["cpu", "a2a3", "a5"].contains(&target)
}

fn is_hash(value: &Value, digits: usize) -> bool {
    let hex = |text: &str| text.bytes().all(|b| b"0123456789abcdef".contains(&b));
    value
        .as_str()
        .is_some_and(|text| text.len() == digits && hex(text))
}
