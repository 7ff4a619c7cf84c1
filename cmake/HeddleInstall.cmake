# What a user of the library gets: the header, the library with its symbol versions, a CMake
# package and a pkg-config file. Both find the tree by their own place, so it can be moved.
include(CMakePackageConfigHelpers)

set_target_properties(
  heddle
  PROPERTIES VERSION ${PROJECT_VERSION}
             SOVERSION 0
             INSTALL_RPATH ""
             EXPORT_NAME heddle)

# The fuzz targets are after the command's readers. Coverage and checks in the vector templates,
# which asan-ubsan tests, would only make clang take ten minutes for them.
if(HEDDLE_FUZZ)
  target_compile_options(heddle PRIVATE -fno-sanitize=undefined,fuzzer-no-link)
endif()

get_target_property(heddle_kind heddle TYPE)
if(heddle_kind STREQUAL "SHARED_LIBRARY")
  target_link_options(heddle PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/src/heddle.map)
  set_property(TARGET heddle APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/src/heddle.map)
  # A sanitizer's run-time library is resolved by the program, not by this library.
  if(NOT HEDDLE_SANITIZE AND NOT HEDDLE_FUZZ)
    target_link_options(heddle PRIVATE -Wl,-z,defs)
  endif()
  set(heddle_needs_threads OFF)
  set(heddle_pc_libs "")
  set(heddle_pc_libs_private "-lm -ldl -pthread")
else()
  set(heddle_needs_threads ON)
  set(heddle_pc_libs "-lm -ldl -pthread")
  set(heddle_pc_libs_private "")
endif()

install(
  TARGETS heddle
  EXPORT heddle-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# heddle_mpi.h, heddle_nccl.h and heddle.f90 are compiled by who has an MPI, NCCL, or a Fortran compiler.
install(FILES ${PROJECT_SOURCE_DIR}/include/heddle.h ${PROJECT_SOURCE_DIR}/include/heddle_mpi.h
              ${PROJECT_SOURCE_DIR}/include/heddle_nccl.h
              ${PROJECT_SOURCE_DIR}/include/heddle.f90
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(heddle_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
install(
  EXPORT heddle-targets
  NAMESPACE heddle::
  DESTINATION ${heddle_cmake_dir})
configure_package_config_file(cmake/heddleConfig.cmake.in ${PROJECT_BINARY_DIR}/heddleConfig.cmake
                              INSTALL_DESTINATION ${heddle_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/heddleConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/heddleConfig.cmake
              ${PROJECT_BINARY_DIR}/heddleConfigVersion.cmake DESTINATION ${heddle_cmake_dir})

# LIBDIR may have several levels (lib/x86_64-linux-gnu): count them, don't assume one.
set(heddle_pc_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH heddle_pc_to_prefix ${heddle_pc_dir} ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" heddle_pc_to_prefix "${heddle_pc_to_prefix}")
file(RELATIVE_PATH heddle_pc_libdir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH heddle_pc_includedir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(heddle.pc.in ${PROJECT_BINARY_DIR}/heddle.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/heddle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
