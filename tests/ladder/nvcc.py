"""CUDA's own compiler, where it is installed, on many sources at a time.

Method   to a cubin for one architecture, without a GPU: its front end reads the whole source, the
         host's part with it; g++, which comes next, has the same text in other tests. The sources
         wait in a queue for `processors` threads, so that the caller can do something else before
         it asks
"""
import pathlib
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

NVCC = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")


class Nvcc:
    """The compiler at work on `sources`; does nothing where there is none."""

    def __init__(self, sources, options, folder, processors):
        self.options, self.folder = list(map(str, options)), pathlib.Path(folder)
        self.sources = sources if NVCC else []
        self.pool = ThreadPoolExecutor(processors)
        self.answers = [self.pool.submit(self.compile, source) for source in self.sources]

    def compile(self, source):
        """The compiler's words if it refuses the source, else None."""
        out = self.folder / f"{source.parent.name}_{source.stem}.cubin"
        done = subprocess.run([NVCC, "-arch=sm_90", "-cubin", source, "-o", out, *self.options],
                              capture_output=True, text=True, timeout=300)
        if done.returncode == 0 and out.exists():
            return None
        return f"{source}: status {done.returncode}, {done.stdout}{done.stderr}"

    def refused(self):
        """Waits for all; the words about each source that was refused."""
        return [words for words in (answer.result() for answer in self.answers) if words]

    def stop(self):
        self.pool.shutdown(cancel_futures=True)
