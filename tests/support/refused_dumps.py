"""Dumps that are refused, one for each thing that can be wrong: `refused_dumps.py FAMILY` writes them into the folder FAMILY of the
current one, and FAMILY/list with a line `NAME COMMAND..` for each. What is wrong with a file is its name.
"""
import io
import json
import pathlib
import struct
import sys
import zipfile
import zlib

import made_dumps
from made_dumps import npy, number, text, tuple_of
from refused_texts import REGIONS, text_families

READ = ["decode", "-l", "all.json"]
ALL = {"name": "all", "params": {"n": {"doc": "bytes"}}, "fields": [{"name": "bytes", "type": "u8", "shape": ["n"]}]}


# --- zip -----------------------------------------------------------------------------------------

def local(name, data, size, crc, method=0, flags=0, packed=None, extra=b""):
    return struct.pack("<IHHHHHIIIHH", 0x04034b50, 20, flags, method, 0, 0, crc, len(data) if packed is None else packed, size,
                       len(name), len(extra)) + name + extra + data


def entry(name, size, crc, method=0, flags=0, packed=None, at=0, disk=0, extra=b"", signature=0x02014b50):
    return struct.pack("<IHHHHHHIIIHHHHHII", signature, 20, 20, flags, method, 0, 0, crc, size if packed is None else packed, size,
                       len(name), len(extra), 0, disk, 0, 0, at) + name + extra


def end(count, size, at, disk=0, total=None):
    return struct.pack("<IHHHHIIH", 0x06054b50, disk, disk, count, count if total is None else total, size, at, 0)


def end64(count, size, at, record_at, signature=0x06064b50, disk=0, total=None, disks=1, record=None):
    record_end = struct.pack("<IQHHIIQQQQ", signature, 44, 45, 45, disk, 0, count, count if total is None else total, size, at)
    return record_end + struct.pack("<IIQI", 0x07064b50, 0, record_at if record is None else record, disks)


def zip_families():
    body = local(b"a", b"data", 4, zlib.crc32(b"data"))
    good = entry(b"a", 4, zlib.crc32(b"data"))
    at, size = len(body), len(good)

    def with_entry(one, count=1, first=body):
        return first + one + end(count, len(one), len(first))

    def one(**other):
        return with_entry(entry(b"a", 4, zlib.crc32(b"data"), **other))

    def wide(**other):
        record = at + size
        return body + good + end64(1, size, at, record, **other) + end(1, size, at)

    def deflated(data, size, crc=None):
        crc = zlib.crc32(b"data" * 50) if crc is None else crc
        return with_entry(entry(b"a", size, crc, 8, packed=len(data)), first=local(b"a", data, size, crc, 8))

    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(b"data" * 50) + packer.flush()
    late = zlib.compressobj(0, zlib.DEFLATED, -15)
    blocks = late.compress(b"data" * 50) + late.flush()
    yield "cut_off", body + good, REGIONS
    yield "a_first_disk_of_two", body + good + end(1, size, at, disk=1), REGIONS
    yield "one_member_of_two_here", body + good + end(1, size, at, total=2), REGIONS
    yield "two_disks_by_the_locator", wide(disks=2), REGIONS
    yield "two_disks_by_the_record", wide(disk=1), REGIONS
    yield "a_locator_that_points_behind_itself", wide(record=1 << 40), REGIONS
    yield "a_locator_that_points_at_no_record", wide(signature=0), REGIONS
    yield "two_end_records_that_differ", body + good + end64(1, size, at, at + size) + end(2, size, at), REGIONS
    yield "a_directory_elsewhere", body + good + end(1, size, at - 1), REGIONS
    yield "two_million_members", body + good + end64(1 << 21, size, at, at + size) + end(0xffff, size, at), REGIONS
    yield "nine_members_in_the_space_of_one", body + good + end(9, size, at), REGIONS
    yield "one_member_in_the_space_of_two", with_entry(good + good), REGIONS
    yield "an_entry_of_another_signature", one(signature=0), REGIONS
    yield "an_entry_that_goes_on_behind_the_directory", with_entry(good[:28] + b"\xff\xff" + good[30:]), REGIONS
    yield "a_size_that_stands_nowhere", one(packed=0xffffffff), REGIONS
    yield "a_name_of_no_letter", with_entry(entry(b"", 4, 0)), REGIONS
    yield "a_name_with_a_zero", with_entry(entry(b"a\0", 4, 0)), REGIONS
    yield "encrypted", one(flags=1), REGIONS
    yield "compressed_by_lzma", one(method=14), REGIONS
    yield "an_entry_of_another_disk", one(disk=1), REGIONS
    yield "stored_and_smaller_than_itself", one(packed=3), REGIONS
    yield "deflated_too_well_to_be_true", with_entry(entry(b"a", 1 << 20, 0, 8, packed=4)), REGIONS
    yield "two_members_of_one_name", with_entry(good + entry(b"a", 4, 0, at=at), 2, body + body), REGIONS
    yield "a_member_that_reaches_into_the_directory", one()[:at] + entry(b"a", 400, 0) + end(1, size, at), REGIONS
    yield "no_header_where_the_directory_says", b"\0" * 4 + one()[4:], ["regions", "--container", "zip"]
    yield "a_header_of_another_name", one().replace(b"a", b"b", 1), REGIONS
    yield "a_header_with_an_extra_field_into_the_next", one()[:28] + b"\x08\0" + one()[30:], REGIONS
    yield "more_than_max_inflate", deflated(packed, 200), [*READ, "--max-inflate", "100"]
    for name, data, size, crc in (
            ("deflated_less_than_was_said", packed, 201, None), ("deflated_more_than_was_said", packed, 199, None),
            ("deflated_and_cut", blocks[:100], 200, None), ("deflated_and_damaged", b"\xff" * 20, 200, None),
            ("deflated_and_its_last_block_missing", b"\0" + blocks[1:], 200, None),
            ("deflated_and_more_behind_it", packed + b"more", 200, None), ("another_checksum", packed, 200, 1)):
        yield name, deflated(data, size, crc), [*READ, "--container", "zip", "-D", f"n={size}"]


