# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds the LLVM and Clang that tool/ is built against and that its tests run, and the headers of
# other installed versions, for which only the plugin is built.
#
#   SENDWRIGHT_OTHER_CLANGS            their major versions
#   SENDWRIGHT_CLANG_<VERSION>_INCLUDE_DIR

if(NOT LLVM_DIR AND NOT Clang_DIR)
  list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-19) # where Debian keeps version 19
endif()
find_package(LLVM 19.1 REQUIRED CONFIG)
find_package(Clang REQUIRED CONFIG HINTS ${LLVM_INSTALL_PREFIX}/lib/cmake/clang)

set(SENDWRIGHT_OTHER_CLANGS)
foreach(version 16 19)
  if(version EQUAL LLVM_VERSION_MAJOR OR SENDWRIGHT_DEFAULTS_ONLY)
    continue()
  endif()
  # CMake cannot load the packages of two versions; a plugin needs only the headers.
  find_path(SENDWRIGHT_CLANG_${version}_INCLUDE_DIR clang/AST/ASTContext.h NO_DEFAULT_PATH
            PATHS /usr/lib/llvm-${version}/include
            DOC "Headers of Clang ${version}; where they are found a plugin for it is built, too")
  if(SENDWRIGHT_CLANG_${version}_INCLUDE_DIR)
    list(APPEND SENDWRIGHT_OTHER_CLANGS ${version})
  endif()
endforeach()
