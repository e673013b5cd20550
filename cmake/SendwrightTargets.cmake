# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# sendwright_profile(TARGET) and sendwright_use_plan(TARGET PLAN) of find_package(Sendwright).

# Sets `result` to the NAME of the MPI whose mpi.h the project uses; to "" if there is none yet.
function(_sendwright_find_mpi result)
  set(found "${Sendwright_MPI}")
  foreach(language C CXX)
    if(found OR NOT CMAKE_${language}_COMPILER)
      continue()
    endif()
    set(source ${CMAKE_BINARY_DIR}/CMakeFiles/sendwright-include-mpi.c)
    file(WRITE ${source} "#include <mpi.h>\n")
    set(folders ${MPI_C_INCLUDE_DIRS} ${MPI_CXX_INCLUDE_DIRS})
    list(TRANSFORM folders PREPEND -I)
    execute_process(COMMAND ${CMAKE_${language}_COMPILER} -E -dM ${folders} ${source}
                    OUTPUT_VARIABLE macros ERROR_QUIET)
    if(macros MATCHES "#define OPEN_MPI ")
      set(found openmpi)
    elseif(macros MATCHES "#define MPICH_VERSION ")
      set(found mpich)
    endif()
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# Ends the configuration unless each compiler is a Clang with a plugin.
function(_sendwright_check_compilers)
  get_filename_component(folder ${Sendwright_PLUGIN} DIRECTORY)
  file(GLOB plugins RELATIVE ${folder} ${folder}/sendwright-clang-*.so)
  string(REGEX REPLACE "sendwright-clang-([0-9]+)[.]so" "\\1" versions "${plugins}")
  string(REPLACE ";" ", " versions "${versions}")
  foreach(language C CXX)
    if(NOT CMAKE_${language}_COMPILER_LOADED)
      continue()
    endif()
    string(REGEX MATCH "^[0-9]+" major "${CMAKE_${language}_COMPILER_VERSION}")
    if(NOT CMAKE_${language}_COMPILER_ID STREQUAL Clang OR NOT EXISTS ${folder}/sendwright-clang-${major}.so)
      message(FATAL_ERROR "Sendwright has plugins for Clang ${versions}, but the ${language} compiler is "
        "${CMAKE_${language}_COMPILER_ID} ${CMAKE_${language}_COMPILER_VERSION}; set CMAKE_${language}_COMPILER")
    endif()
    get_filename_component(name ${CMAKE_${language}_COMPILER} NAME)
    if(name MATCHES "^sendwright-")
      message(FATAL_ERROR "${name} loads the plugin already; with sendwright_profile() and sendwright_use_plan() "
        "CMAKE_${language}_COMPILER is Clang")
    endif()
  endforeach()
endfunction()

function(_sendwright_build target argument)
  _sendwright_check_compilers()
  get_target_property(before ${target} SENDWRIGHT_ARGUMENT)
  if(before)
    message(FATAL_ERROR "The target ${target} has -fplugin-arg-sendwright-${before} already, "
      "and cannot have ${argument}, too")
  endif()
  set_target_properties(${target} PROPERTIES SENDWRIGHT_ARGUMENT "${argument}")
  _sendwright_find_mpi(mpi)
  if(NOT TARGET Sendwright::runtime_${mpi})
    string(REPLACE ";" ", " installed "${Sendwright_MPIS}")
    message(FATAL_ERROR "The target ${target} needs Sendwright's runtime for its MPI ('${mpi}'), but there are: "
      "${installed}. Call find_package(MPI) first, or set Sendwright_MPI.")
  endif()
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:C,CXX>:SHELL:-fplugin=${Sendwright_PLUGIN} -fplugin-arg-sendwright-${argument}>")
  # In front of all libraries: the runtime must stand before MPI's own. What is linked with a library
  # that was built so needs the runtime, too.
  get_target_property(library Sendwright::runtime_${mpi} IMPORTED_LOCATION)
  get_filename_component(folder ${library} DIRECTORY)
  set(options
    "SHELL:-Wl,--push-state,--no-as-needed ${library} -Wl,--pop-state -Wl,-rpath,${folder}")
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    target_link_options(${target} BEFORE PRIVATE "${options}")
  else()
    target_link_options(${target} BEFORE PUBLIC "${options}")
  endif()
endfunction()

# Builds TARGET for a profiling run.
function(sendwright_profile target)
  _sendwright_build(${target} profile-generate)
endfunction()

# Builds TARGET with PLAN, a file; relative names count from the current source folder. When the plan
# changes, the target is built again.
function(sendwright_use_plan target plan)
  get_filename_component(file "${plan}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  _sendwright_build(${target} "profile-use=${file}")
endfunction()
