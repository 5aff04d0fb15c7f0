"""Dumps that are too large, or too little different from each other, to be kept as files.

MADE maps a name to a function that returns the bytes; `made_dumps.py NAME..` writes them into the current folder, and
`made_dumps.py --all FOLDER` those that are below 100 KB. All are written out after the formats' documentation.
"""
import gzip
import io
import pathlib
import struct
import sys
import zipfile

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden" / "dumps"
SLAB = (GOLDEN / "raw" / "slab.bin").read_bytes()
ARENA = (GOLDEN / "raw" / "arena_aa_64k_at_0x8000.bin").read_bytes()
BASE = 0x7F32A0000000
AT = 0x8000  # of the slab in the arena

GLOBAL, DEVICES, META = 0x80000002, 0x80000009, 0x80000016


# --- CUDA cores ----------------------------------------------------------------------------------

def section(name, kind, address, offset, size, entry=0):
    return struct.pack("<IIQQQQIIQQ", name, kind, 0, address, offset, size, 0, 0, 1, entry)


def cuda_core(sections, tail=b"", extended=False, spare=0):
    """`sections`: (type, address, bytes, size or None, entry size). The table stands in front of `tail`."""
    names = b"\0.cudbg\0.shstrtab\0"
    table = [section(0, 0, 0, 0, 0)]
    body = b""
    for kind, address, data, size, entry in sections:
        table.append(section(1, kind, address, 64 + len(body), len(data) if size is None else size, entry))
        body += data
    table += [section(1, 0x80000008, 0, 0, 0)] * spare  # empty backtraces
    table.append(section(8, 3, 0, 64 + len(body), len(names)))
    body += names
    body += b"\0" * (-len(body) % 8)
    count, strings = len(table), len(table) - 1
    if extended:
        # The real numbers stand in the first section header.
        table[0] = struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, count, strings, 0, 0, 0)
        count, strings = 0, 0xFFFF
    header = b"\x7fELF\x02\x01\x01\x33\x07" + b"\0" * 7
    header += struct.pack("<HHIQQQIHHHHHH", 4, 190, 1, 0, 0, 64 + len(body), 0, 64, 0, 0, 64, count, strings)
    return header + body + b"".join(table) + tail


def device_row(size):
    return struct.pack("<QQQ12I", 0, 0, 0, 0, 1, 0, 132, 64, 32, 255, 7, 9, 0, 16, 0).ljust(size, b"\0")


def arena_section():
    return (GLOBAL, BASE, ARENA, None, 0)


def split_hole():
    split = AT + 16
    return cuda_core([(META, 0, bytes(32), None, 32), (GLOBAL, BASE, ARENA[:split], None, 0),
                      (GLOBAL, BASE + split + 16, ARENA[split + 16:], None, 0)])


def old_r346_no_meta():
    return cuda_core([(DEVICES, 0, device_row(72), None, 72), arena_section()])


def extended_numbering():
    return gzip.compress(cuda_core([(META, 0, bytes(32), None, 32), arena_section()], extended=True, spare=65407 - 4),
                         mtime=0)


def size_past_eof():
    """The section says 1 TiB; the file ends with the slab."""
    table = struct.calcsize("<IIQQQQIIQQ") * 4
    names = b"\0.cudbg\0.shstrtab\0".ljust(24, b"\0")
    memory = 64 + table + len(names)
    header = b"\x7fELF\x02\x01\x01\x33\x07" + b"\0" * 7
    header += struct.pack("<HHIQQQIHHHHHH", 4, 190, 1, 0, 0, 64, 0, 64, 0, 0, 64, 4, 3)
    return (header + section(0, 0, 0, 0, 0) + section(1, META, 0, 64 + table, 0, 32) +
            section(1, GLOBAL, BASE, memory, 1 << 40) + section(8, 3, 0, 64 + table, 18) + names +
            ARENA[:AT] + SLAB)


def amd_core(memory):
    """The sample's headers and note, with other memory behind them."""
    sample = (GOLDEN / "amd" / "gpucore.4242").read_bytes()[:0xD4]
    load = struct.pack("<IIQQQQQQ", 1, 6, len(sample), BASE, 0, len(memory), len(memory), 12)
    return sample[:64 + 56] + load + sample[64 + 112:] + memory


