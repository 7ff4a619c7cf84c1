"""States over torch.distributed: pickled by all_gather_object, they are one array on every rank."""

import functools
import operator
import os
import subprocess
import sys

import numpy as np
import pytest

import heddle as hd

RANK = """
import functools, operator, sys
import numpy as np, torch.distributed as dist
import heddle as hd

dist.init_process_group("gloo", init_method="file://" + sys.argv[1], rank=int(sys.argv[2]), world_size=3)
rank, x = dist.get_rank(), 1 / np.arange(1, 100_001, dtype=np.float32)
cuts = [0, 12_345, 12_345, 100_000]
start, piece = cuts[rank], x[cuts[rank]:cuts[rank + 1]]
states = [None] * dist.get_world_size()
dist.all_gather_object(states, hd.state.sum(piece, start=start))
total = functools.reduce(operator.or_, states)
before = functools.reduce(operator.or_, states[:rank], hd.Reduction("sum"))
running = hd.Scan("sum", prefix=before).update(piece)
print(float(total.result()).hex(), running.tobytes().hex())
dist.destroy_process_group()
"""


@pytest.mark.torch
def test_three_ranks(tmp_path):
    environment = {**os.environ, "GLOO_SOCKET_IFNAME": "lo"}
    ranks = [subprocess.Popen([sys.executable, "-c", RANK, str(tmp_path / "meeting"), str(rank)],
                              stdout=subprocess.PIPE, text=True, env=environment)
             for rank in range(3)]
    said = [rank.communicate(timeout=240)[0].split() for rank in ranks]
    assert all(rank.returncode == 0 for rank in ranks)
    x = 1 / np.arange(1, 100_001, dtype=np.float32)
    assert {words[0] for words in said} == {float(hd.sum(x)).hex()}
    parts = b"".join(bytes.fromhex(words[1]) if len(words) > 1 else b"" for words in said)
    assert parts == hd.cumsum(x).tobytes()
    assert functools.reduce(operator.or_, [hd.state.sum(x)]).result() == hd.sum(x)
