"""Whose libraries a process gets: by name, by the path of a package's own, in a child, already loaded."""
import ctypes
import os
import subprocess
import sys


def name_of(path, mode=ctypes.DEFAULT_MODE):
    """The device's as its driver says, or which NVRTC it is."""
    library = ctypes.CDLL(path, mode)
    if "cuda" in os.path.basename(path):
        name = ctypes.create_string_buffer(100)
        assert library.cuInit(0) == 0 == library.cuDeviceGetName(name, 100, 0)
        return name.value.decode().split()[0]
    major = ctypes.c_int()
    assert library.nvrtcVersion(ctypes.byref(major), ctypes.byref(ctypes.c_int())) == 0
    return f"nvrtc {major.value}"


def main(folder, *more):
    names = ["libcuda.so.1", "libcuda.so", "libnvrtc.so.12", "libnvrtc.so", f"{folder}/libnvrtc.so.13",
             f"{folder}/libcuda.so.1"]
    print(*[name_of(n) for n in names], name_of("libcuda.so.1", os.RTLD_NOLOAD | os.RTLD_NOW), sep=", ")
    print(hasattr(ctypes.CDLL(f"{folder}/libcudafoo.so.1"), "cuInit"))
    if not more:
        subprocess.run([sys.executable, __file__, folder, "child"], check=True)


main(*sys.argv[1:])
