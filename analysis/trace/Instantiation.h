// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A name for the instantiation of a template, short enough to read and equal in every unit, build
// and version of Clang: what Clang's __PRETTY_FUNCTION__ says about the template's parameters.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_INSTANTIATION_H
#define SENDWRIGHT_ANALYSIS_TRACE_INSTANTIATION_H

#include <string>
#include <string_view>

namespace sendwright {

/// "Value = double, Stride = 1" from "void Exchange<double, 1>::send() [Value = double, Stride =
/// 1]"; "" if the text says nothing about template parameters. For types without a name it keeps
/// the file ("(lambda in app.cpp)"), but not the folder and the position in it. Linear.
std::string instantiationIn(std::string_view function);

} // namespace sendwright

#endif
