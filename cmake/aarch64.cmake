# Cross build for arm64 Linux by Debian's gcc-aarch64-linux-gnu, tests run by qemu-user.
# Libraries come from build/aarch64-libraries, which scripts/aarch64_libraries fills.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64;-L;/usr/aarch64-linux-gnu")

set(heddle_arm_libraries ${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-libraries)
set(CMAKE_FIND_ROOT_PATH ${heddle_arm_libraries})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${heddle_arm_libraries})
set(ENV{PKG_CONFIG_LIBDIR} ${heddle_arm_libraries}/usr/lib/aarch64-linux-gnu/pkgconfig)
