"""Texts that are refused: name, text and command of each; see refused_dumps.py."""
REGIONS = ["regions"]


def row_of(at, data, shown=None):
    return f"{at:08x}  {data.hex(' ')}  |{data.decode() if shown is None else shown}|\n"


def text_families():
    yield "hexdump_no_characters", "00000000  41 42\n", REGIONS
    yield "hexdump_too_few_characters", row_of(0, b"AB", "A"), REGIONS
    yield "hexdump_other_characters", row_of(0, b"AB", "AC"), REGIONS
    yield "hexdump_prose", row_of(0, b"AB") + "that is all\n" + row_of(2, b"AB"), REGIONS
    yield "hexdump_a_short_offset", row_of(0, b"AB") + "0002  41  |A|\n", REGIONS
    yield "hexdump_half_a_byte", row_of(0, b"AB") + "00000002  4  |A|\n", REGIONS
    yield "hexdump_another_end", row_of(0, b"AB") + "00000003\n", REGIONS
    yield "hexdump_rows_behind_the_end", row_of(0, b"AB") + "00000002\n" + row_of(2, b"AB"), REGIONS
    yield "hexdump_offsets_go_back", row_of(16, b"AB") + row_of(0, b"AB"), REGIONS
    yield "hexdump_a_star_before_any_row", "*\n" + row_of(0, b"AB"), ["regions", "--container", "hexdump"]
    yield "hexdump_a_star_at_the_end", row_of(0, b"AB") + "*\n", REGIONS
    yield "hexdump_half_a_row_away", row_of(0, b"AB") + row_of(3, b"AB"), REGIONS
    yield "hexdump_past_64_bits", "ffffffffffffffff  41 42  |AB|\n", REGIONS
    yield "hexdump_a_base_past_64_bits", row_of(0, b"ABCD"), ["regions", "--base", "0xfffffffffffffffe"]
    yield "hexdump_a_star_for_16_EiB", row_of(0, bytes(16), "." * 16) + "*\nffffffff00000000\n", REGIONS
    yield "hexdump_a_line_of_a_MiB", row_of(0, b"AB") + " " * (1 << 21) + "\n", REGIONS
    yield "od_without_its_unit", "0000000 4241\n0000002\n", REGIONS
    yield "od_of_another_unit", "0000000 4241\n0000002\n", ["regions", "--unit", "4"]
    yield "od_octal_offsets", "0000000" + " 4241" * 8 + "\n0000020 4241\n0000022\n", ["regions", "--unit", "2"]
    yield "od_prose", "0000000 4241\nthat is all\n", ["regions", "--unit", "2"]
    yield "od_too_few_characters", "000000 41 42  >A<\n", ["regions", "--unit", "1"]
    yield "od_a_long_offset", "000000 41\n00000000000000001 41\n", ["regions", "--unit", "1"]
    yield "od_of_octal_numbers", "0000000 125252 125252\n", REGIONS
    yield "xxd_too_many_characters", "00000000: 4142  ABCDE\n", REGIONS
    yield "xxd_digits_and_more", "00000000: 4142x\n", REGIONS
    yield "xxd_words", "00000000: 44434241  ABCD\n", REGIONS
    yield "xxd_half_a_byte", "00000000: 4142  AB\n00000002: 434  C\n", REGIONS
    yield "xxd_prose", "00000000: 4142  AB\nthat is all\n00000002: 4142  AB\n", REGIONS
    yield "xxd_a_short_offset", "00000000: 4142  AB\n0002: 4142  AB\n", REGIONS
    yield "xxd_no_colon", "00000000: 4142  AB\n00000002 4142  AB\n", REGIONS
    yield "xxd_cut_off", "00000000: 4142  AB\n00000002: 41 ?", REGIONS
    yield "xxd_a_star_behind_letters", "00000000: 41  A\n*\n00000002: 41  A\n", REGIONS
    yield "xxd_e_half_a_byte", "00000000: 414  A\n", ["regions", "--container", "xxd-e"]
    yield "xxd_e_bytes", "00000000: 41424344  ABCD\n", ["regions", "--container", "xxd-e"]
    yield "xxd_p_an_odd_number", "41\n414\n", ["regions", "--container", "xxd-p"]
    yield "xxd_p_unnamed", "41424344\n", REGIONS
    yield "gdb_a_width_that_no_type_has", "0x10:\t0x414\n", REGIONS
    yield "gdb_two_widths_in_a_line", "0x10:\t0x41\t0x4142\n", REGIONS
    yield "gdb_two_forms_in_a_line", "0x10:\t0x41\t5\n", REGIONS
    yield "gdb_65_numbers", "0x10:" + "\t0x41" * 65 + "\n", REGIONS
    yield "gdb_text", "0x10:\t\"text\"\n", REGIONS
    yield "gdb_numbers_that_run_together", "0x10:\t0x41,0x42\n", REGIONS
    yield "gdb_no_number", "0x10:\t\n", REGIONS
    yield "gdb_numbers_of_no_known_width", "0x10:\t1\t2\t3\n", REGIONS
    yield "gdb_a_number_past_its_width", "0x10:\t256\n", ["regions", "--unit", "1"]
    yield "gdb_two_values", "0x10:\t0x41\t0x42\n0x11:\t0x43\n", REGIONS
    yield "gdb_memory_it_could_not_read", "0x10:\tCannot access memory at address 0x10\n", REGIONS
    yield "gdb_no_memory", "0x10: nothing here\n", ["regions", "--container", "gdb-x"]
    yield "gdb_after_a_page_of_other_lines", "[New Thread 0x7f0000 (LWP 1)]\n" * 200 + "0x10:\t0x41\n", REGIONS
    yield "verilog_words", "@0\n41424344\n", REGIONS
    yield "verilog_bytes_that_run_into_more", "@0\n41,42\n", REGIONS
    yield "verilog_an_address_that_is_none", "@0\n41\n@x\n41\n", REGIONS
    yield "verilog_more_behind_an_address", "@0\n41\n@10 41\n", REGIONS
    yield "verilog_addresses_go_back", "@10\n41\n@0\n41\n", REGIONS
    yield "verilog_bytes_before_an_address", "41\n@10\n41\n", ["regions", "--container", "verilog"]
    yield "verilog_no_bytes", "@10\n", REGIONS
    yield "ihex", ":10000000070000000900000064000000000000007C\n", REGIONS
    yield "srec", "S1130010D007000000000000080000000A000000F3\n", REGIONS
    yield "symbolsrec", "$$ slab\n", REGIONS
    yield "tekhex", "%4E6728A00080000700000009000000640000\n", REGIONS
    yield "c_source", "unsigned char a[] = {\n  0x41\n};\n", REGIONS
    yield "prose", "position 7\n", REGIONS
