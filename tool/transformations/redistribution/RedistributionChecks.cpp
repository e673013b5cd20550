// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/transformations/redistribution/RedistributionChecks.h"

#include "tool/transformations/redistribution/RedistributionAlignments.h"
#include "tool/transformations/redistribution/RedistributionFormats.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

namespace sendwright {

namespace {

using namespace clang;

constexpr std::size_t none = static_cast<std::size_t>(-1);

class Judge {
public:
  Judge(const std::vector<DirectivePragma> &pragmas, ASTContext &context,
        const DirectiveConstants &constants)
      : context(context), sources(context.getSourceManager()), constants(constants) {
    std::vector<SourceLocation> locations;
    for (const DirectivePragma &pragma : pragmas)
      locations.push_back(sources.getLocForStartOfFile(pragma.file)
                              .getLocWithOffset(static_cast<int>(pragma.begin)));
    const std::vector<DirectivePlace> places = placesOf(locations, context);
    for (std::size_t number = 0; number < pragmas.size(); ++number) {
      MeantDirective meant;
      meant.pragma = &pragmas[number];
      meant.place = places[number];
      result.directives.push_back(std::move(meant));
    }
    llvm::stable_sort(result.directives, [this](const auto &left, const auto &right) {
      return isBefore(left, right);
    });
  }

  MeantDirectives judge() {
    for (current = 0; current < directives.size(); ++current)
      judgeForm();
    // Stops at the first stage with errors: the next would report the same errors in other words.
    for (const auto kind :
         {Directive::Processors, Directive::Template, Directive::Dynamic, Directive::Distribute,
          Directive::Align, Directive::Realign, Directive::Redistribute, Directive::Shadow,
          Directive::Reflect, Directive::ReflectBegin, Directive::ReflectEnd}) {
      if (kind == Directive::Align) // one may be aligned with another whose directive stands below
        forEach(kind, [this] { nameAligned(); });
      forEach(kind, [this] { judgeMeaning(); });
      if (kind == Directive::Align) {
        forEach(kind, [this] { judgeCircles(); });
        forEach(kind, [this] { judgeShapes(); });
      }
    }
    llvm::stable_sort(result.findings, [](const auto &left, const auto &right) {
      return left.directive < right.directive;
    });
    return std::move(result);
  }

private:
  ASTContext &context;
  const SourceManager &sources;
  const DirectiveConstants &constants;
  MeantDirectives result;
  std::vector<MeantDirective> &directives = result.directives;
  std::size_t current = 0;

  MeantDirective &here() { return directives[current]; }

  /// Calls judge() at each directive of a kind, unless an earlier stage found errors.
  template <typename Stage> void forEach(Directive::Kind kind, Stage judge) {
    const bool sound = result.findings.empty();
    for (current = 0; sound && current < directives.size(); ++current)
      if (directives[current].is(kind))
        judge();
  }

  bool isBefore(const MeantDirective &left, const MeantDirective &right) const {
    return sources.isBeforeInTranslationUnit(left.place.location, right.place.location);
  }

  /// Reports an error and returns false, which functions that stop there return too.
  bool fail(unsigned offset, const std::string &text) {
    result.findings.push_back({current, offset, text});
    return false;
  }
  bool failHere(const std::string &text) { return fail(here().pragma->begin, text); }
  bool failAt(const DirectiveText &word, const std::string &text) {
    return fail(word.offset, "'" + word.text + "' " + text);
  }

  std::string lineOf(SourceLocation location) const {
    return std::to_string(sources.getPresumedLineNumber(sources.getExpansionLoc(location)));
  }

  /// Judges what one directive says by itself, and where it stands.
  void judgeForm() {
    MeantDirective &meant = here();
    const DirectivePragma &pragma = *meant.pragma;
    if (!pragma.obstacle.empty()) {
      failHere(pragma.obstacle);
      return;
    }
    if (pragma.problem) {
      fail(pragma.problem->offset, pragma.problem->text);
      return;
    }
    if (!meant.place.obstacle.empty()) {
      failHere(meant.place.obstacle);
      return;
    }
    const Directive &said = *pragma.directive;
    if (said.isExecuted() && !meant.place.block()) {
      failHere("stands outside of functions, expected a block: it is executed there");
      return;
    }
    meant.said = &said;
  }

