#!/usr/bin/env python3
"""Makes CUDA core dumps that are hard to find in the field: run it in this folder.

Section types and rows are those of NVIDIA's "Public format description of the CUDA coredump". The slab is that of every
sample here: 48 bytes at 0x7f32a0008000, in an arena of 64 KiB of 0xaa at 0x7f32a0000000.
"""
import gzip
import pathlib
import struct

SLAB = bytes.fromhex("0700000009000000" "6400000000000000" "d007000000000000" "08000000" "0a000000"
                     "03000000" "00000000" "04000000" "05000000")
BASE = 0x7f32a0000000
ARENA = b"\xaa" * 0x8000 + SLAB + b"\xaa" * (0x8000 - len(SLAB))
STRTAB, NULL = 3, 0
GLOBAL, REGISTERS, DEVICES, CONTEXTS, META = (0x80000000 + n for n in (2, 5, 9, 10, 22))
NAMES = b"\0NVIDIA H100\0GH100\0sm_90\0synthetic (not a driver)\0"


def device(row_bytes):
    row = struct.pack("<QQQ12I", 1, 13, 19, 0, 1, 0, 132, 64, 32, 255, 7, 9, 0, 16, 0)
    return (row + bytes(row_bytes))[:row_bytes]


def context():
    return struct.pack("<QQQQII", 0x55aa0000, 0x7f3300000000, 0x7f3280000000, 0, 0, 4242)


def meta(flags):
    return struct.pack("<Q6I", 25, 580, 0, 13, 0, flags, 1730000000)


def core(sections, extended=False, bytes_there=None):
    """`sections`: (name, type, address, bytes, row bytes), or with the size that they claim behind that."""
    names = b"\0"
    body = bytearray(64)
    rows = [bytes(64)]
    for name, kind, address, data, row_bytes, *claimed in sections + [(".shstrtab", STRTAB, 0, None, 0)]:
        at = names.find(b"\0" + name.encode() + b"\0") + 1
        if at == 0:
            at = len(names)
            names += name.encode() + b"\0"
        data = names if data is None else data
        body += bytes(-len(body) % 8)
        rows.append(struct.pack("<IIQQQQIIQQ", at, kind, 0, address, len(body), (claimed or [len(data)])[0], 0, 0, 1,
                                row_bytes))
        body += data
    body += bytes(-len(body) % 8)
    count, last, table = len(rows), len(rows) - 1, len(body)
    if extended:
        rows[0] = struct.pack("<IIQQQQIIQQ", 0, NULL, 0, 0, 0, count, last, 0, 0, 0)
        count, last = 0, 0xffff
    body[:64] = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1\x33\7", 4, 190, 1, 0, 0, table, 0, 64, 0, 0, 64, count,
                            last)
    return bytes(body) + b"".join(rows)


def global_section(number, address, data, *claimed):
    return (f".cudbg.global.{number}", GLOBAL, address, data, 0, *claimed)


def tables(device_bytes=88):
    return [(".strtab", STRTAB, 0, NAMES, 0), (".cudbg.meta", META, 0, meta(0), 32),
            (".cudbg.devtbl", DEVICES, 0, device(device_bytes), device_bytes),
            (".cudbg.ctxtbl.dev0", CONTEXTS, 0, context(), 40)]


def size_past_eof():
    """The table in front, one section of 1 TiB behind it, of which the file holds the bytes up to the slab's end."""
    table = 64
    names = b"\0.shstrtab\0.cudbg.global.0\0"
    names_at = table + 3 * 64
    data_at = names_at + len(names) + -len(names) % 8
    rows = [bytes(64), struct.pack("<IIQQQQIIQQ", 1, STRTAB, 0, 0, names_at, len(names), 0, 0, 1, 0),
            struct.pack("<IIQQQQIIQQ", 11, GLOBAL, 0, BASE, data_at, 1 << 40, 0, 0, 1, 0)]
    header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1\x33\7", 4, 190, 1, 0, 0, table, 0, 64, 0, 0, 64, 3, 1)
    return (header + b"".join(rows) + names).ljust(data_at, b"\0") + ARENA[:0x8000 + len(SLAB)]


def main():
    folder = pathlib.Path(__file__).resolve().parent / "cuda"
    at = 0x8010
    hole = tables() + [global_section(0, BASE, ARENA[:at]), global_section(1, BASE + at + 16, ARENA[at + 16:])]
    (folder / "split_hole.nvcudmp").write_bytes(core(hole))
    old = [each for each in tables(72) if each[1] != META] + [global_section(0, BASE, ARENA)]
    (folder / "old_r346_no_meta.nvcudmp").write_bytes(core(old))
    (folder / "size_past_eof.nvcudmp").write_bytes(size_past_eof())
    lanes = [(".cudbg.regs", REGISTERS, 0, b"", 0)] * 65400
    many = core(tables() + lanes + [global_section(0, BASE, ARENA)], extended=True)
    (folder / "extended_numbering_65407_sections.nvcudmp.gz").write_bytes(gzip.compress(many, mtime=0))
    arena = gzip.compress(ARENA[:0x9000], mtime=0) + gzip.compress(ARENA[0x9000:], mtime=0)
    (folder.parent / "compressed" / "two_members.bin.gz").write_bytes(arena)


if __name__ == "__main__":
    main()
