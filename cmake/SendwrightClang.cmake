# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds the LLVM and Clang that the command is built with and that its tests run, and the headers of
# other installed versions, for which only the plugin is built.
#
#   SENDWRIGHT_CLANG              major version for the command and the first plugin; the newest if empty
#
#   SENDWRIGHT_SUPPORTED_CLANGS   major versions of which any may be installed
#   SENDWRIGHT_OTHER_CLANGS       major versions of the installed ones, except the command's
#   SENDWRIGHT_CLANG_<VERSION>_INCLUDE_DIR

# Newest first. tool/source/ClangCompatibility.h has their differences.
set(SENDWRIGHT_SUPPORTED_CLANGS 22 19 16)
set(clangs_for_command 22 19) # the command uses libraries that Clang 16 lacks
set(SENDWRIGHT_CLANG "" CACHE STRING "Major version of Clang for the command: 22, 19, or empty for the newest")

string(REPLACE ";" ", " supported_in_words "${SENDWRIGHT_SUPPORTED_CLANGS}")
if(SENDWRIGHT_CLANG AND NOT SENDWRIGHT_CLANG IN_LIST clangs_for_command)
  message(FATAL_ERROR "SENDWRIGHT_CLANG is '${SENDWRIGHT_CLANG}', expected 22, 19, or nothing for the newest. "
                      "Plugins are built for each of Clang ${supported_in_words} that is installed.")
endif()
if(NOT LLVM_DIR AND NOT Clang_DIR)
  foreach(version ${clangs_for_command})
    # Where Debian keeps each version.
    if(EXISTS /usr/lib/llvm-${version}/lib/cmake/clang/ClangConfig.cmake AND
       (NOT SENDWRIGHT_CLANG OR SENDWRIGHT_CLANG EQUAL version))
      list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-${version})
      break()
    endif()
  endforeach()
endif()
find_package(LLVM REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR IN_LIST clangs_for_command OR LLVM_VERSION VERSION_LESS 19.1)
  message(FATAL_ERROR "Sendwright's command is built with Clang 22 or 19.1, but ${LLVM_DIR} is LLVM ${LLVM_VERSION}. "
                      "Set LLVM_DIR to the folder of one of these versions.")
elseif(SENDWRIGHT_CLANG AND NOT SENDWRIGHT_CLANG EQUAL LLVM_VERSION_MAJOR)
  message(FATAL_ERROR "SENDWRIGHT_CLANG is ${SENDWRIGHT_CLANG}, but LLVM_DIR (${LLVM_DIR}) is LLVM ${LLVM_VERSION}. "
                      "Set LLVM_DIR, too, or configure a new build folder.")
endif()
find_package(Clang REQUIRED CONFIG HINTS ${LLVM_INSTALL_PREFIX}/lib/cmake/clang)

set(SENDWRIGHT_OTHER_CLANGS)
foreach(version ${SENDWRIGHT_SUPPORTED_CLANGS})
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
message(STATUS "Clang: ${LLVM_VERSION_MAJOR}, beside it: ${SENDWRIGHT_OTHER_CLANGS}")

# A version that somebody could expect to work is named.
file(GLOB installed LIST_DIRECTORIES TRUE RELATIVE /usr/lib /usr/lib/llvm-*)
foreach(folder ${installed})
  string(REPLACE llvm- "" version ${folder})
  if(version GREATER 16 AND NOT version IN_LIST SENDWRIGHT_SUPPORTED_CLANGS AND
     EXISTS /usr/lib/${folder}/include/clang/AST/ASTContext.h)
    message(STATUS "Clang ${version} is installed, but Sendwright has no plugin for it: "
                   "there are plugins for Clang ${supported_in_words}")
  endif()
endforeach()
