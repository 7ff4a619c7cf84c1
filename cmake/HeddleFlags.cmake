# Flags of every object of the project, for the directories added after this file.
#
# -ffp-contract=off is part of the contract, not a taste: a compiler that fuses a multiply and
# an add of its own accord changes the bits of a result (docs/order.md, rule 12).
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_compile_options(-ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion)
if(HEDDLE_WERROR)
  add_compile_options(-Werror)
endif()

if(HEDDLE_SANITIZE)
  string(REPLACE ";" "," sanitizers "${HEDDLE_SANITIZE}")
  add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizers})
  # clang warns of a loop that it was asked to unroll and that the sanitizer's checks keep whole.
  if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    add_compile_options(-Wno-pass-failed)
  endif()
endif()

if(HEDDLE_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "HEDDLE_FUZZ needs clang for libFuzzer, but CMAKE_C_COMPILER is "
                        "${CMAKE_C_COMPILER}. Configure with -DCMAKE_C_COMPILER=clang, or use "
                        "cmake --preset fuzz.")
  endif()
  # Coverage of library and command code; each fuzz target links with -fsanitize=fuzzer.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# The installed command finds the library relative to itself, so that a tree can be moved.
file(RELATIVE_PATH heddle_bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set(CMAKE_INSTALL_RPATH "$ORIGIN/${heddle_bin_to_lib}")
