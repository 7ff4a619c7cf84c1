"""Includes point downward only, and what is special stands in one place.

The layers are in CONTRIBUTING.md. A file may include from its own folder and from those that
its row of ALLOWED names.
"""
import ast
import pathlib
import re

import tree

# The longest matching folder decides.
ALLOWED = {
    "include": [],
    "base": [],  # knows nothing of Heddle
    "src/order": ["include"],  # knows numbers, nothing of devices
    # the order's text for CUDA C, of loads and shuffles alone
    "src/order/device": ["src/order"],
    "src/order/exact": ["src/order", "include"],
    "src/host": ["src/order", "include"],  # threads and the processor; knows no primitive
    "src/bins": ["src/order", "src/host", "include"],
    "src/kernels": ["src/order/device", "src/order/exact", "src/order"],
    # a back end fills the struct of src/api/backend.h and sees nothing else of that room
    "src/cpu": ["src/order/exact", "src/order", "src/host", "src/bins", "src/api/backend.h", "include"],
    "src/cuda": ["src/order/device", "src/order/exact", "src/order", "src/host", "src/bins", "src/kernels",
                 "src/api/backend.h", "include"],
    # arrays in several places: over the entries of a back end, whichever
    "src/parts": ["src/order/exact", "src/order", "src/host", "src/bins", "src/api/backend.h", "include"],
    # a back end that is made of others
    "src/group": ["src/parts", "src/order", "src/host", "src/api/backend.h", "include"],
    "src/api": ["src/api/state", "src/parts", "src/order/exact", "src/order", "src/host", "src/bins", "include"],
    "src/api/rank": ["src/api", "src/order/exact", "src/order", "src/host", "src/bins", "include"],
    "src/api/select": ["src/api", "src/order", "src/host", "include"],
    "src/api/state": ["src/api", "src/api/rank", "src/order/exact", "src/order", "src/host", "src/bins", "include"],
    "src/api/groups": ["src/api", "src/order", "src/host", "include"],
    # rooms of the command, from the ground up; main.c uses the table of commands and its help
    "cli": ["cli/input/helper/hdf5.h", "cli/options", "cli/output", "cli/report", "base", "include"],
    "cli/text": ["include"],
    "cli/report": ["cli/text", "base"],
    "cli/output": ["cli/report", "cli/text", "base", "include"],
    # container.c hands a file to the room that reads it
    "cli/input": ["cli/input/array/array.h", "cli/input/arrow/arrow.h", "cli/input/helper/parquet.h", "cli/input/helper/hdf5.h",
                  "cli/input/table/npy_table.h", "cli/input/table/wav.h", "cli/output", "cli/report", "cli/text", "include"],
    "cli/input/array": ["cli/input", "cli/output", "cli/report", "cli/text", "include"],
    "cli/input/table": ["cli/input", "cli/input/array/little.h", "cli/output", "cli/report", "cli/text", "include"],
    "cli/input/arrow": ["cli/input/table", "cli/input", "cli/report", "cli/text", "include"],
    "cli/input/helper": ["cli/input/array/names.h", "cli/input/arrow", "cli/input/table", "cli/input", "cli/output", "cli/report",
                         "cli/text", "include"],
    "cli/input/text": ["cli/input", "cli/output", "cli/report", "cli/text", "include"],
    "cli/options": ["cli/input", "cli/output", "cli/report", "cli/text", "base", "include"],
    "cli/expression": ["cli/report", "cli/text", "include"],
    "cli/plot": ["cli/output", "cli/report", "base"],
    "cli/commands/where": ["cli/expression", "cli/input", "cli/report", "cli/text", "include"],
    "cli/commands": ["cli/commands/where", "cli/expression", "cli/options", "cli/input", "cli/output", "cli/report", "cli/text", "include"],
    "cli/commands/convert": ["cli/commands", "cli/options", "cli/input", "cli/input/helper", "cli/input/table",
                             "cli/output", "cli/report", "cli/text", "include"],
    # the command in several processes
    "cli/mpi": ["cli/commands", "cli/options", "cli/output", "cli/report", "include"],
    "cli/commands/info": ["cli/commands", "cli/options", "cli/output", "cli/report", "cli/text", "include"],
    "cli/commands/bench": ["cli/commands", "cli/options", "cli/output", "cli/report", "cli/text",
                           "base", "include"],
    "cli/commands/rank": ["cli/commands/sort", "cli/commands", "cli/options", "cli/input", "cli/output",
                          "cli/report", "cli/text", "include"],
    "cli/commands/group/rows": ["cli/commands", "cli/expression", "cli/options", "cli/input", "cli/input/table",
                                "cli/report", "cli/text", "base", "include"],
    "cli/commands/group": ["cli/commands/group/rows", "cli/commands/sort", "cli/commands", "cli/expression", "cli/options", "cli/input",
                           "cli/input/table", "cli/output", "cli/report", "cli/text", "base", "include"],
    "cli/commands/describe": ["cli/commands/group", "cli/commands/group/rows", "cli/commands/sort", "cli/commands",
                              "cli/expression", "cli/options", "cli/input", "cli/output", "cli/report", "cli/text",
                              "base", "include"],
    "cli/commands/sort": ["cli/commands", "cli/options", "cli/input", "cli/output", "cli/report", "cli/text",
                          "include"],
    "cli/commands/figure": ["cli/commands/rank", "cli/commands", "cli/options", "cli/input", "cli/output",
                            "cli/report", "cli/text", "include"],
    "cli/commands/uniq": ["cli/commands/sort", "cli/commands/group/reader.h", "cli/commands/group/rows/keys.h",
                          "cli/commands", "cli/options", "cli/input", "cli/output", "cli/report", "cli/text", "base",
                          "include"],
    "cli/commands/select": ["cli/commands/group", "cli/commands/group/rows", "cli/commands/where", "cli/commands", "cli/expression",
                            "cli/options", "cli/input", "cli/output", "cli/report", "cli/text", "include"],
    "cli/commands/hist2d": ["cli/commands", "cli/plot", "cli/options", "cli/input", "cli/output",
                            "cli/report", "cli/text", "include"],
    "cli/commands/ecdf": ["cli/commands", "cli/plot", "cli/options", "cli/input", "cli/output",
                          "cli/report", "cli/text", "include"],
    "cli/commands/box": ["cli/commands/group", "cli/commands/group/rows", "cli/commands/rank", "cli/commands/sort",
                         "cli/commands", "cli/plot", "cli/options", "cli/input", "cli/output", "cli/report",
                         "cli/text", "include"],
    "cli/commands/hist": ["cli/commands", "cli/plot", "cli/options", "cli/input", "cli/output",
                          "cli/report", "cli/text", "include"],
    "python/native": ["python/native/columns", "python/native/copies", "python/native/errors",
                      "python/native/tensors", "include"],
    "python/native/columns": ["python/native", "python/native/errors", "include"],
    "python/native/copies": ["python/native", "include"],
    "python/native/errors": ["python/native", "python/native/copies", "include"],
    "python/native/histogram": ["python/native", "include"],
    "python/native/reduce": ["python/native", "python/native/copies", "python/native/errors",
                             "include"],
    "python/native/tensors": ["python/native", "python/native/histogram", "include"],
    "simt/include": [],  # what a CUDA program includes, and the library's side of it
    "simt/device": ["simt/include"],
    "simt/device/schedule": ["simt/device"],
    "simt/device/sync": ["simt/device/schedule", "simt/device"],
    "simt/device/fault": ["simt/device"],
    "simt/runtime": ["simt/device", "simt/include"],
    "simt/runtime/execution": ["simt/runtime", "simt/device"],
    "simt/runtime/memory": ["simt/runtime", "simt/device", "simt/include"],
    "simt/runtime/graph": ["simt/runtime", "simt/device"],
    "simt/runtime/texture": ["simt/runtime", "simt/device", "simt/include"],
    "simt/driver": ["simt/include"],
    "simt/driver/modules": ["simt/driver", "simt/include"],
    "simt/math": ["simt/include"],
    "simt/curand": ["simt/runtime", "simt/device", "simt/include"],
    # rooms of the rewriter: passes know the unit and seldom another room
    "simt/rewrite": ["simt/rewrite/unit", "base"],
    "simt/rewrite/unit": ["base"],
    "simt/rewrite/ptx": ["base"],
    "simt/rewrite/kernels": ["simt/rewrite", "simt/rewrite/unit"],
    "simt/rewrite/loops": ["simt/rewrite", "simt/rewrite/unit"],
    "simt/rewrite/device": ["simt/rewrite/loops", "simt/rewrite/ptx", "simt/rewrite"],
    # rooms of the checker, from the ground up; its own files set it up and use them all
    "simt/check": ["simt/check/shadow", "simt/check/memory", "simt/check/streams", "simt/check/race",
                   "simt/runtime", "simt/device", "simt/include"],
    "simt/check/shadow": ["simt/check", "simt/device", "simt/include"],
    "simt/check/memory": ["simt/check/shadow", "simt/check", "simt/runtime", "simt/device"],
    "simt/check/streams": ["simt/check/shadow", "simt/check", "simt/device"],
    "simt/check/host": ["simt/check/shadow", "simt/check/memory", "simt/check/streams", "simt/check",
                        "simt/runtime", "simt/device"],
    "simt/check/race": ["simt/check/shadow", "simt/check/memory", "simt/check/streams", "simt/check",
                        "simt/device"],
    # the compiler's calls before every access are the profiler's, too
    "simt/check/access": ["simt/check/shadow", "simt/check/memory", "simt/check/host",
                          "simt/check/race", "simt/check", "simt/profile", "simt/runtime",
                          "simt/device"],
    "simt/profile": ["simt/runtime", "simt/device/schedule", "simt/device", "simt/include"],
    # rooms of the toolchain, from the ground up
    "simt/toolchain": ["base"],
    "simt/toolchain/symbols": ["simt/toolchain", "base"],
    "simt/toolchain/cache": ["simt/toolchain", "base"],
    "simt/toolchain/compile": ["simt/toolchain/cache", "simt/toolchain", "simt/rewrite", "base"],
    "simt/toolchain/nvcc": ["simt/toolchain/compile", "simt/toolchain", "base"],
    "simt/toolchain/program": ["simt/toolchain/compile", "simt/toolchain/cache", "simt/toolchain",
                               "base"],
    # of the driver API what the two libraries share: images, and errors on demand
    "simt/nvrtc": ["simt/toolchain/compile", "simt/toolchain/cache", "simt/toolchain",
                   "simt/rewrite", "simt/driver", "simt/include", "base"],
    # the observers' files are their interface to the tools that read them
    "simt/report/html": ["base"],
    "simt/report": [],
    "simt/report/check": ["simt/toolchain/symbols", "simt/toolchain", "simt/check", "simt/device",
                          "simt/include", "base"],
    "simt/report/profile": ["simt/report/html", "simt/toolchain/symbols", "simt/profile", "base"],
    "simt/tools": ["simt/report/check", "simt/report/profile", "simt/report",
                   "simt/toolchain/nvcc", "simt/toolchain/program", "simt/toolchain/compile",
                   "simt/toolchain/symbols",
                   "simt/toolchain", "base"],
    "ladder": ["ladder/common"],
    "ladder/tool": ["base"],
    "ladder/tool/run": ["ladder/tool", "simt/device", "base"],  # findings.def
    # one style of page
    "ladder/tool/show": ["ladder/tool/run", "ladder/tool", "simt/report/html", "base"],
    "bench": ["base", "include"],
    "conformance": ["include"],  # conformance.c itself knows nothing of Heddle
    "tests/base": ["base"],
    "tests/c": ["include"],
    "tests/nccl": ["include", "tests/nccl/stand_in"],
    "tests/nccl/stand_in": [],  # named as CUDA's and NCCL's headers
    "tests/conformance": ["conformance", "include"],
    "tests/cli_unit": ["cli/input", "cli/output", "cli/report", "cli/text", "include"],
    "tests/gpu": [],
    # lists of types and operators; parts of an array have no public entry
    "tests/kernels": ["tests/c", "src/api/backend.h", "include"],
    "tests/simt": ["simt/rewrite", "simt/rewrite/unit", "base"],
    "tests/simt/device_unit": ["simt/device"],
    "tests/fuzz": ["cli/input", "cli/output", "cli/report", "cli/text", "cli/commands/hist", "cli/commands/group/rows",
                   "cli/expression",
                   "simt/rewrite", "simt/rewrite/unit", "simt/toolchain/symbols",
                   "simt/report/check", "simt/check", "include"],
    "tests/install": ["include"],
    "tests/mpi": ["include"],
}
INTRINSICS = re.compile(r"\b(?:[a-z]*mmintrin|x86intrin|x86gprintrin|arm_neon|arm_sve)\.h\b"
                        r"|\b_mm(?:256|512)?_\w+|\b_tile_\w+")
