#!/bin/bash
# What conda-build runs in the source: $PREFIX is where it installs, $CPU_COUNT how many may compile.
set -euo pipefail
# shellcheck disable=SC2086 # conda's arguments are several words
cmake -S . -B build/conda -G Ninja ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_PREFIX_PATH="$PREFIX" \
  -DHEDDLE_TESTS=OFF -DHEDDLE_PYTHON_PACKAGE=OFF -DHEDDLE_MPI=OFF
cmake --build build/conda --parallel "${CPU_COUNT:-2}"
cmake --install build/conda
