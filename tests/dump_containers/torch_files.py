"""Files of torch.save without torch: Python's own pickler writes stand-ins of its classes, and reads them."""
import collections
import io
import pickle
import random
import sys
import types
import zipfile

FORMATS = {"ByteStorage": ("torch.uint8", 1), "IntStorage": ("torch.int32", 4), "LongStorage": ("torch.int64", 8),
           "HalfStorage": ("torch.float16", 2)}
UNSIGNED = {"uint16": 2, "uint32": 4, "uint64": 8}


class Storage:
    """Bytes that tensors are views of."""

    def __init__(self, kind, key, data):
        self.kind, self.key, self.data = kind, key, data


class Tensor:
    """A view: offset, shape and strides in elements; `dtype` where the storage has no type."""

    def __init__(self, storage, offset, shape, strides, dtype=None):
        self.storage, self.offset, self.shape, self.strides, self.dtype = storage, offset, shape, strides, dtype

    def __reduce_ex__(self, _):
        rebuild = sys.modules["torch._utils"]._rebuild_tensor_v3 if self.dtype else \
            sys.modules["torch._utils"]._rebuild_tensor_v2
        more = (DTYPES[self.dtype],) if self.dtype else ()
        return rebuild, (self.storage, self.offset, self.shape, self.strides, False, collections.OrderedDict(), *more)

    def element_bytes(self):
        return UNSIGNED[self.dtype] if self.dtype else FORMATS[self.storage.kind][1]

    def type(self):
        return "torch." + self.dtype if self.dtype else FORMATS[self.storage.kind][0]

    def bytes(self):
        """Element by element, the last dimension the fastest."""
        width = self.element_bytes()
        places = [self.offset]
        for count, stride in zip(self.shape, self.strides):
            places = [place + index * stride for place in places for index in range(count)]
        return b"".join(self.storage.data[width * place:width * place + width] for place in places)


class Parameter:
    def __init__(self, tensor):
        self.tensor = tensor

    def __reduce_ex__(self, _):
        return sys.modules["torch._utils"]._rebuild_parameter, (self.tensor, True, collections.OrderedDict())


class Dtype:
    """A type is saved as the name of a global."""

    def __init__(self, name):
        self.name = name

    def __reduce__(self):
        return self.name


def add_stand_ins():
    """Modules of torch's names, with what a pickle may name in them."""
    modules = {name: types.ModuleType(name) for name in ("torch", "torch._utils", "torch.storage")}
    for kind in FORMATS:
        setattr(modules["torch"], kind, type(kind, (), {"__module__": "torch"}))
    modules["torch.storage"].UntypedStorage = type("UntypedStorage", (), {"__module__": "torch.storage"})
    for name in ("_rebuild_tensor_v2", "_rebuild_tensor_v3", "_rebuild_parameter"):
        def rebuild(*arguments):
            raise AssertionError("nothing calls it")
        rebuild.__module__, rebuild.__name__, rebuild.__qualname__ = "torch._utils", name, name
        setattr(modules["torch._utils"], name, rebuild)
    for name, dtype in DTYPES.items():
        dtype.__dict__["__module__"] = "torch"
        setattr(modules["torch"], name, dtype)
    sys.modules.update(modules)


DTYPES = {name: Dtype(name) for name in UNSIGNED}
add_stand_ins()


class Pickler(pickle.Pickler):
    def persistent_id(self, of):
        if not isinstance(of, Storage):
            return None
        kind = getattr(sys.modules["torch"], of.kind, sys.modules["torch.storage"].UntypedStorage)
        width = FORMATS.get(of.kind, (None, 1))[1]
        return "storage", kind, of.key, "cpu", len(of.data) // width


def save(tree, storages, protocol, compression=zipfile.ZIP_STORED):
    pickled = io.BytesIO()
    Pickler(pickled, protocol).dump(tree)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", compression) as archive:
        archive.writestr("archive/data.pkl", pickled.getvalue())
        archive.writestr("archive/byteorder", "little")
        for each in storages:
            archive.writestr(f"archive/data/{each.key}", each.data)
        archive.writestr("archive/version", "3\n")
    return made.getvalue()


def named(tree, path=""):
    """(path, tensor) of all tensors."""
    if isinstance(tree, Tensor):
        yield path or "tensor", tree
    elif isinstance(tree, Parameter):
        yield from named(tree.tensor, path)
    elif isinstance(tree, dict):
        for key, value in tree.items():
            step = f"[{key}]" if isinstance(key, int) else f".{key}" if path else key
            yield from named(value, path + step)
    elif isinstance(tree, (list, tuple)):
        for index, value in enumerate(tree):
            yield from named(value, f"{path}[{index}]")


def some_storage(chance, key):
    kind = chance.choice([*FORMATS, "none"])
    width = FORMATS.get(kind, (None, 8))[1]
    return Storage(kind, str(key), chance.randbytes(width * chance.randrange(1, 600)))


def some_tensor(chance, storage):
    dtype = chance.choice(list(UNSIGNED)) if storage.kind == "none" else None
    left = len(storage.data) // (UNSIGNED[dtype] if dtype else FORMATS[storage.kind][1])
    offset = chance.randrange(left)
    left -= offset + 1
    shape, strides = [], []
    for _ in range(chance.randrange(4)):
        stride = chance.randrange(40)
        most = min(5, left // stride + 1) if stride else 3
        shape.append(chance.randrange(1, most + 1))
        strides.append(stride)
        left -= (shape[-1] - 1) * stride
    return Tensor(storage, offset, tuple(shape), tuple(strides), dtype)


def some_tree(chance, storages, depth=0):
    kind = chance.randrange(7) if depth < 3 else 0
    if kind < 2:
        tensor = some_tensor(chance, chance.choice(storages))
        return Parameter(tensor) if chance.randrange(4) == 0 else tensor
    inside = [some_tree(chance, storages, depth + 1) for _ in range(chance.randrange(1, 4))]
    inside.append(chance.choice([None, 1.5, 7, "text", True, 2**40, inside[0]]))
    if kind == 2:
        return inside
    if kind == 3:
        return tuple(inside)
    make = collections.OrderedDict if kind == 4 else dict
    return make((chance.choice([f"key{index}", index]), each) for index, each in enumerate(inside))


def some_file(seed):
    """The bytes of a file, and (name, type, shape, bytes) of all that is in it."""
    chance = random.Random(seed)
    storages = [some_storage(chance, key) for key in range(chance.randrange(1, 4))]
    tree = some_tree(chance, storages)
    data = save(tree, storages, chance.randrange(2, 6), chance.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))
    inside = [(path, each.type(), list(each.shape), each.bytes()) for path, each in named(tree)]
    return data, inside, {f"data/{each.key}": each.data for each in storages}