# Denormals are kept by setting MXCSR on entry; the copy knows bytes and no element.
OUTSIDE = {"src/host/float_state.c": {"x86intrin.h", "_mm_getcsr", "_mm_setcsr"},
           "src/host/bulk_copy.c": {"immintrin.h", "_mm256_loadu_si256", "_mm256_stream_si256",
                                    "_mm_sfence"}}


def layer_of(path):
    folder = path.parent
    while str(folder) not in ALLOWED:
        assert folder != folder.parent, f"{path} is in no layer: add its folder to ALLOWED"
        folder = folder.parent
    return str(folder)


def quoted_includes(text):
    return re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, flags=re.M)


def resolve(path, name, folders):
    """The file that `#include "name"` in path means, if it is one of the project's.

    Rooms of src, of cli and of simt name each other's files from there, base from the top.
    """
    roots = {"src": ["src"], "cli": ["cli"], "simt": ["simt"], "ladder": ["simt"],
             "tests": ["src", "cli", "simt"]}.get(path.parts[0], [])
    for folder in [path.parent, pathlib.Path(layer_of(path)),
                   *map(pathlib.Path, [*folders, *roots, "."])]:
        if (tree.ROOT / folder / name).is_file():
            return pathlib.Path(tree.os.path.normpath(folder / name))
    return None