def small_cores():
    """(kind, bytes) of cores that a fuzzer can take."""
    memory = SLAB * 4
    meta, device = (META, 0, bytes(32), None, 32), (DEVICES, 0, device_row(88), None, 88)
    halves = [(GLOBAL, BASE + 100, memory[100:], None, 0), (GLOBAL, BASE, memory[:100], None, 0)]
    yield "cuda-core", cuda_core([meta, device, (GLOBAL, BASE, memory, None, 0)])
    yield "cuda-core", cuda_core([meta, *halves])
    yield "cuda-core", cuda_core([(GLOBAL, BASE, memory, 1 << 40, 0)])
    yield "cuda-core", cuda_core([meta, (GLOBAL, BASE, memory, None, 0)], extended=True)
    yield "elf-core", amd_core(memory)


# --- compressed ----------------------------------------------------------------------------------

def two_gzip_members():
    return gzip.compress(ARENA[:0x8010], mtime=0) + gzip.compress(ARENA[0x8010:], mtime=0)


def large_arena():
    """More than a reader holds at once."""
    return ARENA * 8


def large_arena_gz():
    return gzip.compress(large_arena(), mtime=0)


def raw_zstd_frame(data):
    """A frame of uncompressed blocks, without the size of its content."""
    frame = b"\x28\xb5\x2f\xfd" + bytes([0x00, 0x58])
    blocks = [data[at:at + 65536] for at in range(0, len(data), 65536)] or [b""]
    for number, block in enumerate(blocks):
        head = len(block) << 3 | (number == len(blocks) - 1)
        frame += head.to_bytes(3, "little") + block
    return frame


def two_zstd_frames():
    return raw_zstd_frame(ARENA[:0x8010]) + raw_zstd_frame(ARENA[0x8010:])


def large_arena_zst():
    return raw_zstd_frame(large_arena())


# --- numpy and safetensors -----------------------------------------------------------------------

def npy(descr, shape, data, version=1, fortran=False):
    header = str({"descr": descr, "fortran_order": fortran, "shape": shape})
    length = 2 if version == 1 else 4
    pad = -(8 + length + len(header) + 1) % 64
    header += " " * pad + "\n"
    return (b"\x93NUMPY" + bytes([version, 0]) + len(header).to_bytes(length, "little") +
            header.encode("utf-8" if version == 3 else "latin1") + data)


def npy_v3():
    return npy("|u1", (48,), SLAB, version=3)


def npy_big_endian():
    words = struct.unpack("<12I", SLAB)
    return npy(">u4", (12,), struct.pack(">12I", *words))


def npy_i64():
    return npy("<i8", (6,), SLAB)


def safetensors_header_2_62():
    return struct.pack("<Q", 1 << 62) + b'{"a":{"dtype":"U8","shape":[48],"data_offsets":[0,48]}}' + SLAB


# --- torch ---------------------------------------------------------------------------------------

class Storage:
    """A storage as torch's pickles name it."""

    def __init__(self, kind, key, data, width):
        self.kind, self.key, self.data, self.width = kind, key, data, width


class Tensor:
    def __init__(self, storage, offset, size, stride):
        self.storage, self.offset, self.size, self.stride = storage, offset, size, stride


def text(value):
    data = value.encode()
    return b"X" + struct.pack("<I", len(data)) + data


def number(value):
    return b"J" + struct.pack("<i", value)


def tuple_of(*values):
    return b"(" + b"".join(values) + b"t"