  void judgeMeaning() {
    switch (here().said->kind) {
    case Directive::Processors:
      judgeProcessors();
      break;
    case Directive::Template:
      judgeTemplate();
      break;
    case Directive::Dynamic:
      for (const DirectiveText &name : here().said->names)
        addArray(name);
      break;
    case Directive::Align:
      judgeAlign();
      break;
    case Directive::Realign:
      judgeRealign();
      break;
    case Directive::Distribute:
      judgeDistribute();
      break;
    case Directive::Redistribute:
      judgeRedistribute();
      break;
    case Directive::Shadow:
      judgeShadow();
      break;
    case Directive::Reflect:
    case Directive::ReflectBegin:
    case Directive::ReflectEnd:
      judgeReflect();
      break;
    }
  }

  // ---- processors ----

  void judgeProcessors() {
    MeantDirective &meant = here();
    judgeNewName(meant.said->names.front(), "are");
    for (const DirectiveText &extent : meant.said->extents) {
      meant.extents.push_back(constants.valueOf(extent.text, meant.place));
      if (meant.extents.back() && *meant.extents.back() < 1)
        failAt(extent,
               "is " + std::to_string(*meant.extents.back()) + ", expected at least one processor");
    }
    if (const std::optional<DirectiveProblem> problem =
            problemOfRanks(*meant.said, meant.extents, {constants, meant.place, {}, {}}))
      fail(problem->offset, problem->text);
    judgeJumps();
  }

  /// Judges the name of processors or of a template.
  void judgeNewName(const DirectiveText &name, const std::string &verb) {
    const MeantDirective &meant = here();
    if (constants.isMacro(name.text, meant.place))
      failAt(name, "is a macro, expected another name");
    for (const MeantDirective &other : directives)
      if (&other != &meant && other.is(meant.said->kind) && isBefore(other, meant) &&
          other.said->names.front().text == name.text &&
          other.place.block() == meant.place.block() && other.place.context == meant.place.context)
        failAt(name, verb + " declared in line " + lineOf(other.place.location) +
                         " already, expected another name");
  }

  void judgeTemplate() {
    MeantDirective &meant = here();
    const DirectiveText &name = meant.said->names.front();
    judgeNewName(name, "is");
    if (lookUp(name.text, meant.place, context))
      failAt(name, "is also the name of a variable, expected another name");
    for (const DirectiveText &extent : meant.said->extents) {
      meant.extents.push_back(constants.valueOf(extent.text, meant.place));
      if (meant.extents.back() && *meant.extents.back() < 0)
        failAt(extent, "is negative, expected the elements in that dimension");
    }
    judgeJumps();
  }

  /// Judges whether a jump may leave an object without a value.
  void judgeJumps() {
    const SourceLocation label = jumpPast(here().place, context);
    if (label.isValid())
      failHere("the label in line " + lineOf(label) +
               " is reached without it, expected it before the jump or in a block of its own");
  }

  /// The directive of a kind that declares a name, as it is seen from the current directive.
  std::size_t findDeclared(Directive::Kind kind, const DirectiveText &name) {
    std::size_t found = none;
    for (std::size_t number = 0; number < directives.size(); ++number) {
      const MeantDirective &other = directives[number];
      if (!other.is(kind) || other.said->names.front().text != name.text ||
          !isBefore(other, here()) ||
          (other.place.block() && !here().place.isInScopeOf(other.place)))
        continue;
      if (found == none || other.place.around.size() >= directives[found].place.around.size())
        found = number;
    }
    return found;
  }

  /// Judges whether the lambdas between a place and the outer block capture what the place uses.
  bool judgeLambdas(const DirectiveText &name, const DirectivePlace &outer) {
    return !outer.block() || judgeLambdas(name, here().place.lambdasWithin(outer), nullptr);
  }