# --- npy -----------------------------------------------------------------------------------------

def npy_of(header, data=b""):
    line = header.encode()
    line += b" " * (-(11 + len(line)) % 64) + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(line)) + line + data


def array(descr, shape="(1,)", data=b""):
    return npy_of(f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}", data)


def npy_families():
    yield "version_4", b"\x93NUMPY\4\0" + bytes(10), REGIONS
    yield "a_header_of_2_MiB", b"\x93NUMPY\2\0" + struct.pack("<I", 2 << 20), REGIONS
    yield "cut_in_the_header", npy("|u1", (48,), b"")[:100], REGIONS
    yield "cut_in_the_array", npy("|u1", (48,), bytes(40)), REGIONS
    yield "more_than_64_bits_of_bytes", array("'<i8'", "(4294967296, 4294967296)"), REGIONS
    yield "a_field_of_more_than_64_bits", array("[('a', '|S0', (4,))]", "(9223372036854775807,)"), REGIONS
    yield "a_field_at_more_than_64_bits", array("[('a', '|V1', (18446744073709551615,)), ('b', '|u1', (0,))]", "(0,)"), REGIONS
    yield "a_field_of_65_dimensions", array("[('a', '|u1', (1,))]", "(" + "1," * 64 + ")", b"x"), REGIONS
    yield "65_dimensions", array("'|u1'", "(" + "1," * 65 + ")", b"x"), REGIONS
    name = "n" * 50000
    deep = "[" + ", ".join(f"('{index}', '|u1')" for index in range(400)) + "]"
    yield "names_of_20_MB", b"\x93NUMPY\2\0" + wide_header(f"[('{name}', {deep})]"), REGIONS
    yield "records_in_records_too_deep", array("[('a', " * 70 + "'|u1'" + ")]" * 70), REGIONS
    for name, header in (
            ("no_dictionary", "[]"), ("no_colon", "{'descr' '<i4'}"), ("no_comma", "{'descr': '<i4'; }"),
            ("no_key", "{'descr': '<i4', 7"), ("a_key_twice", "{'descr': '<i4', 'descr': '<i4'}"),
            ("a_key_missing", "{'descr': '<i4', 'fortran_order': False, }"), ("an_unknown_key", "{'type': '<i4'}"),
            ("no_type", "{'descr': 4}"), ("a_string_without_end", "{'descr': '<i4}"), ("an_escape", "{'descr': '<i\\x34'}"),
            ("a_width_that_is_none", "{'descr': '<i3'}"), ("a_type_that_is_none", "{'descr': '<z4'}"),
            ("a_width_in_hexadecimal", "{'descr': '<i0x4'}"), ("no_byte_order", "{'descr': '|i4'}"),
            ("a_unit_without_end", "{'descr': '<M8[ns'}"), ("no_fields", "{'descr': []}"),
            ("a_field_without_a_type", "{'descr': [('a')]}"), ("a_field_without_end", "{'descr': [('a', '<i4'}"),
            ("no_field_name", "{'descr': [(4, '<i4')]}"), ("no_field", "{'descr': [4]}"),
            ("a_name_without_end", "{'descr': [(('a', 'b'], '<i4')]}"),
            ("fields_without_end", "{'descr': [('a', '<i4') ('b', '<i4')]}"),
            ("a_field_twice", "{'descr': [('a', '<i4'), ('a', '<i4')]}"),
            ("a_record_of_more_than_64_bits", "{'descr': [('a', '<i8', (4294967296, 4294967296))]}"),
            ("an_order_that_is_none", "{'fortran_order': 0}"), ("no_shape", "{'shape': 3}"), ("a_shape_of_no_tuple", "{'shape': (3)}"),
            ("a_negative_dimension", "{'shape': (-3,)}"), ("a_dimension_with_a_zero", "{'shape': (03,)}"),
            ("a_shape_without_end", "{'shape': (3 4)}"),
            ("text_behind_it", "{'descr': '|u1', 'fortran_order': False, 'shape': ()} x"),
            ("python_objects", "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}")):
        yield name, npy_of(header), REGIONS


