# This architecture, tests run by qemu-user as a processor that has fewer instructions than this machine may
# have: one that it lacks ends the program. Which one is said by QEMU_CPU in the environment of a test, as the
# presets set it; HEDDLE_MASKED_CPU (qemu's name) is the least of them.
set(CMAKE_SYSTEM_NAME ${CMAKE_HOST_SYSTEM_NAME})
set(CMAKE_SYSTEM_PROCESSOR ${CMAKE_HOST_SYSTEM_PROCESSOR})
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HEDDLE_MASKED_CPU)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-${CMAKE_HOST_SYSTEM_PROCESSOR}")