def violations(path, text):
    layer = layer_of(path)
    allowed = list(ALLOWED[layer])
    if layer == "tests/c" and "white-box" in text[:text.find("*/")]:
        allowed += [room for room in ALLOWED if room.startswith("src/")]
    if str(path) == "ladder/tool/main.c":  # it calls the rooms in their order
        allowed += ["ladder/tool/run", "ladder/tool/show"]
    if path.name == "lazy_driver.c":  # a driver that stands before the software device's
        allowed += ["simt", "simt/driver", "simt/include"]
    for name in quoted_includes(text):
        target = resolve(path, name, allowed)
        if target is None:
            yield f'{path}: "{name}" is in none of {[layer, *allowed]}'
            continue
        folder = layer_of(target)
        if folder != layer and folder not in allowed and str(target) not in allowed:
            yield f'{path}: "{name}" reaches into {folder}/'


def test_includes_point_downward():
    kernels = [p for p in tree.source_files() if p.suffix == ".cu" and p.parts[0] == "src"]
    found = [v for path in [*tree.c_files(), *kernels] for v in violations(path, tree.read(path))]
    assert not found, "\n".join(found)


def test_the_include_check_finds_violations():
    text = '/* a */\n#include "api/backend.h"\n'
    assert list(violations(pathlib.Path("cli/main.c"), text))
    assert list(violations(pathlib.Path("tests/c/test_a.c"), text))
    assert not list(violations(pathlib.Path("tests/c/test_a.c"), "/* white-box */\n" + text))
    assert list(violations(pathlib.Path("src/cpu/a.c"), '#include "../../cli/report/failure.h"\n'))
    assert list(violations(pathlib.Path("cli/text/a.c"), '#include "input/input.h"\n'))
    assert not list(violations(pathlib.Path("cli/input/a.c"), '#include "text/number.h"\n'))
    assert list(violations(pathlib.Path("src/order/device/a.h"), '#include "kernels/base/device.h"\n'))
    assert not list(violations(pathlib.Path("src/kernels/fold/a.cu"), '#include "order/device/warp.h"\n'))
    assert list(violations(pathlib.Path("src/cpu/a.c"), '#include "cuda/core/cuda.h"\n'))
    assert list(violations(pathlib.Path("src/cpu/a.c"), '#include "api/api.h"\n'))
    assert not list(violations(pathlib.Path("src/cpu/a.c"), '#include "api/backend.h"\n'))


