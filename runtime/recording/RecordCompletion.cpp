// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recording of the calls that complete requests: which requests, and what the wildcard receives
// among them matched. MPI sets the handles of completed requests to null, so they are noted before
// the call; with several threads the requests, too, because MPI may give a completed one's handle
// to another thread before the call returns. Only statuses say what matched; if the program wants
// no statuses while a wildcard is open, the recorder passes its own.

#include "runtime/base/Sizes.h"
#include "runtime/interception/Wrappers.h"
#include "runtime/recording/CallValues.h"
#include "runtime/recording/RecordedCall.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace {

using sendwright::MpiFunctionId;
using sendwright::RecordedCall;
using sendwright::RecordedRequest;
using sendwright::Recorder;
using sendwright::TakenRequests;

/// One completing call.
class CompletionRecording {
public:
  CompletionRecording(sendwright::Caller caller, MpiFunctionId function, int count,
                      const MPI_Request *requests, MPI_Status *statuses, bool ignored)
      : call(caller, function), count(count), program(requests),
        withOwn(ignored && wildcardsOpen()), handles(count), ownStatuses(withOwn ? count : 0),
        statusesToUse(withOwn && ownStatuses.data() ? ownStatuses.data() : statuses),
        hasStatuses(statusesToUse != statuses || !ignored) {
    if (!handles.data() || count <= 0)
      return;
    std::copy(requests, requests + count, handles.data());
    sendwright::withRecorder([&](Recorder &recorder) {
      if (!recorder.isThreaded())
        return;
      taken.reserve(count);
      for (int entry = 0; entry < count; ++entry)
        taken.push_back(recorder.requests.take(handles.data()[entry]));
    });
  }
  ~CompletionRecording() { putBack(); }
  CompletionRecording(const CompletionRecording &) = delete;
  CompletionRecording &operator=(const CompletionRecording &) = delete;

  /// The statuses to pass on: the program's or the recorder's.
  MPI_Status *statuses() const { return statusesToUse; }

  /// No request was complete.
  void fruitless() {
    putBack(); // before the time is noted
    call.fruitless();
  }

  /// Requests were completed: the k-th is entry `indices[k]` of the array (all entries if `indices`
  /// is null), and its status is the k-th status or, with `statusOfEach`, the status of that entry.
  void completed(bool anyOrder, int completions, const int *indices,
                 bool statusOfEach = false) noexcept {
    call.times.end = sendwright::recordingThread().clock.now();
    if (completions > 0 && !handles.data())
      return sendwright::abandonRecording();
    sendwright::withRecorder([&](Recorder &recorder) {
      static thread_local std::vector<int> numbers;
      static thread_local std::vector<sendwright::WildcardMatch> matches;
      numbers.clear();
      matches.clear();
      for (int k = 0; k < completions; ++k) {
        const int entry = indices ? indices[k] : k;
        const TakenRequests complete = taken.empty() ? recorder.requests.take(handles.data()[entry])
                                                     : std::exchange(taken[entry], {});
        for (const RecordedRequest &request : complete) {
          if (request.number < 0)
            continue;
          recorder.requests.close(request);
          numbers.push_back(request.number);
          if (request.wildcard && hasStatuses)
            addMatch(recorder, request, statusesToUse[statusOfEach ? entry : k], matches);
        }
      }
      if (anyOrder && numbers.empty()) // no known request was active
        return recorder.addFruitlessTest(call.times);
      recorder.addCompletion(call.function, anyOrder, numbers, matches, call.times);
    });
  }

  /// Not all requests were complete. SMPI completes some of them all the same, and sets their
  /// handles to null: otherwise they would stay open here, and the handles soon mean others.
  void someCompleted(const MPI_Request *now) noexcept {
    sendwright::CallValues<int> indices(count);
    int completions = 0;
    for (int index = 0; handles.data() && indices.data() && index < count; ++index)
      if (handles.data()[index] != MPI_REQUEST_NULL && now[index] == MPI_REQUEST_NULL)
        indices.data()[completions++] = index;
    if (completions > 0)
      completed(true, completions, indices.data(), true);
    else
      fruitless();
  }

private:
  static bool wildcardsOpen() {
    bool open = false;
    sendwright::withRecorder(
        [&](Recorder &recorder) { open = recorder.requests.openWildcards() > 0; });
    return open;
  }

  static void addMatch(Recorder &recorder, const sendwright::RecordedRequest &request,
                       const MPI_Status &status, std::vector<sendwright::WildcardMatch> &matches) {
    int cancelled = 0;
    PMPI_Test_cancelled(&status, &cancelled);
    if (!cancelled)
      matches.push_back({request.number,
                         recorder.communicators.peer(request.communicator, status.MPI_SOURCE),
                         status.MPI_TAG, sendwright::receivedBytes(status)});
  }

  /// What was taken and is not complete can be found again. After an error, MPI has also ended
  /// requests whose handles are null now.
  void putBack() noexcept {
    if (taken.empty())
      return;
    sendwright::withRecorder([&](Recorder &recorder) {
      for (std::size_t entry = taken.size(); entry-- > 0;)
        if (program[entry] == handles.data()[entry])
          recorder.requests.putBack(handles.data()[entry], taken[entry]);
        else
          for (const RecordedRequest &ended : taken[entry])
            if (ended.number >= 0)
              recorder.requests.close(ended);
    });
    taken.clear();
  }