  bool judgeLambdas(const DirectiveText &name, const std::vector<const LambdaExpr *> &lambdas,
                    const VarDecl *variable) {
    for (const LambdaExpr *lambda : lambdas)
      if (!capturesByReference(*lambda, variable))
        return failAt(name, "belongs to the function that encloses the lambda in line " +
                                lineOf(lambda->getBeginLoc()) +
                                ", expected the lambda to capture by [&]");
    return true;
  }

  // ---- arrays ----

  /// Adds what the name means; false where it cannot be a distributed array.
  bool addArray(const DirectiveText &name) {
    NamedArray array;
    if (!readArray(name, array))
      return false;
    here().arrays.push_back(std::move(array));
    return true;
  }

  /// The same for an array with elements.
  bool addArrayWithElements(const DirectiveText &name) {
    return addArray(name) &&
           (!here().arrays.back().block.isTemplate() ||
            failAt(name, "is a template, which has no elements, expected an array"));
  }

  bool readArray(const DirectiveText &name, NamedArray &array) {
    const MeantDirective &meant = here();
    if (constants.isMacro(name.text, meant.place))
      return failAt(name, "is a macro, expected the name of a variable");
    array.name = name.text;
    const std::size_t declared = findDeclared(Directive::Template, name);
    array.block = declared != none
                      ? templateBlock(declared)
                      : blockVariable(lookUp(name.text, meant.place, context), context);
    return array.block.problem.empty() || failAt(name, array.block.problem);
  }

  BlockVariable templateBlock(std::size_t number) const {
    BlockVariable block;
    block.templateNumber = number;
    block.isTemplateOfUnit = !directives[number].place.block();
    for (const std::optional<long long> &extent : directives[number].extents)
      block.extents.push_back({true, extent});
    return block;
  }

  /// The distribute or align directive whose object holds where the current directive names the
  /// variable.
  std::size_t findDistribution(const NamedArray &array) {
    std::size_t found = none;
    for (std::size_t number = 0; number < directives.size(); ++number) {
      const MeantDirective &other = directives[number];
      if (!saysWhere(other) || number == current)
        continue;
      for (const NamedArray &named : other.arrays)
        if (named.block.isSameAs(array.block) &&
            (array.block.isGlobal() ||
             (isBefore(other, here()) && here().place.isInScopeOf(other.place))))
          found = number;
    }
    return found;
  }

  /// Whether the directive's arrays have an object that says where they lie.
  static bool saysWhere(const MeantDirective &directive) {
    return directive.is(Directive::Distribute) || directive.is(Directive::Align);
  }

  std::string shadowing(const NamedArray &array) {
    for (const MeantDirective &other : directives)
      if (saysWhere(other) && isBefore(other, here()) && here().place.isInScopeOf(other.place))
        for (const NamedArray &named : other.arrays)
          if (named.name == array.name && !named.block.isGlobal())
            return lineOf(other.place.location);
    return "";
  }

  // ---- distribute ----

  void judgeDistribute() {
    MeantDirective &meant = here();
    const Directive &said = *meant.said;
    meant.extents.resize(said.formats.size());
    bool sound = true, declares = false;
    for (const DirectiveText &name : said.names) {
      sound &= addArray(name) && judgeDistributed(name);
      declares |= sound && !meant.arrays.back().block.isGlobal();
    }
    if (declares)
      judgeJumps();
    if (!sound || !judgeOnto())
      return;
    judgeExtents();
    judgeFormats(meant);
  }

  bool judgeDistributed(const DirectiveText &name) {
    const NamedArray &array = here().arrays.back();
    if (!judgeMemory(name, array))
      return false;
    if (array.block.isGlobal())
      return true;
    if (const std::size_t earlier = findDistribution(array); earlier != none)
      return failAt(name, "is distributed in line " + lineOf(directives[earlier].place.location) +
                              " already, expected redistribute");
    return judgeCapture(name, array);
  }

