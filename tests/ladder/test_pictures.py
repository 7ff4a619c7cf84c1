"""Pictures: the pixels that the kernels must give, and the files that the tool makes of them."""

import functools
import math
import struct
import zlib

import numpy as np
import pytest

from conftest import SCHEDULES

WAVE = [math.sin(x * 2 * math.pi / 128) + 1 for x in range(128)]


def wave(x, y):
    return int(255 * WAVE[x % 128] * WAVE[y % 128] / 4)


def chunks(data):
    """(type, data) of every chunk; checks signature and CRCs."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, found = 8, []
    while at < len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        crc, = struct.unpack(">I", data[at + 8 + length:at + 12 + length])
        assert crc == zlib.crc32(kind + body), kind
        found.append((kind, body))
        at += 12 + length
    assert found[0][0] == b"IHDR" and found[-1] == (b"IEND", b"")
    return found


def unfilter(packed, width, height):
    """Rows of RGBA of a zlib stream with the filters of PNG 1.2, ch. 6. A byte needs those on its
    left and above it: all pixels of one x + y are done at once."""
    raw = np.frombuffer(zlib.decompress(packed), np.uint8)
    assert raw.size == (4 * width + 1) * height
    raw = raw.reshape(height, 4 * width + 1)
    kind, line = raw[:, 0], raw[:, 1:].reshape(height, width, 4)
    assert kind.max() <= 4
    done = np.zeros((height + 1, width + 1, 4), np.int16)  # with a row above and a column before
    for diagonal in range(width + height - 1):
        y = np.arange(max(0, diagonal - width + 1), min(height, diagonal + 1))
        x = diagonal - y
        wanted = predict(kind[y, None], done[y + 1, x], done[y, x + 1], done[y, x])
        done[y + 1, x + 1] = (line[y, x] + wanted) & 255
    return [row.tobytes() for row in done[1:, 1:].astype(np.uint8)]


def predict(kind, left, above, corner):
    """Of arrays: none, left, above, their mean, or that nearest to left + above - corner."""
    p = left + above - corner
    to_left, to_above, to_corner = abs(p - left), abs(p - above), abs(p - corner)
    paeth = np.where((to_left <= to_above) & (to_left <= to_corner), left,
                     np.where(to_above <= to_corner, above, corner))
    return np.choose(kind, [np.zeros_like(left), left, above, (left + above) // 2, paeth])


@functools.cache
def read_png(path):
    """width, height, rows of a PNG's first picture."""
    found = chunks(path.read_bytes())
    width, height, depth, colour = struct.unpack(">IIBB", found[0][1][:10])
    assert (depth, colour) == (8, 6)
    packed = b"".join(body for kind, body in found if kind == b"IDAT")
    return width, height, unfilter(packed, width, height)


def read_frames(path, bytes_a_frame):
    """The raw frames of --picture."""
    data, frames = path.read_bytes(), []
    while data:
        head, data = data.split(b"ENDHDR\n", 1)
        assert head.startswith(b"P7\n")
        frames.append(data[:bytes_a_frame])
        data = data[bytes_a_frame:]
    return frames