  RecordedCall call;
  const int count;
  const MPI_Request *const program; ///< its handles, which the call changes
  const bool withOwn;               ///< statuses; asked once, as other threads post wildcards, too
  sendwright::CallValues<MPI_Request> handles; ///< as they were before the call
  std::vector<TakenRequests> taken;            ///< of each entry; empty with one thread
  sendwright::CallValues<MPI_Status> ownStatuses;
  MPI_Status *const statusesToUse;
  const bool hasStatuses;
};

} // namespace

extern "C" {

int sendwright_record_MPI_Wait(sendwright::Caller caller, MPI_Request *request,
                               MPI_Status *status) {
  CompletionRecording recording(caller, MpiFunctionId::Wait, 1, request, status,
                                status == MPI_STATUS_IGNORE);
  const int result = sendwright_inner_MPI_Wait(request, recording.statuses());
  if (result == MPI_SUCCESS)
    recording.completed(false, 1, nullptr);
  return result;
}

int sendwright_record_MPI_Waitall(sendwright::Caller caller, int count, MPI_Request *requests,
                                  MPI_Status *statuses) {
  CompletionRecording recording(caller, MpiFunctionId::Waitall, count, requests, statuses,
                                statuses == MPI_STATUSES_IGNORE);
  const int result = sendwright_inner_MPI_Waitall(count, requests, recording.statuses());
  if (result == MPI_SUCCESS)
    recording.completed(false, count, nullptr);
  return result;
}

int sendwright_record_MPI_Waitany(sendwright::Caller caller, int count, MPI_Request *requests,
                                  int *index, MPI_Status *status) {
  CompletionRecording recording(caller, MpiFunctionId::Waitany, count, requests, status,
                                status == MPI_STATUS_IGNORE);
  const int result = sendwright_inner_MPI_Waitany(count, requests, index, recording.statuses());
  if (result == MPI_SUCCESS && *index != MPI_UNDEFINED)
    recording.completed(true, 1, index);
  return result;
}

int sendwright_record_MPI_Waitsome(sendwright::Caller caller, int count, MPI_Request *requests,
                                   int *completions, int *indices, MPI_Status *statuses) {
  CompletionRecording recording(caller, MpiFunctionId::Waitsome, count, requests, statuses,
                                statuses == MPI_STATUSES_IGNORE);
  const int result =
      sendwright_inner_MPI_Waitsome(count, requests, completions, indices, recording.statuses());
  if (result == MPI_SUCCESS && *completions != MPI_UNDEFINED)
    recording.completed(true, *completions, indices);
  return result;
}

int sendwright_record_MPI_Test(sendwright::Caller caller, MPI_Request *request, int *flag,
                               MPI_Status *status) {
  CompletionRecording recording(caller, MpiFunctionId::Test, 1, request, status,
                                status == MPI_STATUS_IGNORE);
  const bool active = *request != MPI_REQUEST_NULL;
  const int result = sendwright_inner_MPI_Test(request, flag, recording.statuses());
  if (result == MPI_SUCCESS && *flag && active)
    recording.completed(true, 1, nullptr);
  else
    recording.fruitless();
  return result;
}

int sendwright_record_MPI_Testall(sendwright::Caller caller, int count, MPI_Request *requests,
                                  int *flag, MPI_Status *statuses) {
  CompletionRecording recording(caller, MpiFunctionId::Testall, count, requests, statuses,
                                statuses == MPI_STATUSES_IGNORE);
  const int result = sendwright_inner_MPI_Testall(count, requests, flag, recording.statuses());
  if (result == MPI_SUCCESS && *flag)
    recording.completed(true, count, nullptr);
  else if (result == MPI_SUCCESS)
    recording.someCompleted(requests);
  else
    recording.fruitless();
  return result;
}

int sendwright_record_MPI_Testany(sendwright::Caller caller, int count, MPI_Request *requests,
                                  int *index, int *flag, MPI_Status *status) {
  CompletionRecording recording(caller, MpiFunctionId::Testany, count, requests, status,
                                status == MPI_STATUS_IGNORE);
  const int result =
      sendwright_inner_MPI_Testany(count, requests, index, flag, recording.statuses());
  if (result == MPI_SUCCESS && *flag && *index != MPI_UNDEFINED)
    recording.completed(true, 1, index);
  else
    recording.fruitless();
  return result;
}

int sendwright_record_MPI_Testsome(sendwright::Caller caller, int count, MPI_Request *requests,
                                   int *completions, int *indices, MPI_Status *statuses) {
  CompletionRecording recording(caller, MpiFunctionId::Testsome, count, requests, statuses,
                                statuses == MPI_STATUSES_IGNORE);
  const int result =
      sendwright_inner_MPI_Testsome(count, requests, completions, indices, recording.statuses());
  if (result == MPI_SUCCESS && *completions != MPI_UNDEFINED && *completions > 0)
    recording.completed(true, *completions, indices);
  else
    recording.fruitless();
  return result;
}

} // extern "C"
