//! What is packed says what the record says.

use ptodiff_report::html::BLOCK;
use serde_json::json;

use super::{
    read::{packed, page, unpacked},
    records,
};

#[test]
fn every_case_stands_in_its_block_as_in_the_record() {
    let cases = records::mixed();
    let page = page(&cases);
    // Some of them stand in a second block.
    assert!(cases.len() > BLOCK);
    for (n, block) in cases.chunks(BLOCK).enumerate() {
        assert_eq!(unpacked(&page, &n.to_string()), json!(block));
    }
    assert!(packed(&page, &cases.len().div_ceil(BLOCK).to_string()).is_none());
}
