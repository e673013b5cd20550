# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The library of the Open Trace Format 2, for `sendwright trace`. Optional: without it, the command
# says so.

find_path(SENDWRIGHT_OTF2_INCLUDE_DIR otf2/otf2.h DOC "Headers of OTF2 (Debian: libopen-trace-format2-dev)")
find_library(SENDWRIGHT_OTF2_LIBRARY NAMES otf2 open-trace-format2 DOC "The library OTF2, version 3 or later")
if(SENDWRIGHT_OTF2_INCLUDE_DIR AND SENDWRIGHT_OTF2_LIBRARY)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES ${SENDWRIGHT_OTF2_INCLUDE_DIR})
  set(CMAKE_REQUIRED_LIBRARIES ${SENDWRIGHT_OTF2_LIBRARY})
  check_c_source_compiles("
    #include <otf2/otf2.h>
    int main(void) { return OTF2_EvtWriter_NonBlockingCollectiveRequest(0, 0, 0, 0) == OTF2_SUCCESS; }"
    SENDWRIGHT_OTF2_WORKS)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()
if(SENDWRIGHT_OTF2_WORKS)
  add_library(sendwright_otf2 INTERFACE)
  target_include_directories(sendwright_otf2 SYSTEM INTERFACE ${SENDWRIGHT_OTF2_INCLUDE_DIR})
  target_link_libraries(sendwright_otf2 INTERFACE ${SENDWRIGHT_OTF2_LIBRARY})
else()
  message(STATUS "OTF2 is missing: sendwright trace will not read and write its archives")
endif()
