"""Where CUDA's own compiler is installed, rungs compile with it, unchanged.

Method   nvcc.py, begun while other tests run. Without nvcc there is nothing to ask
"""
from nvcc import NVCC, Nvcc


def test_nvcc_takes_the_rungs(nvcc):
    if NVCC is None:
        return
    assert len(nvcc.sources) >= 110 // 4
    refused = nvcc.refused()
    assert not refused, "\n".join(refused)
    assert len(list(nvcc.folder.glob("*.cubin"))) == len(nvcc.sources)


def test_a_refusal_is_seen(tmp_path):
    if NVCC is None:
        return
    wrong, fine = tmp_path / "00_wrong.cu", tmp_path / "01_fine.cu"
    wrong.write_text("__global__ void k() { nothing(); }\nint main() {}\n", encoding="utf-8")
    fine.write_text("__global__ void k() {}\nint main() {}\n", encoding="utf-8")
    work = Nvcc([wrong, fine], [], tmp_path, 2)
    words, = work.refused()
    work.stop()
    assert str(wrong) in words and "nothing" in words