def wide_header(descr):
    header = f"{{'descr': {descr}, 'fortran_order': False, 'shape': (0,), }}\n".encode()
    return struct.pack("<I", len(header)) + header


# --- safetensors ---------------------------------------------------------------------------------

def safetensors_families():
    def of(header, data=b"", length=None):
        header = header.encode() if isinstance(header, str) else json.dumps(header).encode()
        return struct.pack("<Q", len(header) if length is None else length) + header + data

    def one(data=b"abcd", **other):
        return of({"t": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4], **other}}, data)

    def metadata(**said):
        return of({"__metadata__": said})

    yield "a_header_of_2_to_the_62", made_dumps.safetensors_header_2_62(), REGIONS
    yield "cut_in_the_length", b"\0\0\0\0", ["regions", "--container", "safetensors"]
    yield "cut_in_the_header", of('{"t":{"dtype"', length=100), REGIONS
    yield "no_object", of("[]"), ["regions", "--container", "safetensors"]
    yield "no_json", of('{"t"'), REGIONS
    yield "a_tensor_twice", of('{"t":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"t":{}}'), REGIONS
    yield "a_tensor_that_is_no_object", of('{"t":[]}'), REGIONS
    yield "no_shape", of('{"t":{"dtype":"U8","data_offsets":[0,0]}}'), REGIONS
    yield "an_unknown_key", one(type="U8"), REGIONS
    yield "an_unknown_dtype", one(dtype="I33"), REGIONS
    yield "a_dtype_that_is_no_text", one(dtype=8), REGIONS
    yield "a_negative_dimension", one(shape=[-1]), REGIONS
    yield "an_offset_that_is_no_integer", one(data_offsets=[0, 4.5]), REGIONS
    yield "65_dimensions", one(shape=[1] * 65), REGIONS
    yield "one_offset", one(data_offsets=[4]), REGIONS
    yield "an_end_before_the_begin", one(data_offsets=[4, 0]), REGIONS
    yield "a_shape_of_other_bytes", one(shape=[5]), REGIONS
    yield "a_shape_of_more_than_64_bits", one(shape=[1 << 32, 1 << 32]), REGIONS
    yield "cut_in_a_tensor", one(b"abc"), REGIONS
    yield "bytes_before_a_tensor", one(b"xabcd", data_offsets=[1, 5]), REGIONS
    yield "bytes_behind_the_last", one(b"abcde"), REGIONS
    yield "a_tensor_in_another", of({"t": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]},
                                     "u": {"dtype": "U8", "shape": [2], "data_offsets": [3, 5]}}, b"abcde"), REGIONS
    yield "metadata_of_numbers", metadata(a=1), REGIONS
    yield "metadata_of_5000_texts", metadata(**{str(index): "" for index in range(5000)}), REGIONS
    yield "an_address_that_is_none", metadata(base_address="here"), REGIONS
    yield "two_addresses", metadata(**{"base_address": "0x1000", "slabscope.base_address": "0x2000"}), REGIONS


