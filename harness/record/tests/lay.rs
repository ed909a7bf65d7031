//! Records over records.

use serde_json::Value;

/// Lays `over` over a value: lists of objects one by one, and null takes a key
/// out.
pub(crate) fn lay(under: &mut Value, over: Value) {
    match (under, over) {
        (_, Value::Null) => {}
        (Value::Object(under), Value::Object(over)) => {
            for (key, value) in over {
                if value.is_null() {
                    under.remove(&key);
                } else {
                    lay(under.entry(key).or_insert(Value::Null), value);
                }
            }
        }
        (Value::Array(under), Value::Array(over)) if over.iter().any(Value::is_object) => {
            under.resize(under.len().max(over.len()), Value::Null);
            under
                .iter_mut()
                .zip(over)
                .for_each(|(under, over)| lay(under, over));
        }
        (under, over) => *under = over,
    }
}
