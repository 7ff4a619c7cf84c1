# This architecture, tests run by qemu-user as the processor HEDDLE_MASKED_CPU (qemu's name), which has
# fewer instructions than this machine may have: one that it lacks ends the program.
set(CMAKE_SYSTEM_NAME ${CMAKE_HOST_SYSTEM_NAME})
set(CMAKE_SYSTEM_PROCESSOR ${CMAKE_HOST_SYSTEM_PROCESSOR})
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HEDDLE_MASKED_CPU)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-${CMAKE_HOST_SYSTEM_PROCESSOR};-cpu;${HEDDLE_MASKED_CPU}")