  /// Judges the memory and the name of what a distribute or align directive declares.
  bool judgeMemory(const DirectiveText &name, const NamedArray &array) {
    const std::string memory =
        array.block.isTemplate() ? "" : foreignMemory(array.block.variable, context);
    if (!memory.empty())
      return failAt(name, "points to " + memory + ", expected memory of malloc()");
    for (const MeantDirective &other : directives)
      for (const NamedArray &named : other.arrays)
        if (array.block.isGlobal() && named.name == array.name &&
            !named.block.isSameAs(array.block) && saysWhere(other) && named.block.isGlobal())
          return failAt(name, "is also the name of another distributed variable (line " +
                                  lineOf(other.place.location) + "), expected different names");
    return true;
  }

  /// Judges whether lambdas around the directive capture the array by reference.
  bool judgeCapture(const DirectiveText &name, const NamedArray &array) {
    if (array.block.isTemplate())
      return judgeLambdas(name, directives[*array.block.templateNumber].place);
    const VarDecl *variable = array.block.variable;
    return judgeLambdas(name, here().place.lambdasFrom(*variable, sources), variable);
  }

  bool judgeOnto() {
    MeantDirective &meant = here();
    const Directive &said = *meant.said;
    if (!said.onto)
      return failHere("names no processors, expected onto PROCESSORS");
    const std::size_t found = findDeclared(Directive::Processors, *said.onto);
    if (found == none)
      return failAt(*said.onto, "are not processors that are declared here, expected #pragma hpf "
                                "processors " +
                                    said.onto->text + "(...) before");
    meant.processors = found;
    const MeantDirective &processors = directives[found];
    if (!judgeLambdas(*said.onto, processors.place))
      return false;
    const std::vector<DirectiveText> &repeated = said.ontoExtents;
    const std::vector<DirectiveText> &declared = processors.said->extents;
    if (!repeated.empty() && repeated.size() != declared.size())
      return failAt(*said.onto,
                    "have " + countText(static_cast<long long>(declared.size()), "dimension") +
                        ", expected as many extents");
    for (std::size_t number = 0; number < repeated.size(); ++number) {
      const std::optional<long long> value = constants.valueOf(repeated[number].text, meant.place);
      if (repeated[number].text != declared[number].text &&
          (!value || !processors.extents[number] || *value != *processors.extents[number]))
        return failAt(repeated[number], "is not the extent in line " +
                                            lineOf(processors.place.location) + ", expected '" +
                                            declared[number].text + "'");
    }
    return judgeFit(meant, processors);
  }

  /// Judges whether the number of distributed dimensions equals that of the processors.
  bool judgeFit(const MeantDirective &meant, const MeantDirective &processors) {
    const auto distributed = static_cast<std::size_t>(
        llvm::count_if(meant.said->formats, [](const DirectiveFormat &format) {
          return format.kind != DirectiveFormat::Collapsed;
        }));
    const std::size_t expected = processors.said->extents.size();
    if (distributed == expected)
      return true;
    return fail(meant.said->formats.front().offset,
                "found " + countText(static_cast<long long>(distributed), "distributed dimension") +
                    ", expected " + std::to_string(expected) + ", as many as processors '" +
                    processors.said->names.front().text + "' have");
  }

  /// Judges the array's own extents, and whether its type fits the dimensions.
  void judgeExtents() {
    MeantDirective &meant = here();
    const Directive &said = *meant.said;
    const std::size_t dimensions = said.formats.size();
    if (!said.extents.empty() && said.extents.size() != dimensions)
      fail(said.extents.front().offset,
           "found " + countText(static_cast<long long>(said.extents.size()), "extent") +
               ", expected " + std::to_string(dimensions) + ", one for each dimension");
    for (std::size_t number = 0; number < dimensions; ++number)
      judgeExtent(number);
  }

