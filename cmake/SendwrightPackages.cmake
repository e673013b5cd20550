# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# `cpack` in the build folder makes .deb files of what was built there, one for each component:
#
#   sendwright            the command, the plugins, the compiler wrappers
#   sendwright-openmpi    the runtime for Open MPI;  sendwright-mpich: for MPICH
#   sendwright-simgrid    sendwright-smpi: simulated clusters
#   sendwright-doc        documentation and examples
#
# They depend on what Debian's tools find that their programs use (dpkg-shlibdeps), and on what is
# named here. `test/packages/run` installs and uses them.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sendwright)
set(CPACK_PACKAGE_VENDOR "The Sendwright authors")
set(CPACK_PACKAGE_CONTACT "The Sendwright authors <sendwright@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_COMPONENTS_ALL command documentation)
set(clangs ${LLVM_VERSION_MAJOR} ${SENDWRIGHT_OTHER_CLANGS})
list(SORT clangs COMPARE NATURAL ORDER DESCENDING)
list(TRANSFORM clangs PREPEND clang-)
string(REPLACE ";" " | " clangs "${clangs}")

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME sendwright)
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "${PROJECT_DESCRIPTION}
 The command sendwright, the plugins for Clang, and the compiler wrappers
 sendwright-cc and sendwright-c++.")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
# The command reads sources with the headers that belong to its Clang, and diff(1) shows the edits.
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS
    "${clangs}, libclang-common-${LLVM_VERSION_MAJOR}-dev, diffutils")
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "sendwright-openmpi | sendwright-mpich")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "sendwright-doc, sendwright-simgrid")

# A runtime is all that a rewritten program needs where it runs; compilers are recommended.
set(name_of_openmpi "Open MPI")
set(compilers_of_openmpi "sendwright, libopenmpi-dev, openmpi-bin")
set(name_of_mpich MPICH)
set(compilers_of_mpich "sendwright, libmpich-dev, mpich")
foreach(mpi ${SENDWRIGHT_DEFAULT_MPI} ${SENDWRIGHT_OTHER_MPIS})
  list(APPEND CPACK_COMPONENTS_ALL runtime_${mpi})
  string(TOUPPER RUNTIME_${mpi} component)
  set(CPACK_DEBIAN_${component}_PACKAGE_NAME sendwright-${mpi})
  set(CPACK_COMPONENT_${component}_DESCRIPTION "${PROJECT_DESCRIPTION}, runtime for ${name_of_${mpi}}
 The library that profiled and rewritten programs are linked with.")
  set(CPACK_DEBIAN_${component}_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_${component}_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_${component}_PACKAGE_RECOMMENDS "${compilers_of_${mpi}}")
endforeach()

if(TARGET sendwright_runtime_smpi)
  list(APPEND CPACK_COMPONENTS_ALL simulation)
  set(CPACK_DEBIAN_SIMULATION_PACKAGE_NAME sendwright-simgrid)
  set(CPACK_COMPONENT_SIMULATION_DESCRIPTION "${PROJECT_DESCRIPTION}, simulated clusters
 The command sendwright-smpi: what Sendwright would bring a program on a
 cluster that SimGrid simulates.")
  set(CPACK_DEBIAN_SIMULATION_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_SIMULATION_PACKAGE_DEPENDS
      "sendwright (= ${PROJECT_VERSION}), libsimgrid-dev, python3, zlib1g-dev")
endif()

set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_NAME sendwright-doc)
set(CPACK_COMPONENT_DOCUMENTATION_DESCRIPTION "${PROJECT_DESCRIPTION}, documentation
 The documentation as text in Markdown, and the examples.")
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)

include(CPack)
