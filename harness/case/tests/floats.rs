//! Float literals against LLVM's arithmetic, and HiFloat8 against its definition.

use ptodiff_case::float::{FloatError, encode};
use ptodiff_isa::DType;
use rustc_apfloat::ieee::{BFloat, Float8E4M3FN, Float8E5M2, Half, Single};
use rustc_apfloat::{Float, Round, Status};

/// What the text should become: bits, or nothing where it overflows.
fn oracle<F: Float>(text: &str) -> Option<u64> {
    let rounded = F::from_str_r(text, Round::NearestTiesToEven).unwrap();
    let overflow = rounded.status.contains(Status::OVERFLOW)
        || rounded.value.is_infinite()
        || rounded.value.is_nan();
    (!overflow).then(|| u64::try_from(rounded.value.to_bits()).unwrap())
}

fn agree(text: &str) {
    let check = |dtype, expected: Option<u64>| {
        let expected = expected.ok_or(FloatError::OutOfRange);
        assert_eq!(encode(dtype, text), expected, "{text} as {dtype}");
    };
    check(DType::Half, oracle::<Half>(text));
    check(DType::Bfloat16, oracle::<BFloat>(text));
    check(DType::Float, oracle::<Single>(text));
    check(DType::Float8E4M3, oracle::<Float8E4M3FN>(text));
    check(DType::Float8E5M2, oracle::<Float8E5M2>(text));
}

/// Every half there is, the ties between neighbours, and texts a hair off them.
#[test]
fn all_of_half_and_its_ties() {
    let value = |code: u16| {
        let exponent = i32::from(code >> 10);
        let fraction = f64::from(code & 0x3FF) / 1024.0;
        match exponent {
            0 => fraction * 2.0_f64.powi(-14),
            _ => (1.0 + fraction) * 2.0_f64.powi(exponent - 15),
        }
    };
    for code in 0..0x7BFF_u16 {
        let exact = format!("{:.30}", value(code));
        assert_eq!(encode(DType::Half, &exact), Ok(u64::from(code)));
        let tie = f64::midpoint(value(code), value(code + 1));
        let even = u64::from(code + code % 2);
        let tie = format!("{tie:.30}");
        assert_eq!(encode(DType::Half, &tie), Ok(even), "{tie}");
        // Too near to the tie for any f64 to tell.
        let above = format!("{tie}00000000000000000000000000000001");
        assert_eq!(
            encode(DType::Half, &above),
            Ok(u64::from(code) + 1),
            "{above}"
        );
    }
}

#[test]
fn numbers_around_every_edge() {
    let edges = "
        0 -0 -0.0 1 -1 1.5 0.1 -3 +2 1e-3 1E2 .5 5. 448 464 464.0000000000000000000000001
        463.99999999999999999999 465 480 57344 61439.9999999999999999999 61440 65504
        65519.99999999999999999999 65520 65536 3.38953138925153547590470800371487866880e38
        3.3961775292304601e38 3.4028234663852886e38 3.4028235677973365e38 3.4028235677973367e38
        1e39 1e400 1e-10 1e-40 1e-45 7e-46 1e-400 0.0009765625 0.00048828125
        0.000976562500000000000000000000001 0.001953125 2.98023223876953125e-8
        2.980232238769531250000000000000000000001e-8 5.9604644775390625e-8 4.59177480789956e-41
        4.5917748078995606e-41 9.183549615799121e-41 1.00048828125
        1.000488281250000000000000000001 1.0004882812499999999999999999 1.00390625
        1.0039062500000000000000000000000000000000001 1.01171875
    ";
    for text in edges.split_whitespace() {
        agree(text);
    }
}

/// All values of a grid finer than every small format, as exact decimals.
#[test]
fn a_grid_over_all_binades() {
    for exponent in -30..20 {
        for step in 0..64 {
            let value = (1.0 + f64::from(step) / 64.0) * 2.0_f64.powi(exponent);
            agree(&format!("{value:.40}"));
            agree(&format!("-{value:.40}"));
        }
    }
}

#[test]
fn what_is_no_decimal_number_is_rejected() {
    for text in [
        "", "-", "+", ".", "e5", "1e", "0x10", "1_000", "infinity", "NaN", "-nan", "1 2", "1.5f",
        "--1",
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
        assert_eq!(encode(dtype, "nan"), Ok(nan), "{dtype}");
        assert_eq!(encode(dtype, ".nan"), Ok(nan), "{dtype}");
        let expected = infinity.ok_or(FloatError::NoSuchValue);
        assert_eq!(encode(dtype, "inf"), expected, "{dtype}");
        assert_eq!(
            encode(dtype, "-.inf"),
            expected.map(|bits| bits | sign),
            "{dtype}"
        );
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
