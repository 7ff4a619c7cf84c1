"""What instruments and models write: FITS images, classic NetCDF variables, WAV channels."""

import io
import struct
import wave

import numpy as np
import pytest

BITPIX = {"u1": 8, "i2": 16, "i4": 32, "i8": 64, "f4": -32, "f8": -64}


def unit(x, first=True, **cards):
    """A header and the data of a FITS file."""
    code = x.dtype.str[1:] if x is not None else "u1"
    shape = x.shape[::-1] if x is not None else ()
    lines = [("SIMPLE", "T") if first else ("XTENSION", "'IMAGE   '"), ("BITPIX", BITPIX[code]), ("NAXIS", len(shape))]
    lines += [(f"NAXIS{k + 1}", n) for k, n in enumerate(shape)] + list(cards.items())
    text = "".join(f"{key:8}= {value:>20} / of it".ljust(80) for key, value in lines) + "END".ljust(80)
    data = x.astype(x.dtype.newbyteorder(">")).tobytes() if x is not None else b""
    return text.ljust(-(-len(text) // 2880) * 2880).encode() + data.ljust(-(-len(data) // 2880) * 2880, b"\0")


@pytest.mark.parametrize("code", BITPIX)
def test_images(heddle, tmp_path, code):
    x = np.random.default_rng(1).integers(0, 100, (7, 5, 300)).astype(code)
    (tmp_path / "x.fits").write_bytes(unit(x))
    heddle("convert", tmp_path / "x.fits", "-o", tmp_path / "y.npy")
    got = np.load(tmp_path / "y.npy")
    assert got.dtype == x.dtype and np.array_equal(got, x)
    assert heddle.text("max", stdin=unit(x)) == heddle.text("max", tmp_path / "y.npy")
    assert float(heddle.text("median", tmp_path / "x.fits")) == np.median(x)


def test_scaled_and_unsigned_images(heddle, tmp_path):
    x = np.random.default_rng(2).integers(-500, 500, (40, 1000)).astype("i2")
    path = tmp_path / "x.fits"

    def read(**cards):
        path.write_bytes(unit(x, **cards))
        heddle("convert", path, "-o", tmp_path / "y.npy")
        return np.load(tmp_path / "y.npy")

    assert np.array_equal(read(BZERO=32768, BSCALE="1.0"), (x.astype("i4") + 32768).astype("u2"))
    assert np.array_equal(read(BZERO="2.5", BSCALE="1.25D-1"), 2.5 + 0.125 * x)
    got = read(BLANK=3)
    assert np.array_equal(np.isnan(got), x == 3) and np.array_equal(got[x != 3], x[x != 3])
    b = np.arange(256, dtype="u1")
    path.write_bytes(unit(b, BZERO=-128))
    assert heddle.text("min", path) == "-128\n" and heddle.text("max", path) == "127\n"
    path.write_bytes(unit(x, BSCALE="0.5"))
    assert float(heddle.text("median", path)) == np.median(x * 0.5)
    assert [float(v) for v in heddle.text("sum", "--axis", "0", path).split()] == (x * 0.5).sum(0).tolist()


def test_units_of_a_file(heddle, tmp_path):
    path = tmp_path / "x.fits"
    a, b = np.arange(5, dtype="i4"), np.arange(7, dtype="f8")
    path.write_bytes(unit(None) + unit(a, False, EXTNAME="'SCI     '") + unit(b, False))
    assert heddle.text("sum", f"{path}:SCI") == "10\n" and heddle.text("sum", "--member", "2", path) == "21\n"
    assert "2 images" in heddle.error("sum", path, code=2)
    assert "it has SCI, 2" in heddle.error("sum", "--member", "ERR", path, code=2)
    good = path.read_bytes()
    for cut in (100, 2880 * 3 + 99, len(good) - 2880):
        assert "cut off or damaged" in heddle.error("sum", "--member", "2", stdin=good[:cut], code=1)
    for card, value in ((b"BITPIX  =                   32", b"BITPIX  =                   31"),
                        (b"NAXIS1  =                    5", b"NAXIS1  =              9999995")):
        assert "damaged" in heddle.error("sum", "--member", "SCI", stdin=good.replace(card, value), code=1)


def netcdf(version, dimensions, variables, records=0):
    """dimensions: name -> length, 0 the unlimited one; variables: name -> (dimensions, type, attributes, array)."""
    wide = version == 5
    count = (lambda n: struct.pack(">Q" if wide else ">I", n))
    types = {"i1": 1, "i2": 3, "i4": 4, "f4": 5, "f8": 6, "u1": 7, "u2": 8, "u4": 9, "i8": 10, "u8": 11}

    def name(text):
        return count(len(text)) + text.encode().ljust(-(-len(text) // 4) * 4, b"\0")

    def some(tag, items):
        return struct.pack(">I", tag if items else 0) + count(len(items)) + b"".join(items)

    def big(x, code):
        return np.asarray(x).astype(">" + code).tobytes()

    names = list(dimensions)
    sizes = {key: len(big(x, code)) // (records if dims and dimensions[dims[0]] == 0 else 1)
             for key, (dims, code, _, x) in variables.items()}

    def header(places):
        out = b"CDF" + bytes([version]) + count(records)
        out += some(10, [name(key) + count(n) for key, n in dimensions.items()])
        out += some(12, [name("title") + struct.pack(">I", 2) + count(3) + b"abc\0"])
        entries = []
        for key, (dims, code, attributes, _) in variables.items():
            attribute = [name(k) + struct.pack(">I", types[c]) + count(1) + big([v], c).ljust(4, b"\0")
                         for k, (c, v) in attributes.items()]
            entries.append(name(key) + count(len(dims)) + b"".join(count(names.index(d)) for d in dims) +
                           some(12, attribute) + struct.pack(">I", types[code]) + count(-(-sizes[key] // 4) * 4) +
                           struct.pack(">I" if version == 1 else ">Q", places[key]))
        return out + some(11, entries)

    at, places = len(header(dict.fromkeys(variables, 0))), {}
    fixed = [k for k, v in variables.items() if not (v[0] and dimensions[v[0][0]] == 0)]
    moving = [k for k in variables if k not in fixed]
    for key in fixed + moving:
        places[key] = at
        at += -(-sizes[key] // 4) * 4
    body = b"".join(big(variables[k][3], variables[k][1]).ljust(-(-sizes[k] // 4) * 4, b"\0") for k in fixed)
    for r in range(records):
        for key in moving:
            piece = big(variables[key][3][r], variables[key][1])
            body += piece if len(moving) == 1 else piece.ljust(-(-len(piece) // 4) * 4, b"\0")
    return header(places) + body


@pytest.mark.parametrize("version", [1, 2, 5])
def test_variables(heddle, tmp_path, version):
    rng = np.random.default_rng(3)
    path = tmp_path / "x.nc"
    t = rng.integers(0, 99, (6, 3, 5)).astype("i2")
    p = rng.standard_normal((6, 3))
    grid = rng.standard_normal((3, 5)).astype("f4")
    packed = rng.integers(0, 9, (3, 5)).astype("i2")
    path.write_bytes(netcdf(version, {"time": 0, "lat": 3, "lon": 5}, {
        "grid": (["lat", "lon"], "f4", {}, grid), "t": (["time", "lat", "lon"], "i2", {}, t),
        "p": (["time", "lat"], "f8", {"units": ("i1", 3)}, p),
        "packed": (["lat", "lon"], "i2", {"scale_factor": ("f8", 0.5), "add_offset": ("f4", 10), "_FillValue": ("i2", 4)},
                   packed)}, 6))
    for name, x in (("grid", grid), ("t", t), ("p", p)):
        heddle("convert", "--member", name, path, "-o", tmp_path / "y.npy")
        got = np.load(tmp_path / "y.npy")
        assert got.dtype == x.dtype and np.array_equal(got, x), name
    heddle("convert", f"{path}:packed", "-o", tmp_path / "y.npy")
    assert np.array_equal(np.load(tmp_path / "y.npy"), np.where(packed == 4, np.nan, 10 + 0.5 * packed), equal_nan=True)
    assert float(heddle.text("median", f"{path}:t")) == np.median(t)
    assert "4 variables" in heddle.error("sum", path, code=2)
    assert "lies behind the end" in heddle.error("sum", "--member", "p", stdin=path.read_bytes()[:-300], code=1)
    assert "header is cut off" in heddle.error("sum", "--member", "p", stdin=path.read_bytes()[:150], code=1)


def test_one_record_variable_is_not_padded(heddle, tmp_path):
    x = np.arange(21).reshape(7, 3).astype("i1")
    raw = netcdf(1, {"t": 0, "c": 3}, {"x": (["t", "c"], "i1", {}, x)}, 7)
    assert heddle.text("sum", stdin=raw) == f"{x.sum()}\n"
    streaming = raw[:4] + b"\xff" * 4 + raw[8:]
    assert heddle.text("sum", stdin=streaming) == f"{x.sum()}\n"


def sound(frames, code, bits, tag=1, size=None, extensible=False):
    channels = frames.shape[1]
    if bits == 24:
        data = b"".join(int(v).to_bytes(4, "little", signed=True)[:3] for v in frames.ravel())
    else:
        data = frames.astype("<" + code).tobytes()
    head = struct.pack("<HHIIHH", 0xfffe if extensible else tag, channels, 8000, 8000, channels * bits // 8, bits)
    if extensible:
        head += struct.pack("<HHI", 22, bits, 0) + struct.pack("<H", tag) + bytes(14)
    return (b"RIFF" + struct.pack("<I", 0) + b"WAVE" + b"LIST" + struct.pack("<I", 3) + b"abc\0" +
            b"fmt " + struct.pack("<I", len(head)) + head + b"data" +
            struct.pack("<I", len(data) if size is None else size) + data)


@pytest.mark.parametrize("code, bits, tag, kind", [
    ("u1", 8, 1, "u1"), ("i2", 16, 1, "i2"), ("i4", 24, 1, "i4"), ("i4", 32, 1, "i4"), ("f4", 32, 3, "f4"),
    ("f8", 64, 3, "f8")])
def test_channels(heddle, tmp_path, code, bits, tag, kind):
    x = np.random.default_rng(4).integers(0 if code == "u1" else -100, 100, (40_000, 2)).astype(code)
    (tmp_path / "x.wav").write_bytes(sound(x, code, bits, tag, extensible=bits == 24))
    for k, name in enumerate(("left", "right")):
        heddle("convert", "-c", name, tmp_path / "x.wav", "-o", tmp_path / "y.npy")
        got = np.load(tmp_path / "y.npy")
        assert got.dtype == np.dtype(kind) and np.array_equal(got, x[:, k])
    assert float(heddle.text("sum", "-c", "2", stdin=sound(x, code, bits, tag, size=0))) == x[:, 1].sum(dtype="f8")
    assert float(heddle.text("median", "-c", "left", stdin=sound(x, code, bits, tag))) == np.median(x[:, 0])


def test_sound_of_others(heddle, tmp_path):
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(np.arange(-5, 100, dtype="<i2").tobytes())
    raw = out.getvalue()
    assert heddle.text("sum", stdin=raw) == f"{np.arange(-5, 100).sum()}\n"
    assert heddle.text("select", "mono > 97", stdin=raw) == "mono\n98\n99\n"
    assert "end too early" in heddle.error("sum", stdin=raw[:-7], code=1)
    assert "in front of its samples" in heddle.error("sum", stdin=raw[:30], code=1)
    assert "format 6" in heddle.error("sum", stdin=raw.replace(b"\x10\0\0\0\1\0", b"\x10\0\0\0\6\0", 1), code=1)
    x = np.zeros((10, 3))
    assert "3 'channel3'" in heddle.error("sum", stdin=sound(x, "i2", 16), code=2)