@pytest.fixture(scope="module")
def drawn(ladder_tool, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictures")
    return ladder_tool("pictures", "--out", folder), folder


def test_tool_leaves_the_pictures(drawn):
    done, folder = drawn
    names = {path.name for path in folder.iterdir()}
    assert names == {"ripple.png", "ripple_animation.png", "tiles.png", "tiles_broken.png",
                     "tiles_side_by_side.png"}
    assert done.stdout.splitlines()[-1] == "2 right, 1 caught, 0 wrong"
    for name in names:
        assert str(folder / name) in done.stdout


def test_ripple_png(drawn):
    width, height, rows = read_png(drawn[1] / "ripple.png")
    assert (width, height) == (256, 256)
    assert rows[128][4 * 128:4 * 129] == b"\xff\xff\xff\xff"  # the centre at t = 0
    for y in range(0, 256, 7):
        for x in range(256):
            d = math.hypot(x - 128, y - 128)
            want = int(128 + 127 * math.cos(d / 10) / (d / 10 + 1))
            r, g, b, alpha = rows[y][4 * x:4 * x + 4]
            assert r == g == b and alpha == 255 and abs(r - want) <= 1, (x, y)


def test_ripple_animation(drawn):
    found = chunks((drawn[1] / "ripple_animation.png").read_bytes())
    kinds = [kind for kind, _ in found]
    assert kinds[:4] == [b"IHDR", b"acTL", b"fcTL", b"IDAT"]
    assert kinds[4:-1] == [b"fcTL", b"fdAT"] * 43
    assert struct.unpack(">II", found[1][1]) == (44, 0)  # frames; for ever
    numbers = [struct.unpack(">I", body[:4])[0] for kind, body in found
               if kind in (b"fcTL", b"fdAT")]
    assert numbers == list(range(87))
    controls = [struct.unpack(">IIIIIHHBB", body) for kind, body in found if kind == b"fcTL"]
    assert all(c[1:5] == (256, 256, 0, 0) and c[5:] == (60, 1000, 0, 0) for c in controls)
    frames = [body if kind == b"IDAT" else body[4:] for kind, body in found
              if kind in (b"IDAT", b"fdAT")]
    rows = unfilter(frames[22], 256, 256)
    assert rows[128][4 * 128:4 * 129] == b"\x01\x01\x01\xff"  # the centre at t = 22
    assert unfilter(frames[0], 256, 256) == read_png(drawn[1] / "ripple.png")[2]


def test_tiles_png(drawn):
    width, height, rows = read_png(drawn[1] / "tiles.png")
    assert (width, height) == (1024, 1024)
    green = [row[1::4] for row in rows]
    assert sum(map(sum, green)) == 66360512
    assert (green[0][0], green[15][15], green[47][47]) == (178, 63, 255)
    for y in range(0, 1024, 5):
        for x in range(1024):
            assert green[y][x] == wave(x // 16 * 16 + 15 - x % 16, y // 16 * 16 + 15 - y % 16)
    assert all(set(row[0::4]) == set(row[2::4]) == {0} and set(row[3::4]) == {255}
               for row in rows)


def test_broken_tiles_and_side_by_side(drawn):
    right, broken = (read_png(drawn[1] / name)[2] for name in ("tiles.png", "tiles_broken.png"))
    assert sum(a != b for one, two in zip(right, broken)
               for a, b in zip(one[1::4], two[1::4])) > 100000
    width, height, both = read_png(drawn[1] / "tiles_side_by_side.png")
    assert (width, height) == (1024 + 16 + 1024, 1024)
    assert [row[:4096] for row in both] == right
    assert [row[4096 + 64:] for row in both] == broken
    assert {row[4096:4096 + 64] for row in both} == {b"\xff" * 64}


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_ripple_facts(ladder_run, schedule):
    run = ladder_run("pictures/01", schedule=schedule)
    assert run.status == 0, run
    assert run.lines[:3] == [
        "DIM 256: thread (3,5) of block (12,8) is pixel (195,133), offset 34243",
        "centre at t = 0: 255", "centre at t = 22: 1"]


@pytest.mark.parametrize("dim", [1, 15, 16, 17, 100])
def test_ripple_of_any_size(ladder_run, tmp_path, dim):
    frames = tmp_path / "frames"
    assert ladder_run("pictures/01", "--size", dim, "--picture", frames).status == 0
    found = read_frames(frames, 4 * dim * dim)
    assert len(found) == 44 and {len(f) for f in found} == {4 * dim * dim}


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_tiles_facts(ladder_run, schedule):
    run = ladder_run("pictures/02", schedule=schedule)
    assert run.status == 0, run
    assert run.lines[0] == "green (0,0) = 178, (15,15) = 63, (47,47) = 255, sum 66360512"
    assert run.lines[1] == "8-way bank conflicts" and run.json["wrong_pixels"] == 0


@pytest.mark.parametrize("dim", [1, 16, 48, 1000])
def test_tiles_of_any_size(ladder_run, dim):
    assert ladder_run("pictures/02", "--size", dim).status == 0


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_missing_barrier_shows(ladder_run, schedule):
    run = ladder_run("pictures/03", schedule=schedule)
    assert run.status == 3 and "race" in run.json["why"] + run.err, run
    assert run.json["wrong_pixels"] > 100000