  void judgeExtent(std::size_t number) {
    MeantDirective &meant = here();
    const Directive &said = *meant.said;
    const BlockVariable &block = meant.arrays.front().block;
    const DirectiveText *given = number < said.extents.size() && said.extents[number].text != "*"
                                     ? &said.extents[number]
                                     : nullptr;
    std::optional<long long> &extent = meant.extents[number];
    if (given)
      extent = constants.valueOf(given->text, meant.place);
    if (extent && *extent < 0)
      failAt(*given, "is negative, expected the elements in that dimension");
    if (block.saysExtent(number) && block.extents[number].constant) {
      const auto inType = static_cast<long long>(*block.extents[number].constant);
      if (extent && *extent >= 0 && *extent != inType)
        failAt(*given, "is " + std::to_string(*extent) + ", expected " + std::to_string(inType) +
                           ", as the " + (block.isTemplate() ? "template '" : "type of '") +
                           meant.arrays.front().name + "' says");
      extent = inType;
    }
    const DirectiveFormat::Kind kind = said.formats[number].kind;
    const bool isSummed = kind == DirectiveFormat::GenBlock || kind == DirectiveFormat::Indirect;
    if (!given && !block.saysExtent(number) && !isSummed && !block.isTemplate())
      fail(said.formats[number].offset,
           "the extent of this dimension is not known, expected " + extentClause(said));
  }

  /// extent(N), extent(N, M), ... for as many dimensions as are said.
  static std::string extentClause(const Directive &said) {
    static const char *const names[] = {"N", "M", "K", "L", "I", "J", "H"};
    std::string clause;
    for (std::size_t number = 0; number < said.formats.size(); ++number)
      clause += (number == 0 ? "extent(" : ", ") + std::string(names[number]);
    return clause + ")";
  }

  /// Judges whether the dimensions that the type says fit, for every array of the directive.
  bool judgeRows(const NamedArray &array, const MeantDirective &distribution) {
    const Directive &said = *here().said;
    const NamedArray &first = here().arrays.front();
    if (array.block.extents.empty() && &distribution == &here() && !first.block.extents.empty())
      return fail(said.formats.front().offset,
                  "'" + array.name + "' does not " +
                      (first.block.pointsToRows() ? "point to rows" : "say its extents") + " as '" +
                      first.name + "' does, expected a directive of its own");
    const std::optional<DirectiveProblem> problem = problemOfShape(array.name, array.block, said);
    return !problem || fail(problem->offset, problem->text);
  }

  // ---- redistribute ----

  void judgeRedistribute() {
    MeantDirective &meant = here();
    for (const DirectiveText &name : meant.said->names)
      if (!addArray(name) || !judgeRedistributed(name))
        return;
    if (meant.said->onto && !judgeOnto())
      return;
    const MeantDirective &first = directives[meant.arrays.front().distribution];
    bool moves = false; // to other processors, by another directive
    for (const NamedArray &array : meant.arrays) {
      const MeantDirective &other = directives[array.distribution];
      moves |= changesProcessors(array);
      if (other.processors != first.processors && !meant.said->onto && !moves)
        return void(failHere("'" + meant.arrays.front().name + "' and '" + array.name +
                             "' are distributed onto different processors, expected the same"));
      if (other.said->formats.size() != meant.said->formats.size())
        return void(
            fail(meant.said->formats.front().offset,
                 "'" + array.name + "' has " +
                     countText(static_cast<long long>(other.said->formats.size()), "dimension") +
                     " (line " + lineOf(other.place.location) + "), found " +
                     std::to_string(meant.said->formats.size())));
    }
    if (!meant.said->onto && !moves) {
      if (!first.processors || !judgeFit(meant, directives[*first.processors]))
        return;
      meant.processors = first.processors;
    }
    judgeSchedule();
    for (const NamedArray &array : meant.arrays)
      judgeFormats(directives[array.distribution]);
    if (const std::string problem = problemOfFollowers(directives, meant, sources);
        !problem.empty())
      fail(meant.said->formats.front().offset, problem);
  }

  /// Whether some directive may have moved the array to other processors than distribute says.
  bool changesProcessors(const NamedArray &array) const {
    for (const MeantDirective &other : directives)
      if (other.is(Directive::Realign) || (other.is(Directive::Redistribute) && other.said->onto))
        for (const DirectiveText &name : other.said->names)
          if (name.text == array.name)
            return true;
    return false;
  }

  // ---- align and realign ----

  void nameAligned() {
    for (const DirectiveText &name : here().said->names)
      addArrayWithElements(name);
  }

