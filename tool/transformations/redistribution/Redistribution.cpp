// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text that replaces directives. It contains the user's expressions as they are written, so
// that the compiler reports errors in them at the directive's line.

#include "tool/transformations/redistribution/Redistribution.h"

#include "tool/legality/LibraryFunctions.h"
#include "tool/sites/LoopHash.h"
#include "tool/sites/LoopSites.h"
#include "tool/transformations/redistribution/RedistributionAlignments.h"
#include "tool/transformations/redistribution/RedistributionChecks.h"
#include "tool/transformations/redistribution/RedistributionTables.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace sendwright {

namespace {

using namespace clang;

/// The user's text as one argument of a macro.
std::string argument(const std::string &text) {
  const bool split = text.find(',') != std::string::npos;
  return split ? "(" + text + ")" : text;
}

std::string listOf(const std::vector<DirectiveText> &texts) {
  std::string list;
  for (const DirectiveText &text : texts)
    list += (list.empty() ? "" : ", ") + argument(text.text);
  return list;
}

std::string formatText(const DirectiveFormat &format) {
  switch (format.kind) {
  case DirectiveFormat::Collapsed:
    return "sendwright_collapsed()";
  case DirectiveFormat::GenBlock:
    return "sendwright_gen_block(" + format.argument->text + ")";
  case DirectiveFormat::Indirect:
    return "sendwright_indirect(" + format.argument->text + ")";
  case DirectiveFormat::Balance:
    if (format.measured)
      return format.chosen ? "sendwright_measured_into(" + format.chosen->text + ")"
                           : "sendwright_measured()";
    return format.chosen ? "sendwright_balance_into(" + format.argument->text + ", " +
                               format.chosen->text + ")"
                         : "sendwright_balance(" + format.argument->text + ")";
  case DirectiveFormat::Block:
    return format.argument ? "sendwright_block_length(" + format.argument->text + ")"
                           : "sendwright_block()";
  case DirectiveFormat::Cyclic:
    break;
  }
  return format.argument ? "sendwright_cyclic_length(" + format.argument->text + ")"
                         : "sendwright_cyclic()";
}

class Translator {
public:
  Translator(const MeantDirectives &meant, const DirectiveConstants &constants, const Plan *plan,
             ASTContext &context, Edits &edits)
      : meant(meant), constants(constants), plan(plan), context(context),
        sources(context.getSourceManager()), edits(edits) {}

  TranslatedDirectives translate() {
    objects.used = !meant.directives.empty();
    for (std::size_t number = 0; number < meant.directives.size(); ++number)
      replace(number);
    objects.staticArrays.assign(staticArrays.begin(), staticArrays.end());
    return std::move(translated);
  }

private:
  const MeantDirectives &meant;
  const DirectiveConstants &constants;
  const Plan *plan;
  ASTContext &context;
  const SourceManager &sources;
  Edits &edits;
  TranslatedDirectives translated;
  DirectiveObjects &objects = translated.objects;
  std::set<std::string> staticArrays;
  std::map<std::tuple<std::string, std::string, std::uint64_t>, unsigned> ordinals;

  void replace(std::size_t number) {
    const MeantDirective &directive = meant.directives[number];
    const FileID file = directive.pragma->file;
    if (!sources.getFileEntryRefForID(file))
      return; // the buffer has no file: the directive stays, and is reported as such
    std::vector<std::string> comment, ends;
    const std::vector<std::string> becomes = directive.is(Directive::Redistribute)
                                                 ? std::vector{redistribute(number, comment)}
                                                 : statements(directive, ends);
    edits.add(sources, file,
              inPlaceOfDirective(sources.getBufferData(file),
                                 {directive.pragma->begin, directive.pragma->end}, becomes, ends,
                                 comment));
  }

  /// `ends`: further statements, which wait for what the others send.
  std::vector<std::string> statements(const MeantDirective &directive,
                                      std::vector<std::string> &ends) {
    switch (directive.said->kind) {
    case Directive::Processors:
      return {processors(directive)};
    case Directive::Dynamic:
      return {"/* hpf dynamic" + std::string(directive.said->names.empty() ? "" : " ") +
              listOf(directive.said->names) + " */"};
    case Directive::Template:
      return {templateText(directive)};
    case Directive::Distribute:
      return distribute(directive);
    case Directive::Align:
      return align(directive);
    case Directive::Realign:
      return {realign(directive)};
    case Directive::Shadow:
      return {shadow(directive)};
    case Directive::Reflect:
    case Directive::ReflectBegin:
    case Directive::ReflectEnd:
      return reflect(directive, ends);
    case Directive::Redistribute:
      break; // also has a comment
    }
    return {};
  }