# --- what a dump says of itself ------------------------------------------------------------------

def self_description_families():
    def of(**said):
        header = {"__metadata__": {"slabscope." + key.replace("__", "."): value for key, value in said.items()},
                  "t": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}}
        line = json.dumps(header).encode()
        return struct.pack("<Q", len(line)) + line + b"abcd"

    yield "a_param_that_is_no_number", of(layout="mtp_batch", param__rows="two"), ["decode"]
    yield "a_negative_offset", of(layout="mtp_batch", offset="-1"), ["decode"]
    yield "a_param_without_a_name", of(layout="mtp_batch", param__="2"), ["decode"]
    yield "something_unknown", of(layout="mtp_batch", rows="2"), ["decode"]
    yield "a_path_for_a_layout", of(layout="../own.json"), ["decode"]
    yield "no_layout", of(param__rows="2"), ["decode"]


# --- torch ---------------------------------------------------------------------------------------

GLOBAL = {name: f"c{module}\n{of}\n".encode() for name, module, of in (
    ("tensor", "torch._utils", "_rebuild_tensor_v2"), ("tensor_v3", "torch._utils", "_rebuild_tensor_v3"),
    ("parameter", "torch._utils", "_rebuild_parameter"), ("ordered", "collections", "OrderedDict"), ("int", "torch", "IntStorage"),
    ("untyped", "torch.storage", "UntypedStorage"), ("size", "torch", "Size"), ("system", "os", "system"))}
SIX = struct.pack("<6i", 1, 2, 3, 4, 5, 6)


def torch_zip(pickle, members=(("data/0", SIX),), folder="made/"):
    body, directory, count = b"", b"", 0
    for name, data in (("data.pkl", pickle), *members):
        whole = (folder + name).encode()
        directory += entry(whole, len(data), zlib.crc32(data), at=len(body))
        body += local(whole, data, len(data), zlib.crc32(data))
        count += 1
    return body + directory + end(count, len(directory), len(body))


def storage(key="0", kind=GLOBAL["int"], count=6):
    return tuple_of(text("storage"), kind, text(key), text("cpu"), number(count)) + b"Q"


def tensor(of, offset=0, shape=(6,), strides=(1,), what="tensor", more=b""):
    return GLOBAL[what] + tuple_of(of, number(offset), tuple_of(*map(number, shape)), tuple_of(*map(number, strides)), b"\x89",
                                   GLOBAL["ordered"] + b")R" + more) + b"R"


