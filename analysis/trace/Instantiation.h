// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A name for the instantiation of a template, short enough to read and the same in every unit,
// build and version of Clang: what Clang's __PRETTY_FUNCTION__ says of the template's parameters.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_INSTANTIATION_H
#define SENDWRIGHT_ANALYSIS_TRACE_INSTANTIATION_H

#include <string>
#include <string_view>

namespace sendwright {

/// "Value = double, Stride = 1" of "void Exchange<double, 1>::send() [Value = double, Stride = 1]";
/// "" where the text says nothing of template parameters. Of types without a name the file stays
/// ("(lambda in app.cpp)"), not its folder and the place in it. Linear.
std::string instantiationIn(std::string_view function);

} // namespace sendwright

#endif