  std::string shadow(const MeantDirective &directive) {
    std::string widths;
    for (const DirectiveText &width : directive.said->widths)
      widths += ", sendwright_cells(" + width.text + ")";
    return "sendwright_hpf_shadow(" + addSite(directive) + ", " + directive.arrays.front().name +
           ", " + std::to_string(directive.said->widths.size() / 2) + widths + ");";
  }

  /// All arrays are under way at once.
  std::vector<std::string> reflect(const MeantDirective &directive,
                                   std::vector<std::string> &behind) {
    const Directive &said = *directive.said;
    const std::string site = addSite(directive);
    std::vector<std::string> begins, ends;
    for (const NamedArray &array : directive.arrays) {
      const std::string named = "(" + site + ", " + array.name;
      const std::size_t dimensions = dimensionsOf(meant.directives[array.distribution]);
      std::string how =
          std::string(", ") + (said.corners ? "1" : "0") + ", " + std::to_string(dimensions);
      for (std::size_t number = 0; number < dimensions; ++number)
        how += ", sendwright_cells(" +
               (said.periods.empty() ? std::string(said.periodic ? "1" : "0")
                                     : said.periods[number].text) +
               ")";
      begins.push_back("sendwright_hpf_reflect_begin" + named + how + ");");
      ends.push_back("sendwright_hpf_reflect_end" + named + ");");
    }
    if (said.kind == Directive::ReflectEnd)
      return ends;
    addExchange(directive);
    if (said.kind == Directive::Reflect)
      behind = std::move(ends);
    return begins;
  }

  /// The directive whose site was added last sends.
  void addExchange(const MeantDirective &directive) {
    LoopSite site;
    site.identity = objects.sites.back().identity;
    site.location = directive.place.location;
    site.file = directive.pragma->file;
    site.begin = directive.pragma->begin;
    site.end = directive.pragma->end;
    site.directive = directive.is(Directive::Reflect) ? "reflect" : "reflect_begin";
    translated.exchanges.push_back(std::move(site));
  }

  static std::string processors(const MeantDirective &directive) {
    const Directive &said = *directive.said;
    std::string word =
        directive.place.block() ? "sendwright_hpf_processors" : "sendwright_hpf_unit_processors";
    const bool named = said.communicator && said.communicator->text != "MPI_COMM_WORLD";
    if (!said.ranks.empty())
      word += "_on";
    word += named ? "_of(" + argument(said.communicator->text) + ", " : "(";
    word += said.names.front().text + ", ";
    if (!said.ranks.empty())
      word +=
          "sendwright_ranks(" + listOf(said.ranks) + (said.ranks.size() == 2 ? ", 1" : "") + "), ";
    return word + listOf(said.extents) + ");";
  }

  std::vector<std::string> distribute(const MeantDirective &directive) {
    const Directive &said = *directive.said;
    const std::string site = addSite(directive);
    objects.sites.back().measured = isFollowed(directive);
    std::vector<std::string> calls;
    for (const NamedArray &array : directive.arrays) {
      const BlockVariable &block = array.block;
      std::string word = "sendwright_hpf_distribute";
      if (block.isStatic())
        word += "_static";
      declareStatic(array, calls);
      if (block.isTemplate()) {
        calls.push_back(distributeTemplate(word, site, array, said));
        continue;
      }
      const bool namesElement = block.isWhole || block.extents.size() > 2;
      if (namesElement)
        word += block.isWhole ? "_whole" : "_nested";
      else if (block.pointsToRows())
        word += "_rows";
      std::string call = word + "(" + site + ", " + array.name + ", ";
      if (namesElement)
        call += elementText(array) + ", ";
      call += said.onto->text;
      for (std::size_t number = 0; number < said.formats.size(); ++number)
        call += ", " + dimensionText(said, number, array);
      calls.push_back(call + ");");
      (block.isWhole ? translated.whole : translated.blocks)
          .push_back({directive.place.location, array.name});
    }
    return calls;
  }

  /// Declares the object of a variable that lives as long as the program. In a block, the scopes of
  /// the language lead from each use to the right object.
  void declareStatic(const NamedArray &array, std::vector<std::string> &calls) {
    if (array.block.isGlobal())
      staticArrays.insert(array.name);
    else if (array.block.isStatic())
      calls.push_back("sendwright_hpf_static_array(" + array.name + ");");
  }