  /// Judges the names; what the subscripts lead to is judged when all targets are known.
  void judgeAlign() {
    MeantDirective &meant = here();
    const Directive &said = *meant.said;
    bool declares = false;
    for (std::size_t number = 0; number < meant.arrays.size(); ++number) {
      if (!judgeAligned(said.names[number], meant.arrays[number]))
        return;
      declares |= !meant.arrays[number].block.isGlobal();
    }
    if (declares)
      judgeJumps();
    if (!judgeTarget())
      return;
    if (!said.extents.empty() && said.extents.size() != said.alignments.size())
      return void(fail(said.extents.front().offset,
                       "found " + countText(static_cast<long long>(said.extents.size()), "extent") +
                           ", expected " + std::to_string(said.alignments.size()) +
                           ", one for each dimension"));
    meant.extents.resize(said.alignments.size());
    for (std::size_t number = 0; number < said.alignments.size(); ++number)
      judgeAlignedExtent(number);
  }

  bool judgeAligned(const DirectiveText &name, const NamedArray &array) {
    if (!judgeMemory(name, array))
      return false;
    for (const MeantDirective &other : directives)
      if (other.is(Directive::Distribute) ||
          (other.is(Directive::Align) && isBefore(other, here())))
        for (const NamedArray &named : other.arrays)
          if (named.block.isSameAs(array.block) && meet(array, other))
            return failAt(name, (other.is(Directive::Align) ? "is aligned in line "
                                                            : "is distributed in line ") +
                                    lineOf(other.place.location) +
                                    (isBefore(other, here()) ? " already, expected realign"
                                                             : ", too, expected one of the two"));
    return array.block.isGlobal() || judgeCapture(name, array);
  }

  /// Whether the object that another directive declares for an array is there where the current one
  /// declares its own, or the other way round.
  bool meet(const NamedArray &array, const MeantDirective &other) {
    if (array.block.isGlobal())
      return true;
    return isBefore(other, here()) ? here().place.isInScopeOf(other.place)
                                   : other.place.isInScopeOf(here().place);
  }

  /// Finds what the arrays are aligned with.
  bool judgeTarget() {
    MeantDirective &meant = here();
    const DirectiveText &name = *meant.said->with;
    NamedArray target;
    if (!readArray(name, target))
      return false;
    for (const NamedArray &array : meant.arrays) {
      if (array.block.isSameAs(target.block))
        return failAt(name, "is aligned with itself, expected another array");
      if (array.block.isGlobal() && !target.block.isGlobal())
        return failAt(name, "ends with its block, but '" + array.name +
                                "' does not, expected an array that lives as long");
    }
    if (!judgeUse(name, target))
      return false;
    meant.target = std::move(target);
    return true;
  }

  /// The extent of one dimension as the directive says it, or the types of the arrays.
  void judgeAlignedExtent(std::size_t number) {
    MeantDirective &meant = here();
    const Directive &said = *meant.said;
    const DirectiveText *given = number < said.extents.size() && said.extents[number].text != "*"
                                     ? &said.extents[number]
                                     : nullptr;
    std::optional<long long> &extent = meant.extents[number];
    if (given)
      extent = constants.valueOf(given->text, meant.place);
    if (extent && *extent < 0)
      failAt(*given, "is negative, expected the elements in that dimension");
    for (const NamedArray &array : meant.arrays) {
      if (!given && !array.block.saysExtent(number) && !said.alignments[number].along)
        return void(
            fail(said.alignments[number].offset, "the extent of this dimension of '" + array.name +
                                                     "' is not known, expected extent(...)"));
      if (!array.block.saysExtent(number) || !array.block.extents[number].constant)
        continue;
      const auto inType = static_cast<long long>(*array.block.extents[number].constant);
      if (given && extent && *extent >= 0 && *extent != inType)
        failAt(*given, "is " + std::to_string(*extent) + ", expected " + std::to_string(inType) +
                           ", as the type of '" + array.name + "' says");
      extent = std::max(extent.value_or(inType), inType); // the longest must not reach too far
    }
  }

