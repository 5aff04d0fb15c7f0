"""What the samples of torch, of cores and of texts hold, found with Python's pickle, struct and re alone."""
import collections
import io
import itertools
import pickle
import re
import struct
import zipfile

TYPES = {"ByteStorage": ("torch.uint8", 1), "IntStorage": ("torch.int32", 4), "LongStorage": ("torch.int64", 8)}


# --- torch ---------------------------------------------------------------------------------------

class Unpickler(pickle.Unpickler):
    """A tensor becomes (type, shape, bytes); a class of storages its name."""

    def __init__(self, data, storages):
        super().__init__(io.BytesIO(data))
        self.storages = storages

    def find_class(self, module, name):
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return tensor
        if (module, name) == ("collections", "OrderedDict"):
            return collections.OrderedDict
        if module == "torch" and name in TYPES:
            return name
        raise pickle.UnpicklingError(f"{module}.{name}")

    def persistent_load(self, pid):
        what, kind, key, _, count = pid
        assert what == "storage" and count * TYPES[kind][1] == len(self.storages[key])
        return kind, self.storages[key]


def tensor(storage, offset, shape, strides, *_):
    (kind, width), data = TYPES[storage[0]], storage[1]
    places = (offset + sum(index * stride for index, stride in zip(at, strides))
              for at in itertools.product(*map(range, shape)))
    return kind, list(shape), b"".join(data[width * place:width * place + width] for place in places)


def torch_regions(path):
    with zipfile.ZipFile(path) as archive:
        folder = next(name for name in archive.namelist() if name.endswith("/data.pkl"))[:-len("data.pkl")]
        storages = {name[len(folder + "data/"):]: archive.read(name) for name in archive.namelist()
                    if name.startswith(folder + "data/")}
        tree = Unpickler(archive.read(folder + "data.pkl"), storages).load()
    made = {f"data/{key}": (None, None, data) for key, data in storages.items()}
    return {**made, **(tree if isinstance(tree, dict) else {"tensor": tree})}


# --- ELF -----------------------------------------------------------------------------------------

MEMORY = {0x80000001, 0x80000002}  # of the device, managed and global; regions with an address
OF_BLOCKS = {0x80000003, 0x80000004, 0x80000012}  # local, shared, parameters


def elf_regions(path):
    """name -> (address, bytes)."""
    data = path.read_bytes()
    sections, = struct.unpack_from("<Q", data, 40)
    segments, = struct.unpack_from("<Q", data, 32)
    segment_count, _, section_count, names = struct.unpack_from("<HHHH", data, 56)
    if not section_count:
        rows = (struct.unpack_from("<IIQQQQ", data, segments + 56 * index) for index in range(segment_count))
        return {f"load {index}": (address, data[offset:offset + size])
                for index, (kind, _, offset, address, _, size) in enumerate(rows) if kind == 1 and size}
    rows = [struct.unpack_from("<IIQQQQ", data, sections + 64 * index) for index in range(section_count)]
    texts = rows[names][4]
    return {data[texts + name:data.index(b"\0", texts + name)].decode():
            (address if kind in MEMORY else None, data[offset:offset + size])
            for name, kind, _, address, offset, size in rows if kind in MEMORY | OF_BLOCKS}


# --- text ----------------------------------------------------------------------------------------

def rows_of(text, pattern, width, base):
    """Memory as {address: byte} of rows that `pattern` splits into address and numbers of `width` bytes each, little-endian.
    A '*' repeats the row before it up to the next address."""
    memory, repeated, before, end = {}, False, b"", 0
    for line in text.splitlines():
        if line.strip() == "*":
            repeated = True
            continue
        found = re.match(pattern, line)
        if not found:
            continue
        address = int(found.group(1), base)
        while repeated and end < address:
            memory.update(zip(range(end, address), before))
            end += len(before)
        repeated = False
        digits = re.sub(r"\s|0x", "", found.group(2) or "")
        numbers = [bytes.fromhex(digits[at:at + 2 * width])[::-1] for at in range(0, len(digits), 2 * width)]
        before = b"".join(numbers)
        memory.update(zip(range(address, address + len(before)), before))
        end = address + len(before)
    return memory


TEXTS = {  # the sample: (options, pattern of a row, bytes of a number)
    "text/hexdump_C.txt": ([], r"([0-9a-f]{8})((?: {1,2}[0-9a-f]{2})*)", 1),
    "text/hexdump_vC.txt": ([], r"([0-9a-f]{8})((?: {1,2}[0-9a-f]{2})*)", 1),
    "text/hexdump_default_u16_words.txt": (["--unit", "2"], r"([0-9a-f]{7})((?: [0-9a-f]{4})*)", 2),
    "text/od_Ax_tx4.txt": (["--unit", "4"], r"([0-9a-f]{6})((?: [0-9a-f]{8})*)", 4),
    "text/od_Ax_tx1z.txt": (["--unit", "1"], r"([0-9a-f]{6})((?: [0-9a-f]{2})*)", 1),
    "text/xxd.txt": ([], r"([0-9a-f]{8}):((?: [0-9a-f]{4})*)", 1),
    "text/xxd_g4.txt": ([], r"([0-9a-f]{8}):((?: [0-9a-f]{8})*)", 1),
    "text/xxd_autoskip_upper.txt": ([], r"([0-9a-f]{8}):((?: [0-9A-F]{4})*)", 1),
    "text/xxd_c8_s0x40.txt": ([], r"([0-9a-f]{8}):((?: [0-9a-f]{4})*)", 1),
    "text/xxd_e_little_endian_words.txt": (["--container", "xxd-e"], r"([0-9a-f]{8}):((?: [0-9a-f]{8})*)", 4),
}


def text_regions(path, pattern, width):
    """name -> bytes, of addresses that follow each other."""
    memory, made, begin = rows_of(path.read_text(), pattern, width, 16), {}, None
    for address in sorted(memory):
        if begin is None or address != begin + len(made[hex(begin)]):
            begin = address
            made[hex(begin)] = b""
        made[hex(begin)] += bytes([memory[address]])
    return made


def gdb_memory(path):
    """{address: byte} of the lines of x/ whose numbers say how wide they are."""
    memory = {}
    for line in path.read_text().splitlines():
        found = re.match(r"(0x[0-9a-f]+)(?: <.*>)?:((?:\t0x(?:[0-9a-f]{2}){1,8})+)$", line)
        if not found:
            continue
        numbers = [bytes.fromhex(each[2:])[::-1] for each in found.group(2).split()]
        memory.update(zip(itertools.count(int(found.group(1), 16)), b"".join(numbers)))
    return memory


def verilog_memory(path):
    memory, address = {}, None
    for word in path.read_text().split():
        if word.startswith("@"):
            address = int(word[1:], 16)
        else:
            memory[address] = int(word, 16)
            address += 1
    return memory


def plain_bytes(path):
    return bytes.fromhex("".join(path.read_text().split()))
