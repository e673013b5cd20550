# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Chooses the default MPI, whose runtime is lib/libsendwright.so, and finds the others that are
# installed, whose runtimes go to lib/NAME/. A NAME is openmpi, mpich, or other.
#
#   SENDWRIGHT_MPI         mpich or openmpi: the default is that one (CMake or environment variable)
#   MPI_C_COMPILER, ...    the usual variables of FindMPI choose it too
#
#   SENDWRIGHT_DEFAULT_MPI     its NAME
#   SENDWRIGHT_MPICC, SENDWRIGHT_MPICXX   what its compiler wrappers are called, as the PATH finds them
#   SENDWRIGHT_OTHER_MPIS      NAMEs of the others
#   SENDWRIGHT_MPICC_<NAME>    the C compiler wrapper of each

set(SENDWRIGHT_MPI "$ENV{SENDWRIGHT_MPI}" CACHE STRING "The default MPI: openmpi, mpich, or empty")

if(NOT "${SENDWRIGHT_MPI}" STREQUAL "${SENDWRIGHT_CONFIGURED_MPI}")
  # FindMPI remembers what it found before.
  get_cmake_property(variables CACHE_VARIABLES)
  list(FILTER variables INCLUDE REGEX "^MPI(_|EXEC)")
  if(DEFINED SENDWRIGHT_CONFIGURED_MPI)
    foreach(variable IN LISTS variables)
      unset(${variable} CACHE)
    endforeach()
  endif()
endif()
set(SENDWRIGHT_CONFIGURED_MPI "${SENDWRIGHT_MPI}" CACHE INTERNAL "SENDWRIGHT_MPI of the last run")
if(SENDWRIGHT_MPI)
  find_program(MPI_C_COMPILER mpicc.${SENDWRIGHT_MPI} REQUIRED)
endif()
find_package(MPI REQUIRED COMPONENTS C)

# Sets `result` to the NAME of the MPI whose mpi.h is found in the folders `includes`.
function(name_mpi includes result)
  set(source ${CMAKE_BINARY_DIR}/CMakeFiles/include-mpi.c)
  file(WRITE ${source} "#include <mpi.h>\n")
  list(TRANSFORM includes PREPEND -I)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -E -dM ${includes} ${source}
                  OUTPUT_VARIABLE macros ERROR_QUIET)
  if(macros MATCHES "#define OPEN_MPI ")
    set(${result} openmpi PARENT_SCOPE)
  elseif(macros MATCHES "#define MPICH_VERSION ")
    set(${result} mpich PARENT_SCOPE)
  else()
    set(${result} other PARENT_SCOPE)
  endif()
endfunction()

# Sets `<name>_includes` and `<name>_libraries` to what a compiler wrapper adds; to nothing where it
# does not say.
function(ask_compiler_wrapper wrapper name)
  execute_process(COMMAND ${wrapper} -show OUTPUT_VARIABLE command ERROR_QUIET)
  separate_arguments(words UNIX_COMMAND "${command}")
  set(folders)
  foreach(word ${words})
    if(word MATCHES "^-I(.+)")
      list(APPEND includes ${CMAKE_MATCH_1})
    elseif(word MATCHES "^-L(.+)")
      list(APPEND folders ${CMAKE_MATCH_1})
    elseif(word MATCHES "^-l(.+)")
      find_library(SENDWRIGHT_${name}_${CMAKE_MATCH_1} ${CMAKE_MATCH_1} HINTS ${folders}
                   DOC "A library of ${name}")
      list(APPEND libraries ${SENDWRIGHT_${name}_${CMAKE_MATCH_1}})
    endif()
  endforeach()
  set(${name}_includes ${includes} PARENT_SCOPE)
  set(${name}_libraries ${libraries} PARENT_SCOPE)
endfunction()

name_mpi("${MPI_C_INCLUDE_DIRS}" SENDWRIGHT_DEFAULT_MPI)
set(SENDWRIGHT_MPICC_${SENDWRIGHT_DEFAULT_MPI} ${MPI_C_COMPILER})
get_filename_component(SENDWRIGHT_MPICC ${MPI_C_COMPILER} NAME)
string(REPLACE mpicc mpicxx SENDWRIGHT_MPICXX ${SENDWRIGHT_MPICC})
set(SENDWRIGHT_OTHER_MPIS)
foreach(name openmpi mpich)
  if(name STREQUAL SENDWRIGHT_DEFAULT_MPI OR SENDWRIGHT_DEFAULTS_ONLY)
    continue()
  endif()
  find_program(SENDWRIGHT_OTHER_MPICC_${name} mpicc.${name}
               DOC "C compiler wrapper of ${name}; where it is found a runtime for it is built, too")
  if(SENDWRIGHT_OTHER_MPICC_${name})
    ask_compiler_wrapper(${SENDWRIGHT_OTHER_MPICC_${name}} ${name})
    name_mpi("${${name}_includes}" found)
    if(found STREQUAL name AND NOT "${${name}_libraries}" MATCHES "NOTFOUND")
      list(APPEND SENDWRIGHT_OTHER_MPIS ${name})
      set(SENDWRIGHT_MPICC_${name} ${SENDWRIGHT_OTHER_MPICC_${name}})
    endif()
  endif()
endforeach()
message(STATUS "MPI: ${SENDWRIGHT_DEFAULT_MPI}, beside it: ${SENDWRIGHT_OTHER_MPIS}")