def module_imports(name, text):
    """The modules of its own package that a module imports, and that it knows only for their types.

    `from ._room import module` is an import of that module, `from .module import name` of this one.
    """
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.level:
            folder = name.split(".")[:-node.level] + ([node.module] if node.module else [])
            for alias in node.names:
                yield ".".join([*folder, alias.name])


def package_imports():
    """Each module of the Python package, as "_arrays.operand", and those that it imports."""
    texts = {".".join(path.with_suffix("").parts[2:]): tree.read(path)
             for path in tree.python_files() if path.parts[:2] == ("python", "heddle")}
    texts["_constants"] = ""  # which the build writes
    known = {}
    for name, text in texts.items():
        found = {m if m in texts or f"{m}.__init__" in texts else m.rpartition(".")[0]
                 for m in module_imports(name, text)}
        known[name] = {f"{m}.__init__" if f"{m}.__init__" in texts else m for m in found}
    return known


def cycles(imports):
    """Modules that import themselves in a roundabout way, as the names on that way."""
    def search(name, way):
        if name in way:
            yield [*way[way.index(name):], name]
            return
        for other in imports.get(name, ()):
            yield from search(other, [*way, name])
    return [way for name in imports for way in search(name, []) if way[0] == name]


def test_modules_of_the_python_package_import_downward():
    imports = package_imports()
    assert imports["_native"] == {"_constants", "_libraries", "_messages"}
    assert not imports["_libraries"] and not imports["_messages"]
    assert set().union(*imports.values()) <= set(imports), "an import of no module of the package"
    assert not cycles(imports)


