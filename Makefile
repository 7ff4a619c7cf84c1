# Short names for what the CMake presets do; CONTRIBUTING.md says more.
#
#   make run ARGS="hist --bytes /bin/bash"     a release build of the command, run
#   make test                                  the development build and its tests
#   make bench                                 the benchmarks, each against its peers
#   make bench-simt                            the software CUDA device beside C loops
#   make fuzz FUZZ_SECONDS=60                  every fuzz target for so long
#   make install PREFIX=~/.local
#   make site                                  the documentation as pages, in build/site
#   make deb                                   Debian packages, in build/packages
#   make clean
ARGS ?= --help
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
PYTHON ?= $(if $(wildcard .venv/bin/python),$(CURDIR)/.venv/bin/python,python3)

.PHONY: run test bench bench-simt fuzz install site deb clean release
release:
	cmake --preset release -DHEDDLE_PYTHON=$(PYTHON) -DHEDDLE_TESTS=OFF >/dev/null
	cmake --build --preset release

run: release
	build/release/cli/heddle $(ARGS)

test:
	cmake --preset dev -DHEDDLE_PYTHON=$(PYTHON)
	cmake --build --preset dev
	ctest --preset dev

bench: release
	cmake --build --preset release --target run-bench

bench-simt: release
	$(PYTHON) bench/simt/run.py --build build/release --write

fuzz:
	cmake --preset fuzz
	cmake --build --preset fuzz
	FUZZ_SECONDS=$(FUZZ_SECONDS) ctest --preset fuzz --verbose

install: release
	cmake --install build/release --prefix $(PREFIX)

site:
	PYTHONDONTWRITEBYTECODE=1 $(PYTHON) docs/site/build.py build/site

# Debian has a folder of libraries an architecture.
deb:
	cmake -S . -B build/deb -DCMAKE_BUILD_TYPE=Release -DHEDDLE_TESTS=OFF -DHEDDLE_PYTHON_PACKAGE=OFF \
	  -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_LIBDIR=lib/$$(dpkg-architecture -qDEB_HOST_MULTIARCH)
	cmake --build build/deb --parallel $$(nproc)
	$(PYTHON) packaging/deb.py build/deb build/packages

clean:
	cmake -E rm -rf build
