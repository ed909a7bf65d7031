//! Values as text, which are NaN, and their order.

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
    for (dtype, bits, (hex, text)) in [
        (DType::Int8, 0x80, ("0x80", Some("-128"))),
        (DType::Uint8, 0x80, ("0x80", Some("128"))),
        (DType::Int16, 0xffff, ("0xffff", Some("-1"))),
        (
            DType::Int32,
            0x8000_0000,
            ("0x80000000", Some("-2147483648")),
        ),
        (DType::Int64, u64::MAX, ("0xffffffffffffffff", Some("-1"))),
        (
            DType::Uint64,
            u64::MAX,
            ("0xffffffffffffffff", Some("18446744073709551615")),
        ),
        (DType::Half, 0x3c00, ("0x3c00", Some("1.0"))),
        (DType::Half, 0x7bff, ("0x7bff", Some("65504.0"))),
        (DType::Bfloat16, 0xbfc0, ("0xbfc0", Some("-1.5"))),
        (DType::Float, 0x8000_0000, ("0x80000000", Some("-0.0"))),
        (DType::Float, 0x7f80_0000, ("0x7f800000", Some("inf"))),
        (DType::Float8E4M3, 0x7e, ("0x7e", Some("448.0"))),
        (DType::Float8E4M3, 0x38, ("0x38", Some("1.0"))),
        (DType::Float8E4M3, 0x81, ("0x81", Some("-0.001953125"))),
        (DType::Float8E4M3, 0xff, ("0xff", Some("NaN"))),
        (DType::Float8E5M2, 0x7b, ("0x7b", Some("57344.0"))),
        (DType::Float8E5M2, 0xfc, ("0xfc", Some("-inf"))),
        (DType::Hifloat8, 0x08, ("0x08", None)),
    ] {
        let value = value(dtype, bits);
        assert_eq!(
            (value.hex().as_str(), value.text().as_deref()),
            (hex, text),
            "{dtype}"
        );
    }
}

#[test]
fn nan_begins_behind_infinity() {
    for (dtype, numbers, nans) in [
        (DType::Half, [0x7c00, 0xfc00], [0x7c01, 0xffff]),
        (DType::Bfloat16, [0x7f80, 0xff80], [0x7f81, 0xffff]),
        (
            DType::Float,
            [0x7f80_0000, 0xff80_0000],
            [0x7f80_0001, u64::from(u32::MAX)],
        ),
        (DType::Float8E4M3, [0x7e, 0xfe], [0x7f, 0xff]),
        (DType::Float8E5M2, [0x7c, 0xfc], [0x7d, 0xff]),
        (DType::Hifloat8, [0x7f, 0x81], [0x80, 0x80]),
    ] {
        let are = |bits: [u64; 2]| bits.map(|bits| value(dtype, bits).is_nan());
        assert_eq!(
            [are(numbers), are(nans)],
            [[false; 2], [true; 2]],
            "{dtype}"
        );
    }
}

#[test]
fn values_of_a_type_are_counted_as_the_type_orders_them() {
    let from = |dtype, low, high| value(dtype, low).values_to(value(dtype, high));
    assert_eq!(from(DType::Int8, 0xff, 0x01), Some(3));
    // -0.0 and +0.0, and on either side the smallest subnormal.
    assert_eq!(from(DType::Half, 0x8001, 0x0001), Some(4));
    assert_eq!(from(DType::Bfloat16, 0x3f80, 0x3f80), Some(1));
    assert_eq!(from(DType::Float, 0x7fc0_0000, 0x7fc0_0000), None);
    assert_eq!(from(DType::Float8E5M2, 0, 1), None);
}