def test_the_import_check_finds_cycles():
    text = "from ._a import b\nfrom . import _c\nimport os\n"
    assert list(module_imports("_m", text)) == ["_a.b", "_c"]
    assert list(module_imports("_r.m", text + "if t:\n  from .. import _d\n")) == ["_r._a.b", "_r._c", "_d"]
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"a"}})
    assert not cycles({"a": {"b", "c"}, "b": {"c"}, "c": set()})


def test_intrinsics_stand_in_the_vector_vocabularies_only():
    found = []
    for path in tree.c_files():
        vocabulary = path.parent == pathlib.Path("src/cpu/vec")
        if not vocabulary and path.parts[0] in ("src", "cli"):
            code = tree.without_comments(tree.read(path))
            words = {m.group(0) for m in INTRINSICS.finditer(code)}
            words -= OUTSIDE.get(str(path), set())
            found += [f"{path}: {word}" for word in sorted(words)]
    assert not found, "\n".join(found)


def test_the_environment_is_read_in_one_file():
    readers = [str(path) for path in tree.c_files() if path.parts[0] == "src"
               and re.search(r"\b(?:secure_)?getenv\b|\benviron\b",
                             tree.without_comments(tree.read(path)))]
    assert readers == ["src/host/environment.c"]


def test_the_header_needs_two_standard_headers_only():
    header = tree.read("include/heddle.h")
    assert re.findall(r"#\s*include\s+(.*)", header) == ["<stddef.h>", "<stdint.h>"]
