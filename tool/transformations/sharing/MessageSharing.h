// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sharing: a send loop whose messages travel combined, some through other ranks. The batch
// around the loop (LoopTransformation.h) collects them and hands them to the exchange at its end;
// the receives stay as they are, wherever they stand. This file gives the text about it.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_SHARING_MESSAGESHARING_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_SHARING_MESSAGESHARING_H

#include "tool/rewrite/LoopTransformation.h"

namespace sendwright {

extern const LoopTransformation messageSharing;

} // namespace sendwright

#endif
