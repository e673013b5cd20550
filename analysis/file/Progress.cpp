// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/file/Progress.h"

#include "analysis/file/Escaping.h"
#include "analysis/file/FigureText.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

namespace sendwright {

namespace {

std::atomic<bool> anyoneLooks{false};

/// What is going on in the process. Never destroyed: work may end after main().
struct CurrentWork {
  std::mutex mutex;
  std::vector<const std::string *> activities;
  std::vector<const Progress *> counted;
  std::uint64_t stages = 0;
};

CurrentWork &currentWork() {
  static CurrentWork *const work = new CurrentWork;
  return *work;
}

/// "3 s", "2 min 5 s", "1 h 20 min".
std::string durationText(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::clamp(std::round(seconds), 0.0, 1e9));
  const auto text = [](std::uint64_t number, const char *unit) {
    return std::to_string(number) + unit;
  };
  if (whole < 60)
    return text(whole, " s");
  if (whole < 3600)
    return text(whole / 60, " min ") + text(whole % 60, " s");
  return text(whole / 3600, " h ") + text(whole % 3600 / 60, " min");
}

std::string countedText(const ProgressState &state, double seconds) {
  if (state.unit.empty())
    return durationText(seconds);
  if (state.isSteps) {
    std::string text = "step " + std::to_string(std::min(state.done + 1, state.total)) + " of " +
                       std::to_string(state.total) + ", " + durationText(seconds);
    if (state.done > 0 && state.done < state.total)
      text += ", about " +
              durationText(seconds * static_cast<double>(state.total - state.done) /
                           static_cast<double>(state.done)) +
              " left";
    return text;
  }
  const char *const limit = state.isAtMost ? "up to " : "";
  std::string text = std::to_string(state.done);
  if (state.total > 0)
    text += std::string(" of ") + limit + std::to_string(state.total);
  text += " " + state.unit;
  if (state.done == 0 || seconds <= 0)
    return text;
  const double rate = static_cast<double>(state.done) / seconds;
  text += ", " + formatted("%.3g", rate) + "/s";
  if (state.total >= state.done)
    text += std::string(", ") + limit +
            durationText(static_cast<double>(state.total - state.done) / rate) + " left";
  return text;
}

} // namespace

Progress::Progress(const char *unit, std::uint64_t total, Total kind)
    : unit(unit), total(total), kind(kind), isWatched(anyoneLooks) {
  if (!isWatched)
    return;
  CurrentWork &work = currentWork();
  const std::lock_guard lock(work.mutex);
  stage = ++work.stages;
  work.counted.push_back(this);
}

Progress::~Progress() {
  if (!isWatched)
    return;
  CurrentWork &work = currentWork();
  const std::lock_guard lock(work.mutex);
  std::erase(work.counted, this);
}

void Progress::watch() { anyoneLooks = true; }

bool Progress::watched() { return anyoneLooks; }

void Progress::beginActivity(const std::string *text) {
  CurrentWork &work = currentWork();
  const std::lock_guard lock(work.mutex);
  work.activities.push_back(text);
}

void Progress::endActivity(const std::string *text) {
  CurrentWork &work = currentWork();
  const std::lock_guard lock(work.mutex);
  std::erase(work.activities, text);
}

std::optional<ProgressState> Progress::current() {
  CurrentWork &work = currentWork();
  const std::lock_guard lock(work.mutex);
  if (work.activities.empty() && work.counted.empty())
    return std::nullopt;
  ProgressState state;
  if (!work.activities.empty())
    state.activity = *work.activities.back();
  if (work.counted.empty())
    return state;
  const auto finer = std::find_if(work.counted.begin(), work.counted.end(),
                                  [](const Progress *one) { return one->kind != Total::Steps; });
  const Progress &shown = finer == work.counted.end() ? *work.counted.back() : **finer;
  state.unit = shown.unit;
  state.done = shown.done.load(std::memory_order_relaxed);
  state.total = shown.total;
  state.isAtMost = shown.kind == Total::AtMost;
  state.isSteps = shown.kind == Total::Steps;
  state.stage = shown.stage;
  return state;
}

std::string ProgressText::at(double now, const std::optional<ProgressState> &state) {
  if (!begin)
    begin = now;
  if (!state)
    return "";
  const double stageBegin = stages.try_emplace(state->stage, now).first->second;
  if (now - *begin < delay)
    return "";
  const std::string counted =
      countedText(*state, now - (state->unit.empty() ? *begin : stageBegin));
  return state->activity.empty() ? counted : printable(state->activity) + ", " + counted;
}

} // namespace sendwright
