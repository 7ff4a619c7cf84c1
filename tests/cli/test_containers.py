"""Files that hold arrays under names: .npz and .zip, safetensors."""

import bz2
import gzip
import json
import lzma
import struct
import zipfile

import numpy as np
import pytest


@pytest.fixture
def arrays():
    rng = np.random.default_rng(5)
    return {"a": rng.integers(-9, 9, (40, 3)).astype(np.int32), "weights": rng.standard_normal(5000),
            "f": np.asfortranarray(rng.standard_normal((4, 5)).astype(np.float32)), "none": np.zeros(0)}


def safetensors(tensors, metadata=None):
    """The bytes of a file: name -> (dtype, shape, bytes)."""
    header, data = ({"__metadata__": metadata} if metadata else {}), b""
    for name, (dtype, shape, elements) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(elements)]}
        data += elements
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_members_of_npz(heddle, tmp_path, arrays, save):
    path = tmp_path / "x.npz"
    save(path, **arrays)
    for name in ("a", "a.npy"):
        assert heddle.text("sum", "--member", name, path) == f"{arrays['a'].sum()}\n"
        assert heddle.text("sum", f"{path}:{name}") == f"{arrays['a'].sum()}\n"
    assert heddle.text("max", "--member", "a", "-", stdin=path.read_bytes()) == f"{arrays['a'].max()}\n"
    assert heddle.text("max", "--member", "a", stdin=gzip.compress(path.read_bytes())) == f"{arrays['a'].max()}\n"
    assert heddle.text("sum", f"{path}:none") == "0\n"
    for name in ("weights", "f"):
        heddle("convert", f"{path}:{name}", "-o", tmp_path / "y.npy")
        assert np.array_equal(np.load(tmp_path / "y.npy"), arrays[name])
    axis = heddle.text("sum", "--axis", 1, f"{path}:a").split()
    assert axis == [str(v) for v in arrays["a"].sum(1)]
    x = np.sort(arrays["weights"])
    heddle("sort", f"{path}:weights", "-o", tmp_path / "s.npy")
    assert np.array_equal(np.load(tmp_path / "s.npy"), x)
    assert heddle.json("median", f"{path}:weights") == heddle.json("median", tmp_path / "s.npy")
    message = heddle.error("sum", path, code=2)
    assert "4 members" in message and "a.npy, weights.npy" in message and "--member" in message
    assert "no member 'z'; it has a.npy" in heddle.error("sum", "--member", "z", path, code=2)


def test_one_member_needs_no_name_and_may_be_text(heddle, tmp_path):
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("folder/", "")
        archive.writestr("folder/t.csv", "city,x\na,1\nb,2\na,5\n")
        archive.comment = b"PK\x05\x06 remark"
    assert heddle.text("sum", "-c", "x", path) == "8\n"
    assert heddle.text("median", "-c", "x", path) == "2\n"
    assert "a" in heddle.text("group", "-k", "city", "sum:x", f"{path}:folder/t.csv")
    assert heddle.text("select", "x > 1", path) == "city,x\nb,2\na,5\n"
    np.save(tmp_path / "x:y.npy", np.arange(4))
    assert heddle.text("sum", tmp_path / "x:y.npy") == "6\n"
    assert "tells" in heddle.error("sum", "--type", "f32", tmp_path / "x:y.npy", code=2)
    assert "no arrays under names" in heddle.error("sum", "--member", "q", tmp_path / "x:y.npy", code=2)
    assert "No such file" in heddle.error("sum", tmp_path / "none.npz:a", code=1)


def test_zip64(heddle, tmp_path):
    """NumPy writes members with zip64 headers; the directory has its fields only where they are forced."""
    path = tmp_path / "x.npz"
    np.savez(path, a=np.arange(10))
    raw = path.read_bytes()
    at = raw.rindex(b"PK\x01\x02")
    entry, (name, extra) = bytearray(raw[at:at + 46]), struct.unpack("<HH", raw[at + 28:at + 32])
    assert extra == 0
    sizes = struct.unpack("<II", entry[20:28])
    entry[20:28], entry[42:46], entry[30:32] = b"\xff" * 8, b"\xff" * 4, struct.pack("<H", 28)
    entry += raw[at + 46:at + 46 + name] + struct.pack("<HHQQQ", 1, 24, sizes[1], sizes[0], 0)
    end64 = struct.pack("<IQHHIIQQQQ", 0x06064b50, 44, 45, 45, 0, 0, 1, 1, len(entry), at)
    locator = struct.pack("<IIQI", 0x07064b50, 0, at + len(entry), 1)
    end = struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, 0xffff, 0xffff, 0xffffffff, 0xffffffff, 0)
    path.write_bytes(raw[:at] + bytes(entry) + end64 + locator + end)
    assert np.load(path)["a"].sum() == 45
    assert heddle.text("sum", path) == "45\n"


