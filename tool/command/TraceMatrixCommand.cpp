// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright trace matrix PROFILE [-o MATRIX]: who sends how much to whom in a run, as the matrix
// that `analyze ordering` and `analyze sharing` read.

#include "tool/command/Commands.h"

#include "analysis/file/Activity.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/file/OutputFile.h"
#include "analysis/trace/RunFile.h"
#include "analysis/trace/SentMessages.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <memory>
#include <optional>
#include <string>

namespace sendwright {

namespace {

struct TraceMatrixOptions {
  std::string profile, site, output = "-";
  std::optional<unsigned> communicator;
  bool bytes = false;
};

/// FILE:LINE; nothing if `text` is not of this form.
std::optional<SitePlace> sitePlace(const std::string &text) {
  const std::size_t colon = text.rfind(':');
  if (colon == 0 || colon == std::string::npos)
    return std::nullopt;
  SitePlace place{text.substr(0, colon), 0};
  const char *const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + colon + 1, end, place.line);
  return error == std::errc() && rest == end ? std::optional(place) : std::nullopt;
}

void writeMatrix(const TraceMatrixOptions &options) {
  const std::string name = options.profile == "-" ? "<stdin>" : options.profile;
  const Activity activity("counting its messages", name);
  MatrixChoice choice;
  if (!options.site.empty())
    choice.site = sitePlace(options.site);
  choice.communicator = options.communicator;
  choice.bytes = options.bytes;
  const CommunicationMatrix matrix = matrixOfRun(readRun(options.profile), name, choice);
  OutputFile output(options.output);
  formatMatrix(
      matrix,
      std::string(options.bytes ? "bytes" : "messages") + " from rank to rank in " + name +
          (choice.site ? ", sent at " + options.site : "") +
          (choice.communicator ? ", on communicator " + std::to_string(*choice.communicator) : ""),
      [&](std::string_view piece) { output.write(piece); });
  output.commit();
}

} // namespace

void addTraceMatrixCommand(CLI::App &trace) {
  CLI::App *command = trace.add_subcommand(
      "matrix", "Who sends how much to whom in a run, as the matrix that analyze ordering and "
                "analyze sharing read");
  const auto options = std::make_shared<TraceMatrixOptions>();
  command->add_option("PROFILE", options->profile, "Profile or text trace, - for standard input")
      ->required();
  command
      ->add_option("--site", options->site,
                   "Only the messages of the loop or block at this place; FILE may be the end of "
                   "its path (default: all point-to-point messages)")
      ->check(CLI::Validator(
          [](const std::string &text) {
            return sitePlace(text) ? std::string() : text + ", expected FILE:LINE";
          },
          "FILE:LINE"));
  command->add_option("--communicator", options->communicator,
                      "Only the messages on this communicator, by its number in trace export; "
                      "ranks are then numbered in it (default: world ranks)");
  command->add_flag("--bytes", options->bytes,
                    "Numbers are bytes, so analyze sharing needs --item-bytes 1 (default: numbers "
                    "are messages, and --item-bytes is the size of a message)");
  command->add_option("-o,--output", options->output, "The matrix to write, - for standard output")
      ->capture_default_str();
  command->callback([options] { writeMatrix(*options); });
}

} // namespace sendwright