def torch_families():
    def pickle(value):
        return torch_zip(b"\x80\x02" + value + b".")

    def named(value):
        return pickle(b"}(" + text("a") + value + b"u")

    yield "no_data_pkl", torch_zip(b"", (), "a/b/"), ["regions", "--container", "torch"]
    yield "big_endian", torch_zip(b"\x80\x02N.", (("byteorder", b"big"),)), REGIONS
    yield "a_pickle_of_another_protocol", torch_zip(b"\x80\x01N."), REGIONS
    for name, value in (
            ("behind_its_end", b"N.N"), ("an_instruction_that_is_not_used", b"i"), ("an_early_end", b"J\0"),
            ("a_name_without_end", b"ctorch"), ("a_frame_past_the_end", b"\x95" + b"\xff" * 8), ("an_empty_stack", b"a"),
            ("no_mark", b"t"), ("no_list", b"NNa"), ("no_dictionary", b"NNNs"), ("a_key_without_a_value", b"}(Nu"),
            ("nothing_remembered", b"h\7"), ("a_name_that_is_no_text", b"NN\x93"), ("a_call_of_no_name", b"N)R"),
            ("an_OrderedDict_of_something", GLOBAL["ordered"] + tuple_of(b"N") + b"R"),
            ("a_storage_that_is_called", GLOBAL["int"] + b")R"), ("two_values", b"NN")):
        yield name, pickle(value), REGIONS
    yield "a_million_values", torch_zip(b"\x80\x02" + b"N" * ((1 << 20) + 1) + b"."), REGIONS
    yield "a_list_in_itself", pickle(b"]q\1h\1a"), REGIONS
    yield "lists_in_lists_too_deep", pickle(b"]" * 70 + b"a" * 69), REGIONS
    parameter = tensor(storage())
    for _ in range(70):
        parameter = GLOBAL["parameter"] + tuple_of(parameter) + b"R"
    yield "parameters_in_parameters_too_deep", pickle(parameter), REGIONS
    twice = b"]q\0"
    for depth in range(1, 30):
        twice += b"](h" + bytes([depth - 1]) + b"h" + bytes([depth - 1]) + b"eq" + bytes([depth])
    yield "a_list_of_2_to_the_30", pickle(b"(" + twice + b"t"), REGIONS
    many = b"]q\2(" + tensor(storage(), shape=[1] * 64, strides=[1] * 64) + b"q\1" + b"h\1" * 999 + b"e"
    yield "shapes_of_64_dimensions_in_all_of_64000", pickle(b"](" + many + b"h\2" * 99 + b"e"), REGIONS
    flat = b"]q\2(" + tensor(storage(), shape=[], strides=[]) + b"q\1" + b"h\1" * 999 + b"e"
    yield "a_tensor_listed_400000_times", pickle(b"](" + flat + b"h\2" * 399 + b"e"), REGIONS
    yield "names_of_20_MB", pickle(b"}(" + text("n" * 1000) + b"](" + tensor(storage(), shape=[], strides=[]) + b"q\1" +
                                   b"h\1" * 20000 + b"eu"), REGIONS
    yield "a_parameter_of_nothing", named(GLOBAL["parameter"] + b")R"), REGIONS
    yield "too_few_arguments", named(GLOBAL["tensor"] + tuple_of(storage()) + b"R"), REGIONS
    yield "strides_for_another_shape", named(tensor(storage(), shape=(2,), strides=(1, 1))), REGIONS
    yield "a_type_that_is_none", named(tensor(storage(), what="tensor_v3", more=b"N")), REGIONS
    yield "no_type", named(tensor(storage(kind=GLOBAL["untyped"], count=24))), REGIONS
    yield "no_storage", named(tensor(b"N")), REGIONS
    yield "a_storage_of_four", named(tensor(tuple_of(text("storage"), GLOBAL["int"], text("0"), text("cpu")) + b"Q")), REGIONS
    yield "a_storage_of_another_kind", named(tensor(storage(kind=GLOBAL["size"]))), REGIONS
    yield "a_negative_offset", named(tensor(storage(), offset=-1)), REGIONS
    yield "a_shape_that_is_none", named(GLOBAL["tensor"] + tuple_of(storage(), number(0), b"N", b"N") + b"R"), REGIONS
    yield "65_dimensions", named(tensor(storage(), shape=[1] * 65, strides=[1] * 65)), REGIONS
    yield "a_storage_that_is_not_there", named(tensor(storage("7"))), REGIONS
    yield "a_storage_of_another_size", named(tensor(storage(count=5))), REGIONS
    yield "past_its_storage", named(tensor(storage(), shape=(7,))), REGIONS
    yield "past_64_bits", named(tensor(storage(), shape=(0x7fffffff,) * 3, strides=(0,) * 3)), REGIONS
    yield "4_GiB_of_one_element", named(tensor(storage(), shape=(0x7fffffff,), strides=(0,))), REGIONS
    yield "another_name", named(GLOBAL["system"] + tuple_of(text("true")) + b"R"), READ


# --- cores and compressed files ------------------------------------------------------------------

