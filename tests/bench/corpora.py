"""The inputs that are measured: made by `slabscope gen`, kept in the build's folder."""
import subprocess
from dataclasses import dataclass
from pathlib import Path

LAYOUT = "mtp_batch"
# Ids of about five digits; enough of them for 64 rows that share no block.
POOL = ["-D", "block_size=16", "-D", "num_blocks=131072"]
TINY = b'{"layout":"mtp_batch","params":{"max_blocks":2},"rows":[{"position":7,"slot":55,"seq_len":8,"block_table":[3]}]}\n'


@dataclass
class Sizes:
    batches: int = 4000
    max_blocks: int = 512
    rows: int = 40  # of each slab in the dump, whose slabs have one size
    document_bytes: int = 32 << 20
    sparse_bytes: int = 4 << 30


FULL = Sizes()
SMOKE = Sizes(batches=24, max_blocks=16, rows=5, document_bytes=1 << 14, sparse_bytes=1 << 26)


class Corpora:
    """The paths of the inputs; each is made when it is first asked for."""

    def __init__(self, slabscope, folder, sizes):
        self.slabscope = slabscope
        self.folder = Path(folder)
        self.sizes = sizes
        self.folder.mkdir(parents=True, exist_ok=True)

    def made(self, name, make):
        path = self.folder / name
        if not path.exists():
            beside = path.with_name(name + ".part")
            beside.unlink(missing_ok=True)
            make(beside)
            beside.rename(path)
        return path

    def ours(self, *arguments, output):
        with open(output, "wb") as file:
            subprocess.run([self.slabscope, *map(str, arguments)], stdout=file, check=True)

    def gen(self, rows, output):
        self.ours("gen", LAYOUT, "--rows", rows, *POOL, "-D", f"max_blocks={self.sizes.max_blocks}",
                  "--count", self.sizes.batches, output=output)

    def batches(self):
        """NDJSON: batches of 16 to 64 rows with tables of 1 to max_blocks entries."""
        return self.made("batches.ndjson", lambda path: self.gen("16..64", path))

    def first_batches(self, count):
        def make(path):
            with open(self.batches(), "rb") as whole, open(path, "wb") as part:
                for _, line in zip(range(count), whole):
                    part.write(line)
        return self.made(f"batches-{count}.ndjson", make)

    def dump(self):
        """Slabs of one size, back to back."""
        def make(path):
            rows = path.with_suffix(".rows")
            self.gen(self.sizes.rows, rows)
            self.ours("pack", rows, output=path)
            rows.unlink()
        return self.made("dump.bin", make)

    def slab_bytes(self):
        return self.dump().stat().st_size // self.sizes.batches

    def document(self):
        """The rows of many batches as one document."""
        def make(path):
            path.write_bytes(b'{"layout":"mtp_batch","params":{"max_blocks":%d},"rows":[' % self.sizes.max_blocks)
            with open(self.batches(), "rb") as batches, open(path, "ab") as document:
                while document.tell() < self.sizes.document_bytes:
                    rows = next(batches).split(b'"rows":[', 1)[1]
                    document.write(rows[:-len(b"]}\n")] + b",")
                document.truncate(document.tell() - 1)
            with open(path, "ab") as document:
                document.write(b"]}\n")
        return self.made("document.json", make)

    def document_rows(self):
        with open(self.document(), "rb") as file:
            return file.read().count(b'{"position"')

    def document_slab(self):
        return self.made("document.slab", lambda path: self.ours("pack", self.document(), output=path))

    def full_document(self):
        """The document with its tables filled up: what decode makes of its slab."""
        return self.made("full.json", lambda path: self.ours(
            "decode", self.document_slab(), "-l", LAYOUT, "-D", f"rows={self.document_rows()}",
            "-D", f"max_blocks={self.sizes.max_blocks}", "-f", "ndjson", output=path))

    def tiny(self):
        return self.made("tiny.json", lambda path: path.write_bytes(TINY))

    def sparse_offset(self):
        return self.sizes.sparse_bytes - (1 << 20)

    def sparse(self):
        """A dump that is nearly all hole, with one slab near its end."""
        def make(path):
            with open(path, "wb") as file:
                file.truncate(self.sizes.sparse_bytes)
            subprocess.run([self.slabscope, "pack", self.tiny(), "--into", path, "--offset", str(self.sparse_offset())],
                           check=True)
        return self.made("sparse.bin", make)
