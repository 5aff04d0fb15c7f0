"""A rows document to an mtp_batch slab with python's json and numpy: PROGRAM FILE"""
import json
import sys

import numpy


def column(rows, name, kind):
    return numpy.array([row[name] for row in rows], kind)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file)
    rows = document["rows"]
    tables = numpy.zeros((len(rows), document["params"]["max_blocks"]), "<u4")
    for index, row in enumerate(rows):
        tables[index, : len(row["block_table"])] = row["block_table"]
    slab = column(rows, "position", "<u4").tobytes()
    slab += bytes(-len(slab) % 8) + column(rows, "slot", "<i8").tobytes()
    slab += column(rows, "seq_len", "<i4").tobytes()
    slab += bytes(-len(slab) % 16)
    sys.stdout.buffer.write(slab)
    sys.stdout.buffer.write(tables)


main()
