# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds the LLVM and Clang that tool/ is built against and its tests run.

if(NOT LLVM_DIR AND NOT Clang_DIR)
  list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-19) # where Debian keeps version 19
endif()
find_package(LLVM 19.1 REQUIRED CONFIG)
find_package(Clang REQUIRED CONFIG HINTS ${LLVM_INSTALL_PREFIX}/lib/cmake/clang)