def pickled(value):
    """Protocol 2, with the opcodes that torch.save writes."""
    if isinstance(value, Tensor):
        storage = value.storage
        key = tuple_of(text("storage"), b"ctorch\n" + storage.kind.encode() + b"\n", text(storage.key), text("cpu"),
                       number(len(storage.data) // storage.width)) + b"Q"
        arguments = tuple_of(key, number(value.offset), tuple_of(*map(number, value.size)),
                             tuple_of(*map(number, value.stride)), b"\x89", b"ccollections\nOrderedDict\n)R")
        return b"ctorch._utils\n_rebuild_tensor_v2\n" + arguments + b"R"
    if isinstance(value, dict):
        return b"}(" + b"".join(text(key) + pickled(each) for key, each in value.items()) + b"u"
    if isinstance(value, list):
        return b"](" + b"".join(map(pickled, value)) + b"e"
    return number(value)


def torch_file(value, storages):
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_STORED) as archive:
        for name, data in [("data.pkl", b"\x80\x02" + pickled(value) + b".")] + [
                (f"data/{each.key}", each.data) for each in storages] + [("version", b"3\n")]:
            archive.writestr(zipfile.ZipInfo(f"made/{name}", (1980, 1, 1, 0, 0, 0)), data)
    return into.getvalue()


def torch_view_into_arena():
    storage = Storage("ByteStorage", "0", ARENA, 1)
    return torch_file(Tensor(storage, AT, [48], [1]), [storage])


def torch_list_in_dict():
    storage = Storage("ByteStorage", "0", ARENA, 1)
    slab = Storage("ByteStorage", "1", SLAB, 1)
    return torch_file({"step": 3, "slabs": [Tensor(storage, AT, [48], [1]), Tensor(slab, 0, [48], [1])]}, [storage, slab])


def torch_transposed():
    """Element [i][j] of a 2 by 6 tensor of the slab's words is word 6*i + j; the storage has it at 2*j + i."""
    words = struct.unpack("<12i", SLAB)
    stored = struct.pack("<12i", *(words[6 * i + j] for j in range(6) for i in range(2)))
    storage = Storage("IntStorage", "0", stored, 4)
    return torch_file(Tensor(storage, 0, [2, 6], [1, 2]), [storage])


def torch_unknown_global():
    payload = b"\x80\x02cos\nsystem\n" + text("true") + b"\x85R."
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_STORED) as archive:
        for name, data in [("data.pkl", payload), ("data/0", SLAB), ("version", b"3\n")]:
            archive.writestr(zipfile.ZipInfo(f"made/{name}", (1980, 1, 1, 0, 0, 0)), data)
    return into.getvalue()


# --- text ----------------------------------------------------------------------------------------

def hexdump_of_arena():
    lines = []
    before = None
    for at in range(0, len(ARENA), 16):
        row = ARENA[at:at + 16]
        if row == before:
            if lines[-1] != "*":
                lines.append("*")
            continue
        before = row
        shown = "".join(chr(each) if 32 <= each < 127 else "." for each in row)
        lines.append(f"{at:08x}  {row[:8].hex(' ')}  {row[8:].hex(' ')}  |{shown}|")
    return ("\n".join(lines) + f"\n{len(ARENA):08x}\n").encode()


def xxd_at_address():
    lines = []
    for at in range(0, len(SLAB), 16):
        row = SLAB[at:at + 16]
        words = " ".join(row[i:i + 2].hex() for i in range(0, 16, 2))
        shown = "".join(chr(each) if 32 <= each < 127 else "." for each in row)
        lines.append(f"{BASE + AT + at:08x}: {words}  {shown}\n")
    return "".join(lines).encode()


def gdb_cannot_access():
    return (f"{BASE + AT:#x}:\t0x00000007\t0x00000009\n"
            f"Cannot access memory at address {BASE + AT + 8:#x}\n").encode()


def gdb_disagrees():
    return (f"{BASE + AT:#x}:\t0x00000007\t0x00000009\n{BASE + AT + 4:#x}:\t0x0000000a\n").encode()


def gdb_lone_decimals():
    return f"{BASE + AT:#x}:\t7\t9\t100\t0\n".encode()


MADE = {each.__name__: each for each in (
    split_hole, old_r346_no_meta, extended_numbering, size_past_eof, large_arena_gz, large_arena_zst, two_gzip_members,
    two_zstd_frames, npy_v3, npy_big_endian, npy_i64, safetensors_header_2_62, torch_view_into_arena, torch_list_in_dict, torch_transposed,
    torch_unknown_global, hexdump_of_arena, xxd_at_address, gdb_cannot_access, gdb_disagrees, gdb_lone_decimals)}

if __name__ == "__main__":
    if sys.argv[1] == "--all":
        folder = pathlib.Path(sys.argv[2])
        folder.mkdir(parents=True, exist_ok=True)
        for name, make in MADE.items():
            if name != "extended_numbering":  # megabytes, once they are inflated; small_cores() has one
                (folder / name).write_bytes(make())
        for number, (_, data) in enumerate(small_cores()):
            (folder / f"small_core_{number}").write_bytes(data)
        sys.exit()
    for wanted in sys.argv[1:]:
        pathlib.Path(wanted).write_bytes(MADE[wanted]())
