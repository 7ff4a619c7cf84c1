# The numbers of C headers as a Python module: cmake -DOUT=FILE "-DHEADERS=a.h;b.h" -P this
#
# Every enumerator and every macro that is a whole number, in the headers' order and without HEDDLE_:
# HEDDLE_BINS_EVEN is BINS_EVEN.
cmake_minimum_required(VERSION 3.23)

set(number "-?[0-9]+")
set(enumerator "HEDDLE_[A-Z0-9_]+ = ${number}")
set(macro "#define HEDDLE_[A-Z0-9_]+ +(${number}|[(]${number} - ${number}[)])")
set(module "\"\"\"The numbers of heddle.h and fast.h; written by python/constants.cmake.\"\"\"\n")
foreach(header IN LISTS HEADERS)
  file(READ ${header} text)
  string(REGEX MATCHALL "\nenum [{]|\ntypedef enum [a-z_]+|${enumerator}|${macro}" found "${text}")
  foreach(item IN LISTS found)
    if(item MATCHES "^\ntypedef enum ([a-z_]+)$")
      string(APPEND module "\n# ${CMAKE_MATCH_1}\n")
    elseif(item MATCHES "^#define HEDDLE_([A-Z0-9_]+) +(.+)$")
      string(APPEND module "\n${CMAKE_MATCH_1} = ${CMAKE_MATCH_2}\n")
    elseif(item MATCHES "^HEDDLE_(.+)$")
      string(APPEND module "${CMAKE_MATCH_1}\n")
    else()
      string(APPEND module "\n")
    endif()
  endforeach()
endforeach()
file(WRITE ${OUT} "${module}")