  /// Judges whether what the arrays are aligned with moves with them.
  bool judgeCircles() {
    const MeantDirective &meant = here();
    for (const NamedArray &array : meant.arrays)
      if (const auto other = alignmentCarrying(directives, *meant.target, array))
        return failAt(*meant.said->with, "moves with '" + array.name + "' (line " +
                                             lineOf(directives[*other].place.location) +
                                             "), expected an array that does not");
    return true;
  }

  /// Judges the subscripts of align and realign.
  void judgeShapes() {
    MeantDirective &meant = here();
    if (const auto problem = problemOfSubscripts(directives, meant, constants))
      return void(fail(problem->offset, problem->text));
    if (const std::string problem = problemOfAlignment(directives, meant); !problem.empty())
      return void(fail(meant.said->with->offset, problem));
    Directive along; // whose formats are those of the arrays
    along.formats = formatsAlong(*meant.said, formatsOf(directives, meant.target->distribution));
    for (const NamedArray &array : meant.arrays)
      if (const auto problem = problemOfShape(array.name, array.block, along))
        return void(fail(problem->offset, problem->text));
  }

  void judgeRealign() {
    MeantDirective &meant = here();
    for (const DirectiveText &name : meant.said->names) {
      if (!addArrayWithElements(name) || !judgeUse(name) || !judgeDynamic(name))
        return;
      const MeantDirective &distribution = directives[meant.arrays.back().distribution];
      const std::size_t found = meant.said->alignments.size(),
                        expected = dimensionsOf(distribution);
      if (found != expected)
        return void(fail(meant.said->alignments.front().offset,
                         "'" + name.text + "' has " +
                             countText(static_cast<long long>(expected), "dimension") + " (line " +
                             lineOf(distribution.place.location) + "), found " +
                             std::to_string(found)));
    }
    if (!judgeTarget() || !judgeCircles())
      return;
    meant.extents = extentsOf(directives, meant.arrays.front().distribution, constants);
    judgeShapes();
  }

  // ---- shadow and reflect ----

  void judgeShadow() {
    const Directive &said = *here().said;
    if (!addArrayWithElements(said.names.front()) || !judgeUse(said.names.front()))
      return;
    Directive distribution;
    distribution.formats = formatsOf(directives, here().arrays.front().distribution);
    const std::optional<DirectiveProblem> problem =
        problemOfShadow(said, distribution, {constants, here().place, {}, {}});
    if (problem)
      fail(problem->offset, problem->text);
  }

  void judgeReflect() {
    const Directive &said = *here().said;
    for (const DirectiveText &name : said.names) {
      if (!addArrayWithElements(name) || !judgeUse(name))
        return;
      const NamedArray &array = here().arrays.back();
      const std::size_t dimensions = dimensionsOf(directives[array.distribution]);
      if (!hasShadow(array))
        return void(failAt(name, "has no shadow, expected #pragma hpf shadow " + name.text +
                                     "(LOWER:UPPER" + (dimensions > 1 ? ", ...)" : ")")));
      if (!said.periods.empty() && said.periods.size() != dimensions)
        return void(fail(said.periods.front().offset,
                         "found " +
                             countText(static_cast<long long>(said.periods.size()), "period") +
                             ", expected " + std::to_string(dimensions) +
                             ", one for each dimension of '" + name.text + "'"));
    }
  }

  bool hasShadow(const NamedArray &array) const {
    for (const MeantDirective &other : directives)
      if (other.is(Directive::Shadow))
        for (const NamedArray &named : other.arrays)
          if (named.block.isSameAs(array.block))
            return true;
    return false;
  }

  bool judgeRedistributed(const DirectiveText &name) {
    if (!judgeUse(name))
      return false;
    const MeantDirective &distribution = directives[here().arrays.back().distribution];
    if (distribution.is(Directive::Align))
      return failAt(name, "is aligned with '" + distribution.target->name + "' in line " +
                              lineOf(distribution.place.location) +
                              " and moves with it, expected redistribute of '" +
                              distribution.target->name + "', or realign");
    return judgeDynamic(name);
  }

