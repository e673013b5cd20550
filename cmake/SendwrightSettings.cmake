# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What all targets share: language, output folders, warnings, sanitizers.

include(GNUInstallDirs)
if(NOT CMAKE_BUILD_TYPE)
  # No debug information by default: with Clang's headers it accounts for most of the size and half
  # of the time.
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "Flags of a release build" FORCE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "Flags of a release build" FORCE)
endif()
if(CMAKE_UNITY_BUILD AND NOT CMAKE_UNITY_BUILD_BATCH_SIZE)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 16) # with 8, a sixth more time
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

# Usage requirements of Sendwright's own targets; other projects' headers are SYSTEM and give no
# warnings.
add_library(sendwright_settings INTERFACE)
target_compile_options(sendwright_settings INTERFACE -Wall -Wextra -Werror)
# Where several sources are compiled as one, GCC treats each as a header, and inlines so much of its
# library that it sees vectors out of bounds (GCC bug 105651).
target_compile_options(sendwright_settings INTERFACE
  "$<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wno-subobject-linkage;-Wno-array-bounds;-Wno-stringop-overflow>")
# Clang blames users of std::stable_sort for what GCC's library calls inside it.
target_compile_options(sendwright_settings INTERFACE
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-declarations>)
target_include_directories(sendwright_settings INTERFACE ${PROJECT_SOURCE_DIR})
if(SENDWRIGHT_SANITIZE AND SENDWRIGHT_SANITIZE_THREADS)
  message(FATAL_ERROR "SENDWRIGHT_SANITIZE and SENDWRIGHT_SANITIZE_THREADS exclude one another")
endif()
set(sanitizers)
if(SENDWRIGHT_SANITIZE)
  set(sanitizers address,undefined)
  set(sanitizers_library asan)
  add_compile_options(-fno-sanitize-recover=all)
elseif(SENDWRIGHT_SANITIZE_THREADS)
  set(sanitizers thread)
  set(sanitizers_library tsan)
endif()
if(sanitizers)
  add_compile_options(-fsanitize=${sanitizers} -fno-omit-frame-pointer)
  if(SENDWRIGHT_UNCHECKED)
    add_compile_options(-fno-sanitize=${SENDWRIGHT_UNCHECKED})
  endif()
  add_link_options(-fsanitize=${sanitizers})
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    # Libraries loaded by programs take the sanitizers from a shared library, as with GCC, because
    # the program itself may not be sanitized.
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.${sanitizers_library}-x86_64.so
                    OUTPUT_VARIABLE sanitizers_file OUTPUT_STRIP_TRAILING_WHITESPACE)
    get_filename_component(sanitizers_folder ${sanitizers_file} DIRECTORY)
    add_link_options(
      "$<$<NOT:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>>:-shared-libsan;-Wl,-rpath,${sanitizers_folder}>")
  endif()
endif()
if(SENDWRIGHT_FUZZ)
  # Counts branches and instruments comparisons; without a fuzzer nothing uses this.
  add_compile_options(-fsanitize=fuzzer-no-link -gline-tables-only)
endif()
