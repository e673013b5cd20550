// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one translation unit says about its functions: text in the object file, kept in the profile;
// the planner resolves it over the whole program.

#ifndef SENDWRIGHT_ANALYSIS_PROGRAM_FUNCTIONSUMMARY_H
#define SENDWRIGHT_ANALYSIS_PROGRAM_FUNCTIONSUMMARY_H

#include "analysis/file/Bytes.h"
#include "analysis/program/FunctionFacts.h"

#include <functional>
#include <map>
#include <string>

namespace sendwright {

/// Joins facts with those already known (another unit may define the function, too): the worse
/// count.
void addFunctionFacts(std::map<std::string, FunctionFacts> &functions, const std::string &symbol,
                      FunctionFacts facts);

/// One function's facts as bytes. Reading throws FormatError.
void encodeFacts(ByteWriter &out, const FunctionFacts &facts);
FunctionFacts decodeFacts(ByteReader &in);

/// All facts as bytes, as in plans and in programs built with a plan. Reading throws FormatError.
void encodeFunctions(ByteWriter &out, const std::map<std::string, FunctionFacts> &functions);
std::map<std::string, FunctionFacts> decodeFunctions(ByteReader &in);

/// The symbol as the source names it: with its parameters in C++.
std::string sourceNameOf(const std::string &symbol);

/// The verdict on calling `symbol`: its own facts joined with those of all functions that it
/// reaches. A symbol that no unit defines gives mayWait with the reason "calls SYMBOL, which was
/// not compiled with the plugin", unless `known(symbol)` supplies facts. Linear in the functions
/// reached.
FunctionFacts
resolveFunction(const std::string &symbol, const std::map<std::string, FunctionFacts> &functions,
                const std::function<const FunctionFacts *(const std::string &)> &known);

} // namespace sendwright

#endif