  static std::string distributeTemplate(const std::string &word, const std::string &site,
                                        const NamedArray &array, const Directive &said) {
    std::string call = word + "_template(" + site + ", " + array.name + ", " + said.onto->text;
    for (std::size_t number = 0; number < said.formats.size(); ++number)
      call += ", sendwright_extent(sendwright_template_extent(" + array.name + ", " +
              std::to_string(number + 1) + "), " + formatText(said.formats[number]) + ")";
    return call + ");";
  }

  static std::string templateText(const MeantDirective &directive) {
    const Directive &said = *directive.said;
    return std::string(directive.place.block() ? "sendwright_hpf_template("
                                               : "sendwright_hpf_unit_template(") +
           said.names.front().text + ", " + listOf(said.extents) + ");";
  }

  std::vector<std::string> align(const MeantDirective &directive) {
    const Directive &said = *directive.said;
    const std::string site = addSite(directive);
    std::vector<std::string> calls;
    for (const NamedArray &array : directive.arrays) {
      declareStatic(array, calls);
      std::string call = std::string("sendwright_hpf_align") +
                         (array.block.isStatic() ? "_static" : "") +
                         (array.block.isWhole ? "_whole(" : "(") + site + ", " + array.name + ", " +
                         elementText(array) + ", " + said.with->text;
      for (std::size_t number = 0; number < said.alignments.size(); ++number)
        call += ", " + withExtent(said, number, array, alignmentText(said.alignments[number]));
      calls.push_back(call + ");");
      (array.block.isWhole ? translated.whole : translated.blocks)
          .push_back({directive.place.location, array.name});
    }
    return calls;
  }

  std::string realign(const MeantDirective &directive) {
    const Directive &said = *directive.said;
    std::string arrays, dimensions;
    for (const NamedArray &array : directive.arrays)
      arrays += (arrays.empty() ? "&sendwright_array_" : ", &sendwright_array_") + array.name;
    for (const DirectiveAlignment &alignment : said.alignments)
      dimensions += ", " + alignmentText(alignment);
    return "sendwright_hpf_realign(" + addSite(directive) + ", " + said.with->text +
           ", sendwright_arrays(" + arrays + ")" + dimensions + ");";
  }

  static std::string alignmentText(const DirectiveAlignment &alignment) {
    if (!alignment.along)
      return "sendwright_collapsed()";
    const std::string dimension = std::to_string(*alignment.along + 1);
    return alignment.shift
               ? "sendwright_along_from(" + dimension + ", " + argument(alignment.shift->text) + ")"
               : "sendwright_along(" + dimension + ")";
  }

  /// Whether a directive moves one of its arrays by their measured load.
  bool isFollowed(const MeantDirective &distribution) const {
    const auto follows = [&](const MeantDirective &directive) {
      return directive.is(Directive::Redistribute) &&
             llvm::any_of(directive.said->formats, std::mem_fn(&DirectiveFormat::measured)) &&
             llvm::any_of(directive.arrays, [&](const NamedArray &array) {
               return &meant.directives[array.distribution] == &distribution;
             });
    };
    return llvm::any_of(meant.directives, follows);
  }

  /// An element of an array whose type says its dimensions, or of a container.
  static std::string elementText(const NamedArray &array) {
    if (array.block.isProgramsView)
      return "sendwright_element_of_view(" + array.name + ")";
    std::string text = array.name + "[0]";
    for (std::size_t number = 1; number < array.block.extents.size(); ++number)
      text += "[0]";
    return text;
  }

  /// The extent as the type says it, if it does; otherwise as the directive says it.
  static std::string dimensionText(const Directive &said, std::size_t number,
                                   const NamedArray &array) {
    return withExtent(said, number, array, formatText(said.formats[number]));
  }

  static std::string withExtent(const Directive &said, std::size_t number, const NamedArray &array,
                                const std::string &format) {
    if (!array.block.saysExtent(number))
      return withExtent(said, number, format);
    std::string extent = "sendwright_count(" + array.name + ")";
    if (number > 0) {
      extent = "sendwright_row(" + array.name;
      for (std::size_t outer = 1; outer < number; ++outer)
        extent += "[0]";
      extent += ")";
    }
    return "sendwright_extent(" + extent + ", " + format + ")";
  }

  static std::string dimensionText(const Directive &said, std::size_t number) {
    return withExtent(said, number, formatText(said.formats[number]));
  }

