//! Float literals against the definitions of their types.

use ptodiff_case::float::{FloatError, encode};
use ptodiff_isa::DType;

/// What rounds past the largest value of each type, to zero, and one number in many forms.
#[test]
fn each_type_ends_where_it_ends() {
    let beyond = Err(FloatError::OutOfRange);
    for (dtype, bits, texts) in [
        (DType::Half, beyond, "65520 1e99999999999999999999"),
        (DType::Bfloat16, beyond, "3.3961775292304601e38"),
        (DType::Float, beyond, "3.4028235677973367e38 1e400"),
        (DType::Float, Ok(0), "7e-46 1e-99999999999999999999 0 +0.0"),
        (DType::Float, Ok(0x8000_0000), "-0 -0.0 -1e-400"),
        (DType::Float8E4M3, Ok(0x7E), "464"),
        (DType::Float8E4M3, beyond, "464.0000000000000000000000001"),
        (DType::Float8E5M2, beyond, "61440"),
        (DType::Float8E5M2, Ok(0x3C), "1 +1 1. 10e-1 .1E1 0.1e+1"),
    ] {
        for text in texts.split(' ') {
            assert_eq!(encode(dtype, text), bits, "{text} as {dtype}");
        }
    }
}

/// However many digits there are, all of them count, and it takes no time.
#[test]
fn very_long_numbers_are_rounded_once() {
    let zeros = "0".repeat(4_000_000);
    for (dtype, one, tie) in [
        (DType::Half, 0x3C00, "1.00048828125"),
        (DType::Hifloat8, 0x08, "1.0625"),
    ] {
        for (more, bits) in [("", one), ("1", one + 1)] {
            let digits = format!("{}{zeros}{more}", tie.replace('.', ""));
            for text in [
                format!("{tie}{zeros}{more}"),
                format!("{digits}e-{}", digits.len() - 1),
                format!("0.{zeros}{digits}e{}", zeros.len() + 1),
            ] {
                assert_eq!(encode(dtype, &text), Ok(bits), "{dtype} of {tie}..{more}");
            }
        }
    }
}

#[test]
fn what_is_no_decimal_number_is_rejected() {
    for text in [
        "", "-", "+", ".", "e5", "1e", "0x10", "1_000", "infinity", "NAN", "-nan", "-NaN", "1 2",
        "1.5f", "--1", "1.2.3", "1e5e5", "1+1",
    ] {
        assert_eq!(
            encode(DType::Half, text),
            Err(FloatError::NotANumber),
            "{text}"
        );
        assert_eq!(
            encode(DType::Float, text),
            Err(FloatError::NotANumber),
            "{text}"
        );
    }
}

#[test]
fn special_values_where_the_type_has_them() {
    let cases = [
        (DType::Float, 0x7FC0_0000, Some(0x7F80_0000), 0x8000_0000),
        (DType::Half, 0x7E00, Some(0x7C00), 0x8000),
        (DType::Bfloat16, 0x7FC0, Some(0x7F80), 0x8000),
        (DType::Float8E5M2, 0x7E, Some(0x7C), 0x80),
        (DType::Float8E4M3, 0x7F, None, 0x80),
        (DType::Hifloat8, 0x80, Some(0x6F), 0x80),
    ];
    for (dtype, nan, infinity, sign) in cases {
        // As YAML has them, and JSON as Python writes it.
        for text in ["nan", ".nan", "NaN", ".NaN", ".NAN"] {
            assert_eq!(encode(dtype, text), Ok(nan), "{text} as {dtype}");
        }
        let expected = infinity.ok_or(FloatError::NoSuchValue);
        for text in ["inf", ".inf", "Infinity", ".Inf", ".INF"] {
            let negative = encode(dtype, &format!("-{text}"));
            assert_eq!(encode(dtype, text), expected, "{text} as {dtype}");
            assert_eq!(negative, expected.map(|bits| bits | sign), "-{text}");
        }
    }
    assert_eq!(
        encode(DType::Hifloat8, "-0.0"),
        Err(FloatError::NoSuchValue)
    );
}

/// Values worked out from the format's definition: sign, prefix, exponent
/// (sign and magnitude, leading one not stored), mantissa.
#[allow(
    clippy::unusual_byte_groupings,
    reason = "grouped as the format's fields are"
)]
#[test]
fn hifloat8_by_hand() {
    let cases = [
        ("0", 0x00),
        ("1", 0b0_0001_000), // no exponent bits
        ("1.875", 0b0_0001_111),
        ("2", 0b0_001_0_000), // 1 exponent bit: +1
        ("3.75", 0b0_001_0_111),
        ("0.5", 0b0_001_1_000), // -1
        ("0.9375", 0b0_001_1_111),
        ("4", 0b0_01_00_000),                 // 2 bits: +2
        ("8", 0b0_01_01_000),                 // +3
        ("0.25", 0b0_01_10_000),              // -2
        ("0.125", 0b0_01_11_000),             // -3
        ("16", 0b0_10_000_00),                // 3 bits: +4
        ("224", 0b0_10_011_11),               // 1.75 * 2^7
        ("0.0625", 0b0_10_100_00),            // -4
        ("256", 0b0_11_0000_0),               // 4 bits: +8
        ("384", 0b0_11_0000_1),               // 1.5 * 2^8
        ("32768", 0b0_11_0111_0),             // 2^15, the largest
        ("0.00390625", 0b0_11_1000_0),        // 2^-8
        ("0.000030517578125", 0b0_11_1111_0), // 2^-15
        ("0.0000152587890625", 0x07),         // 2^-16, the largest subnormal
        ("2.384185791015625e-7", 0x01),       // 2^-22, the smallest
        ("-1", 0x88),
        ("-32768", 0xEE),
        // Ties and what lies between.
        ("1.0625", 0b0_0001_000),        // halfway to 1.125
        ("1.1875", 0b0_0001_010),        // halfway from 1.125 to 1.25
        ("1.9375", 0b0_001_0_000),       // halfway from 1.875 to 2
        ("320", 0b0_11_0000_0),          // halfway from 256 to 384
        ("448", 0b0_11_0001_0),          // halfway from 384 to 512
        ("40959", 0b0_11_0111_0),        // below halfway to the value after the largest
        ("1.1920928955078125e-7", 0x00), // halfway from 0 to the smallest
        ("1.2e-7", 0x01),
        ("-1e-9", 0x00),
    ];
    for (text, bits) in cases {
        assert_eq!(encode(DType::Hifloat8, text), Ok(bits), "{text}");
    }
    assert_eq!(
        encode(DType::Hifloat8, "40961"),
        Err(FloatError::OutOfRange)
    );
    assert_eq!(encode(DType::Hifloat8, "1e9"), Err(FloatError::OutOfRange));
}