def core_families():
    memory = (made_dumps.GLOBAL, 0x1000, b"abcd", None, 0)
    core = made_dumps.cuda_core([memory])
    many = made_dumps.cuda_core([memory] * 17)
    cubin = core[:16] + b"\2\0" + core[18:]
    program = made_dumps.amd_core(b"abcd")
    yield "32_bits", core[:4] + b"\1" + core[5:], REGIONS
    yield "big_endian", core[:5] + b"\2" + core[6:], REGIONS
    yield "cut_in_the_header", core[:60], REGIONS
    yield "cut_in_the_table", core[:-10], REGIONS
    yield "rows_of_63_bytes", core[:58] + b"\x3f\0" + core[60:], REGIONS
    yield "shorter_than_a_header", b"memory", ["regions", "--container", "elf-core"]
    yield "no_elf", bytes(100), ["regions", "--container", "elf-core"]
    yield "another_machine", program, ["regions", "--container", "cuda-core"]
    yield "a_cubin", cubin, REGIONS
    yield "no_core", program[:16] + b"\3\0" + program[18:], REGIONS
    yield "no_segments", program[:56] + b"\1\0" + program[58:], REGIONS
    yield "program_headers_that_are_not_there", program[:56] + b"\xff\0" + program[58:], REGIONS
    yield "a_table_that_is_not_there", made_dumps.cuda_core([(made_dumps.META, 0, b"", 32 << 20, 32), memory]), REGIONS
    yield "17_regions_over_one_address", many, ["decode", "-l", "all.json", "--address", "0x1000", "-D", "n=4"]
    abcd = bytearray(program)
    load = 64 + 56
    abcd[load + 40:load + 48] = struct.pack("<Q", 0x10000)
    yield "memory_that_was_not_dumped", bytes(abcd), [
        "decode", "-l", "all.json", "--address", hex(made_dumps.BASE + 0x8000), "-D", "n=4"]
    frame = made_dumps.raw_zstd_frame(b"\1bcd")
    yield "zstd_a_window_of_256_MiB", frame[:5] + b"\x90" + frame[6:], REGIONS
    yield "zstd_damaged", frame[:4] + b"\x08" + frame[5:], REGIONS
    yield "lz4_of_the_old_form", b"\x02\x21\x4c\x18\x10\0\0\0" + bytes(16), REGIONS
    yield "archive_7z", b"7z\xbc\xaf\x27\x1c" + bytes(16), REGIONS
    yield "archive_rar", b"Rar!\x1a\x07\x01\0" + bytes(16), REGIONS
    yield "archive_lzip", b"LZIP\x01" + bytes(16), REGIONS
    yield "archive_snappy", b"\xff\x06\0\0sNaPpY" + bytes(16), REGIONS
    yield "archive_tar", b"slab.bin".ljust(257, b"\0") + b"ustar\0" + b"00".ljust(249, b"\0"), REGIONS


# --- small files that would take much memory ------------------------------------------------------

def bomb_families():
    def listed(one, times):
        """A tensor in a list of 1024, which is in a list so often; deflated, as the rest of the file."""
        inner = b"]q\2(" + one + b"q\1" + b"h\1" * 1023 + b"e"
        return b"\x80\x02](" + inner + b"h\2" * (times - 1) + b"e."

    def deflated(*members):
        into = io.BytesIO()
        with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, data in members:
                archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED, 9)
        return into.getvalue()

    def torch(pickle):
        return deflated(("made/data.pkl", pickle), ("made/data/0", SIX))

    four, plain = tensor(storage(), shape=[1] * 4, strides=[1] * 4), tensor(storage(), shape=[], strides=[])
    wide = tensor(storage(), shape=[1] * 64, strides=[1] * 64)
    fields = "[" + ", ".join(f"('{index:x}', '|u1')" for index in range(800)) + "]"
    records = b"\x93NUMPY\2\0" + wide_header("[" + ", ".join(f"('{index:x}', {fields})" for index in range(80)) + "]")
    yield "most_tensors_with_most_dimensions", torch(listed(four, 256)), REGIONS
    yield "one_tensor_more", torch(listed(four, 256)[:-2] + plain + b"e."), REGIONS
    yield "a_dimension_too_many", torch(listed(wide, 16)[:-2] + wide + b"e."), REGIONS
    yield "lists", torch(b"\x80\x02" + b"]" * (1 << 22) + b"."), REGIONS
    yield "lists_in_a_pickle_of_100_MiB", torch(b"\x80\x02" + b"]" * ((100 << 20) - 3) + b"."), REGIONS
    yield "remembered_values", torch(b"\x80\x02N" + b"\x94" * (1 << 20) + b"."), REGIONS
    yield "fields_in_3_members", deflated(*((f"{index}.npy", records) for index in range(3))), REGIONS
    yield "fields_in_6_members", deflated(*((f"{index}.npy", records) for index in range(6))), REGIONS


FAMILIES = {"zip": zip_families, "npy": npy_families, "safetensors": safetensors_families, "torch": torch_families,
            "text": text_families, "self": self_description_families, "core": core_families, "bomb": bomb_families}

if __name__ == "__main__":
    for family in sys.argv[1:]:
        folder = pathlib.Path(family)
        folder.mkdir()
        lines = []
        for name, data, command in FAMILIES[family]():
            (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
            lines.append(f"{name} {' '.join(command)}\n")
        (folder / "list").write_text("".join(lines))
    pathlib.Path("all.json").write_text(json.dumps(ALL))