  static std::string withExtent(const Directive &said, std::size_t number,
                                const std::string &format) {
    if (number >= said.extents.size() || said.extents[number].text == "*")
      return format;
    return "sendwright_extent(" + argument(said.extents[number].text) + ", " + format + ")";
  }

  /// Writes the call. Sets `comment` to the schedule, where it is known.
  std::string redistribute(std::size_t number, std::vector<std::string> &comment) {
    const MeantDirective &directive = meant.directives[number];
    const Directive &said = *directive.said;
    const std::string site = addSite(directive);
    std::string formats;
    for (std::size_t dimension = 0; dimension < said.formats.size(); ++dimension)
      formats += ", " + dimensionText(said, dimension);
    const std::string known = addSchedule(number, site, comment);
    if (directive.arrays.size() == 1 && !said.schedule && known.empty() && !said.onto)
      return "sendwright_hpf_redistribute(" + site + ", " + directive.arrays.front().name +
             formats + ");";
    std::string arrays;
    for (const NamedArray &array : directive.arrays)
      arrays += (arrays.empty() ? "&sendwright_array_" : ", &sendwright_array_") + array.name;
    const std::string schedule =
        said.schedule ? llvm::StringRef(said.schedule->text).upper() : "AUTO";
    return "sendwright_hpf_redistribute_" + std::string(said.onto ? "onto(" : "all(") + site +
           (said.onto ? ", " + said.onto->text : "") + ", SENDWRIGHT_SCHEDULE_" + schedule +
           (known.empty() ? ", SENDWRIGHT_NOT_KNOWN" : ", &" + known) + ", sendwright_arrays(" +
           arrays + ")" + formats + ");";
  }

  /// Adds the schedule of the directive whose site was added last as an object beside the site.
  /// Returns its name; "" where the schedule is not known.
  std::string addSchedule(std::size_t number, llvm::StringRef site,
                          std::vector<std::string> &comment) {
    site.consume_front("sendwright_site_");
    std::string name = "sendwright_schedule_" + site.str();
    std::optional<ScheduleTable> table = scheduleTable(meant, number, constants, name);
    if (!table && plan)
      table =
          plannedSchedules(meant.directives[number], objects.sites.back().identity, *plan, name);
    if (!table)
      return "";
    objects.schedules.push_back(std::move(table->definition));
    comment = std::move(table->comment);
    return name;
  }

  /// Adds the object that stands for the directive in messages. Returns its name.
  std::string addSite(const MeantDirective &directive) {
    const PresumedLoc presumed = sources.getPresumedLoc(directive.place.location);
    const llvm::StringRef text = sources.getBufferData(directive.pragma->file)
                                     .slice(directive.pragma->begin, directive.pragma->end);
    EmittedSite site;
    site.identity.file = presumed.getFilename();
    site.identity.line = presumed.getLine();
    site.identity.function = siteFunctionName(directive.place.functions.back());
    site.identity.hash = hashTokens(text, context.getLangOpts());
    site.identity.ordinal =
        ordinals[{site.identity.file, site.identity.function, site.identity.hash}]++;
    objects.sites.push_back(site);
    return site.symbol();
  }
};

} // namespace

TranslatedDirectives translateDirectives(const std::vector<DirectivePragma> &pragmas,
                                         const Plan *plan, ASTContext &context,
                                         Preprocessor &preprocessor, Edits &edits) {
  TranslatedDirectives translated;
  if (pragmas.empty())
    return translated;
  const SourceManager &sources = context.getSourceManager();
  const DirectiveConstants constants(context, preprocessor);
  const MeantDirectives meant = judgeDirectives(pragmas, context, constants);
  for (const DirectiveFinding &finding : meant.findings) {
    const DirectivePragma &pragma = *meant.directives[finding.directive].pragma;
    const SourceLocation start = sources.getLocForStartOfFile(pragma.file);
    translated.errors.push_back({start.getLocWithOffset(static_cast<int>(finding.offset)),
                                 sources.getFilename(start).str(), finding.offset,
                                 "hpf: " + finding.text});
  }
  if (!translated.errors.empty())
    return translated;
  for (const MeantDirective &directive : meant.directives)
    if (directive.said->isExecuted())
      markAsRedistributing(*const_cast<FunctionDecl *>(directive.place.functions.back()), context);
  return Translator(meant, constants, plan, context, edits).translate();
}

} // namespace sendwright