def test_damaged_zip(heddle, tmp_path, arrays):
    path = tmp_path / "x.npz"
    np.savez_compressed(path, a=arrays["weights"])
    good = path.read_bytes()
    for cut in (len(good) - 1, len(good) // 2, 40):
        path.write_bytes(good[:cut])
        assert "no directory" in heddle.error("sum", path, code=1)
    directory = good.rindex(b"PK\x01\x02")
    for place, value, said in ((directory + 16, b"\0\0\0\0", "checksum"), (directory + 24, b"\1\0\0\0", "larger"),
                               (directory + 42, b"\0\0\0\x7f", "points to bytes"),
                               (directory + 8, b"\1", "encrypted"), (directory + 10, b"\x0e", "method 14"),
                               (0, b"XX", "its directory is none"), (3000, bytes(100), "damaged")):
        path.write_bytes(good[:place] + value + good[place + len(value):])
        if place == 0:
            path.write_bytes(b"PK\3\4" + bytes(60) + good)  # every offset is wrong
        assert said in heddle.error("sum", path, code=1)


def test_tensors(heddle, tmp_path):
    rng = np.random.default_rng(1)
    kinds = {"F64": np.float64, "F32": np.float32, "F16": np.float16, "I64": np.int64, "I32": np.int32,
             "I16": np.int16, "I8": np.int8, "U64": np.uint64, "U32": np.uint32, "U16": np.uint16, "U8": np.uint8}
    arrays = {name: rng.integers(0, 9, (3, 7)).astype(kind) for name, kind in kinds.items()}
    tensors = {f"layer.{name}": (name, [3, 7], x.tobytes()) for name, x in arrays.items()}
    bf16 = (np.arange(9, dtype=np.float32).view(np.uint32) >> 16).astype(np.uint16)
    tensors["b"] = ("BF16", [9], bf16.tobytes())
    tensors["t"] = ("BOOL", [], b"\1")
    path = tmp_path / "m.safetensors"
    path.write_bytes(safetensors(tensors, {"format": "pt", "né\"w": "x"}))
    for name, x in arrays.items():
        assert float(heddle.text("sum", "--tensor", f"layer.{name}", path)) == float(x.sum())
        heddle("convert", f"{path}:layer.{name}", "-o", tmp_path / "y.npy")
        assert np.array_equal(np.load(tmp_path / "y.npy"), x)
    assert heddle.text("sum", f"{path}:b") == "36\n"
    assert heddle.text("sum", "--tensor", "t", stdin=path.read_bytes()) == "1\n"
    message = heddle.error("sum", path, code=2)
    assert "13 tensors" in message and "--tensor" in message and "layer.F64, layer.F32" in message
    assert "has no columns" in heddle.error("sum", "-c", "1", f"{path}:b", code=2)


def test_hostile_tensors(heddle, tmp_path):
    def says(raw, code=1):
        return heddle.error("sum", stdin=raw, code=code)

    assert "claims 99999999 bytes" in says(struct.pack("<Q", 99999999) + b"{}")
    for shape, elements in (([3], 8), ([1 << 63, 4], 0), ([2, 1 << 62], 8)):
        assert "tensor 'a'" in says(safetensors({"a": ("F32", shape, bytes(elements))})) or shape
    assert "passes all memory" in says(safetensors({"a": ("F32", [1 << 63, 4], b"")}))
    assert "claims bytes" in says(safetensors({"a": ("F32", [3], bytes(12))})[:-1])
    assert "is of type F8_E4M3" in says(safetensors({"a": ("F8_E4M3", [1], b"1")}))
    good = safetensors({"a": ("F32", [3], bytes(12))})
    for old, new in ((b'"F32"', b"F32  "), (b"[3]", b"3  "), (b"[3]", b"[-]"), (b"dtype", b"shape"),
                     (b'"a"', b'"\\x'), (b"}}", b"} "), (b"[3]", b"[}}"), (b"12]", b"1e]")):
        assert "header is damaged" in says(good.replace(old, new, 1)), (old, new)
    assert "has no tensor" in says(struct.pack("<Q", 2) + b"{}")


@pytest.mark.parametrize("pack, library", [(lzma.compress, "liblzma.so.5"), (bz2.compress, "libbz2.so.1.0")])
def test_packed_by_libraries_found_at_run_time(heddle, tmp_path, pack, library):
    x = np.arange(60_000, dtype=np.int32)
    np.save(tmp_path / "x.npy", x)
    raw = (tmp_path / "x.npy").read_bytes()
    path = tmp_path / "x.packed"
    path.write_bytes(pack(raw[:70_000]) + pack(raw[70_000:]))  # two streams are one
    assert heddle.text("sum", path) == f"{x.sum()}\n"
    assert heddle.text("max", "-", stdin=path.read_bytes()) == f"{x.max()}\n"
    assert float(heddle.text("median", stdin=path.read_bytes())) == np.median(x)
    assert heddle.text("sum", stdin=pack(b"1\n2\n")) == "3\n" and heddle.text("sum", stdin=pack(b"")) == "0\n"
    assert heddle.text("count", "--bytes", "--as-is", path) == f"{path.stat().st_size}\n"
    good = pack(raw)
    lines = pack(b"12345\n" * 9000)
    for cut in (good[:len(good) // 2], lines[:-3]):
        assert "too early" in heddle.error("sum", stdin=cut, code=1)
    broken = good[:5000] + bytes(64) + good[5064:]
    assert "damaged" in heddle.error("sum", stdin=broken, code=1)
    (tmp_path / library).write_bytes(b"")
    message = heddle.error("sum", path, env={"LD_LIBRARY_PATH": str(tmp_path)}, code=1)
    assert library in message and "-dc FILE | heddle" in message
