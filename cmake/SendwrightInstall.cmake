# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The compiler wrappers, and what is installed. Folders are the same below the build folder and the
# install prefix, because the plugin and the wrappers find what they need relative to themselves: an
# installed tree can be moved. Each component is a package (SendwrightPackages.cmake):
#
#   command         the command, the plugins, the wrappers, headers and CMake's package
#   runtime_<MPI>   the runtime of one MPI, and what `sendwright calibrate` starts for it
#   simulation      the runtime for SimGrid's SMPI, and the platforms
#   documentation   docs/ and examples/

include(CMakePackageConfigHelpers)
set(command_part COMPONENT command)

# name: of the wrapper; variable: CC or CXX; wrapper: MPI's; compiler: what MPI's wrapper runs, without version
function(add_compiler_wrapper name variable wrapper compiler)
  string(REPLACE ";" " " versions "${SENDWRIGHT_SUPPORTED_CLANGS}")
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/sendwright-wrapper.sh.in
                 ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name} @ONLY
                 FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                  WORLD_READ WORLD_EXECUTE)
  install(PROGRAMS ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name} DESTINATION bin ${command_part})
endfunction()
add_compiler_wrapper(sendwright-cc CC ${SENDWRIGHT_MPICC} clang)
add_compiler_wrapper(sendwright-c++ CXX ${SENDWRIGHT_MPICXX} clang++)

# A simulated cluster: the command, which under its other names is the compiler, and the platforms.
set(simulation_folder share/sendwright/platforms)
foreach(name sendwright-smpi sendwright-smpicc sendwright-smpicxx)
  configure_file(${PROJECT_SOURCE_DIR}/tool/simulation/sendwright-smpi
                 ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name} COPYONLY)
  install(PROGRAMS ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name} DESTINATION bin COMPONENT simulation)
endforeach()
foreach(name infiniband fast-ethernet)
  foreach(kind xml json)
    configure_file(${PROJECT_SOURCE_DIR}/examples/platforms/${name}.${kind}
                   ${PROJECT_BINARY_DIR}/${simulation_folder}/${name}.${kind} COPYONLY)
    install(FILES ${PROJECT_SOURCE_DIR}/examples/platforms/${name}.${kind}
            DESTINATION ${simulation_folder} COMPONENT simulation)
  endforeach()
endforeach()

# Installs only what was built: examples/run, for one, builds a single target.
function(install_built target kind folder component)
  install(TARGETS ${target} ${kind} DESTINATION ${folder} COMPONENT ${component} OPTIONAL)
  install(CODE "if(NOT EXISTS \"$<TARGET_FILE:${target}>\")
  message(STATUS \"Not built, so not installed: ${folder}/$<TARGET_FILE_NAME:${target}> (target ${target})\")
endif()" COMPONENT ${component})
endfunction()

set_target_properties(sendwright PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS sendwright DESTINATION bin ${command_part})
# Manual pages and completions are what the command says of itself.
install(CODE "execute_process(COMMAND \"$<TARGET_FILE:sendwright>\" document \"${PROJECT_BINARY_DIR}/share\"
                COMMAND_ERROR_IS_FATAL ANY)" ${command_part})
install(DIRECTORY ${PROJECT_BINARY_DIR}/share/man ${PROJECT_BINARY_DIR}/share/bash-completion
                  ${PROJECT_BINARY_DIR}/share/zsh DESTINATION share ${command_part})
install(TARGETS sendwright_loader LIBRARY DESTINATION lib ${command_part})
install_built(sendwright_plugin LIBRARY lib command)
foreach(version ${SENDWRIGHT_OTHER_CLANGS})
  install_built(sendwright_plugin_${version} LIBRARY lib command)
endforeach()
install_built(sendwright_runtime LIBRARY lib runtime_${SENDWRIGHT_DEFAULT_MPI})
install_built(sendwright_calibrate RUNTIME lib runtime_${SENDWRIGHT_DEFAULT_MPI})
foreach(name ${SENDWRIGHT_OTHER_MPIS})
  install_built(sendwright_runtime_${name} LIBRARY lib/${name} runtime_${name})
  install_built(sendwright_calibrate_${name} RUNTIME lib/${name} runtime_${name})
endforeach()
if(TARGET sendwright_runtime_smpi)
  install_built(sendwright_runtime_smpi ARCHIVE lib/smpi simulation)
  install_built(sendwright_calibrate_smpi LIBRARY lib/smpi simulation)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/runtime/include/sendwright/runtime.h
              ${PROJECT_SOURCE_DIR}/runtime/include/sendwright/redistribution.h
              ${PROJECT_SOURCE_DIR}/runtime/include/sendwright/directives.h
              ${PROJECT_SOURCE_DIR}/runtime/include/sendwright/processor-directives.h
              ${PROJECT_SOURCE_DIR}/runtime/include/sendwright/format-directives.h
              ${PROJECT_SOURCE_DIR}/runtime/include/sendwright/array-storage.h
              ${PROJECT_SOURCE_DIR}/runtime/include/sendwright/view.h
              ${PROJECT_SOURCE_DIR}/runtime/include/sendwright/alignment-directives.h
              ${PROJECT_SOURCE_DIR}/runtime/include/sendwright/collectives.h
              ${PROJECT_SOURCE_DIR}/runtime/include/sendwright/required.h
        DESTINATION include/sendwright ${command_part})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION share/doc/sendwright/docs COMPONENT documentation)
# Without what works in a clone of the sources alone.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION share/doc/sendwright USE_SOURCE_PERMISSIONS
        COMPONENT documentation PATTERN run EXCLUDE PATTERN simulate EXCLUDE PATTERN platforms EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE
        DESTINATION share/doc/sendwright COMPONENT documentation)

# CMake's package: find_package(Sendwright).
set(package_folder lib/cmake/Sendwright)
set(LIBRARY_FOLDER lib)
set(BINARY_FOLDER bin)
set(INCLUDE_FOLDER include)
configure_package_config_file(
  cmake/SendwrightConfig.cmake.in ${PROJECT_BINARY_DIR}/${package_folder}/SendwrightConfig.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS LIBRARY_FOLDER BINARY_FOLDER INCLUDE_FOLDER)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/${package_folder}/SendwrightConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_file(cmake/SendwrightTargets.cmake ${PROJECT_BINARY_DIR}/${package_folder}/SendwrightTargets.cmake COPYONLY)
install(FILES ${PROJECT_BINARY_DIR}/${package_folder}/SendwrightConfig.cmake
              ${PROJECT_BINARY_DIR}/${package_folder}/SendwrightConfigVersion.cmake
              ${PROJECT_BINARY_DIR}/${package_folder}/SendwrightTargets.cmake
        DESTINATION ${package_folder} ${command_part})

# pkg-config's: sendwright for the first MPI, sendwright-<MPI> for each.
function(add_pkg_config name library_folder component)
  configure_file(cmake/sendwright.pc.in ${PROJECT_BINARY_DIR}/lib/pkgconfig/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/lib/pkgconfig/${name}.pc DESTINATION lib/pkgconfig COMPONENT ${component})
endfunction()
add_pkg_config(sendwright lib runtime_${SENDWRIGHT_DEFAULT_MPI})
add_pkg_config(sendwright-${SENDWRIGHT_DEFAULT_MPI} lib runtime_${SENDWRIGHT_DEFAULT_MPI})
foreach(name ${SENDWRIGHT_OTHER_MPIS})
  add_pkg_config(sendwright-${name} lib/${name} runtime_${name})
endforeach()

include(SendwrightPackages)
