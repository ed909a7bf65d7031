//! Values as text, and which are NaN.

use ptodiff_isa::DType;
use ptodiff_judge::Value;

fn value(dtype: DType, bits: u64) -> Value {
    Value { dtype, bits }
}

#[test]
fn bytes_are_little_endian() {
    let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    assert_eq!(Value::read(DType::Int8, &bytes).bits, 1);
    assert_eq!(Value::read(DType::Half, &bytes).bits, 0x0201);
    assert_eq!(Value::read(DType::Float, &bytes).bits, 0x0403_0201);
    assert_eq!(
        Value::read(DType::Uint64, &bytes).bits,
        0x0807_0605_0403_0201
    );
}

#[test]
fn integers_are_shown_as_integers_and_floats_as_decimals() {
    for (dtype, bits, shown) in [
        (DType::Int8, 0x80, "0x80 (-128)"),
        (DType::Uint8, 0x80, "0x80 (128)"),
        (DType::Int16, 0xffff, "0xffff (-1)"),
        (DType::Int32, 0x8000_0000, "0x80000000 (-2147483648)"),
        (DType::Int64, u64::MAX, "0xffffffffffffffff (-1)"),
        (
            DType::Uint64,
            u64::MAX,
            "0xffffffffffffffff (18446744073709551615)",
        ),
        (DType::Half, 0x3c00, "0x3c00 (1.0)"),
        (DType::Half, 0x7bff, "0x7bff (65504.0)"),
        (DType::Bfloat16, 0xbfc0, "0xbfc0 (-1.5)"),
        (DType::Float, 0x8000_0000, "0x80000000 (-0.0)"),
        (DType::Float, 0x7f80_0000, "0x7f800000 (inf)"),
        (DType::Float8E4M3, 0x7e, "0x7e (448.0)"),
        (DType::Float8E4M3, 0x38, "0x38 (1.0)"),
        (DType::Float8E4M3, 0x81, "0x81 (-0.001953125)"),
        (DType::Float8E4M3, 0xff, "0xff (NaN)"),
        (DType::Float8E5M2, 0x7b, "0x7b (57344.0)"),
        (DType::Float8E5M2, 0xfc, "0xfc (-inf)"),
        (DType::Hifloat8, 0x08, "0x08"),
    ] {
        assert_eq!(value(dtype, bits).to_string(), shown, "{dtype}");
    }
}

#[test]
fn nan_begins_above_infinity() {
    for (dtype, infinity) in [
        (DType::Half, 0x7c00),
        (DType::Bfloat16, 0x7f80),
        (DType::Float, 0x7f80_0000),
        (DType::Float8E5M2, 0x7c),
    ] {
        let sign = 1 << (8 * dtype.size() - 1);
        for sign in [0, sign] {
            assert!(!value(dtype, infinity | sign).is_nan());
            assert!(value(dtype, (infinity + 1) | sign).is_nan());
        }
    }
    // No infinity, one NaN a sign.
    assert!(!value(DType::Float8E4M3, 0x7e).is_nan());
    assert!(value(DType::Float8E4M3, 0x7f).is_nan());
    assert!(!value(DType::Int32, 0x7fc0_0000).is_nan());
}
