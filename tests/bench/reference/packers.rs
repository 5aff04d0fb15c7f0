// A decode slab in Rust, the way of the packer that slabscope's layouts come from: a zeroed vector,
// then four bytes at a time.

#[repr(C)]
pub struct Columns {
    position: *const u32,
    seq_slot: *const i32,
    slot: *const i64,
    seq_len: *const i32,
    tables: *const i32, // of all rows, back to back
    rows: usize,
    max_blocks: usize,
}

/// # Safety
/// The columns have `rows` elements, the tables `rows * max_blocks`; `out` is null or has room for the slab.
#[no_mangle]
pub unsafe extern "C" fn rust_pack_decode(columns: &Columns, out: *mut u8) {
    let slab = pack(columns);
    if !out.is_null() {
        std::ptr::copy_nonoverlapping(slab.as_ptr(), out, slab.len());
    }
    std::hint::black_box(&slab);
}

unsafe fn pack(columns: &Columns) -> Vec<u8> {
    let rows = columns.rows;
    let capacity = rows.max(32);
    let mut slab = vec![0u8; 24 * capacity + 4 * capacity * columns.max_blocks];
    let put = |slab: &mut Vec<u8>, at: usize, bytes: &[u8]| {
        slab[at..at + bytes.len()].copy_from_slice(bytes);
    };
    let tables = std::slice::from_raw_parts(columns.tables, rows * columns.max_blocks);
    for row in 0..rows {
        put(&mut slab, 4 * row, &(*columns.position.add(row)).to_le_bytes());
        put(&mut slab, 4 * capacity + 4 * row, &(*columns.seq_slot.add(row)).to_le_bytes());
        put(&mut slab, 8 * capacity + 8 * row, &(*columns.slot.add(row)).to_le_bytes());
        put(&mut slab, 16 * capacity + 4 * row, &(*columns.seq_len.add(row)).to_le_bytes());
        let at = 24 * capacity + 4 * row * columns.max_blocks;
        let table = &tables[row * columns.max_blocks..(row + 1) * columns.max_blocks];
        for (index, block) in table.iter().enumerate() {
            put(&mut slab, at + 4 * index, &block.to_le_bytes());
        }
    }
    slab
}