  bool judgeDynamic(const DirectiveText &name) {
    const NamedArray &array = here().arrays.back();
    for (const MeantDirective &other : directives)
      if (other.is(Directive::Dynamic)) {
        if (other.said->names.empty())
          return true;
        for (const NamedArray &named : other.arrays)
          if (named.block.isSameAs(array.block))
            return true;
      }
    return failAt(name, "is not dynamic, expected #pragma hpf dynamic " + name.text);
  }

  /// Finds the distribution of the array that was added last.
  bool judgeUse(const DirectiveText &name) { return judgeUse(name, here().arrays.back()); }

  bool judgeUse(const DirectiveText &name, NamedArray &array) {
    array.distribution = findDistribution(array);
    if (array.distribution == none)
      return failAt(name,
                    array.block.isGlobal()
                        ? "is not distributed in this unit, expected #pragma hpf distribute"
                        : "is not distributed here, expected #pragma hpf distribute before, in "
                          "this block or one around it");
    const MeantDirective &distribution = directives[array.distribution];
    if (array.block.isGlobal()) {
      if (const std::string line = shadowing(array); !line.empty())
        return failAt(name, "is also the name of the variable that line " + line +
                                " distributes, expected different names");
    } else if (!judgeLambdas(name, distribution.place))
      return false;
    return true;
  }

  void judgeSchedule() {
    const std::optional<DirectiveText> &schedule = here().said->schedule;
    if (!schedule)
      return;
    for (const llvm::StringRef name : {"auto", "asynchronous", "optimal", "mlc", "tpdr"})
      if (name.equals_insensitive(schedule->text))
        return;
    failAt(*schedule, "is not a schedule, expected asynchronous, optimal, mlc, tpdr or auto");
  }

  // ---- what is known of sizes ----

  /// The extents of a redistribution must repeat those of the array.
  void judgeRepeatedExtents(const MeantDirective &distribution) {
    const std::vector<DirectiveText> &repeated = here().said->extents;
    if (repeated.empty())
      return;
    if (repeated.size() != distribution.extents.size())
      return static_cast<void>(fail(
          repeated.front().offset,
          "found " + countText(static_cast<long long>(repeated.size()), "extent") + ", expected " +
              std::to_string(distribution.extents.size()) + ", one for each dimension"));
    for (std::size_t number = 0; number < repeated.size(); ++number) {
      if (repeated[number].text == "*")
        continue;
      const std::optional<long long> value = constants.valueOf(repeated[number].text, here().place);
      const std::optional<long long> &known = distribution.extents[number];
      if (value && known && *value != *known)
        failAt(repeated[number], "is " + std::to_string(*value) + ", expected " +
                                     std::to_string(*known) + " as the array has");
    }
  }

  void judgeFormats(const MeantDirective &distribution) {
    MeantDirective &meant = here();
    if (&distribution != &meant)
      judgeRepeatedExtents(distribution);
    for (const NamedArray &array : meant.arrays)
      if (!judgeRows(array, distribution))
        return;
    const MeantDirective *processors = meant.processors ? &directives[*meant.processors] : nullptr;
    std::size_t taken = 0; // dimensions of the processors
    for (std::size_t number = 0; number < meant.said->formats.size(); ++number) {
      const DirectiveFormat &format = meant.said->formats[number];
      if (format.kind == DirectiveFormat::Collapsed)
        continue;
      const std::optional<long long> ranks =
          processors ? processors->extents[taken++] : std::nullopt;
      judgeFormat(number, ranks, distribution.extents[number]);
    }
  }

  void judgeFormat(std::size_t number, std::optional<long long> ranks,
                   std::optional<long long> extent) {
    const FormatJudgement judged =
        judgeFormatIn(*here().said, number, {constants, here().place, ranks, extent});
    if (judged.problem)
      fail(judged.problem->offset, judged.problem->text);
    else if (judged.extent && here().is(Directive::Distribute) && !here().extents[number] &&
             here().said->extents.empty())
      here().extents[number] = judged.extent;
  }
};

} // namespace

MeantDirectives judgeDirectives(const std::vector<DirectivePragma> &pragmas, ASTContext &context,
                                const DirectiveConstants &constants) {
  return Judge(pragmas, context, constants).judge();
}

} // namespace sendwright
