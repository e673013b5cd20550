// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recording of persistent requests, each start as the nonblocking call of the same mode, and of
// calls that end a request early.

#include "runtime/interception/Wrappers.h"
#include "runtime/recording/CallValues.h"
#include "runtime/recording/RecordedCall.h"

#include <algorithm>
#include <array>

namespace {

using sendwright::MpiFunctionId;
using sendwright::RecordedCall;
using sendwright::Recorder;

/// Records the start of a request made by a persistent call; leaves out others. `before` is the
/// handle given to the starting call, and `handle` the handle that it left.
void recordStart(Recorder &recorder, MPI_Request before, MPI_Request handle,
                 const sendwright::CallTimes &times) {
  int number = -1;
  const sendwright::PersistentCall *started = recorder.requests.start(before, handle, number);
  if (!started)
    return;
  sendwright::EventContent content;
  content.function = started->function;
  content.peer = started->peer;
  content.tag = started->tag;
  content.communicator = started->communicator;
  content.bytes = started->bytes;
  content.requests = std::span(&number, 1);
  recorder.add(content, times);
}

} // namespace

extern "C" {

int sendwright_record_MPI_Start(sendwright::Caller caller, MPI_Request *request) {
  const MPI_Request before = request ? *request : MPI_REQUEST_NULL;
  RecordedCall call(caller, MpiFunctionId::Start);
  const int result = sendwright_inner_MPI_Start(request);
  call.times.end = sendwright::recordingThread().clock.now();
  if (result == MPI_SUCCESS && request)
    sendwright::withRecorder(
        [&](Recorder &recorder) { recordStart(recorder, before, *request, call.times); });
  return result;
}

int sendwright_record_MPI_Startall(sendwright::Caller caller, int count, MPI_Request *requests) {
  sendwright::CallValues<MPI_Request> before(count);
  if (before.data() && requests && count > 0)
    std::copy(requests, requests + count, before.data());
  RecordedCall call(caller, MpiFunctionId::Startall);
  const int result = sendwright_inner_MPI_Startall(count, requests);
  call.times.end = sendwright::recordingThread().clock.now();
  if (result == MPI_SUCCESS && count > 0 && !before.data())
    sendwright::abandonRecording();
  else if (result == MPI_SUCCESS && requests)
    sendwright::withRecorder([&](Recorder &recorder) {
      for (int i = 0; i < count; ++i) {
        recordStart(recorder, before.data()[i], requests[i], call.times);
        call.times.begin = call.times.end; // the first one's time stands for all
        call.times.site = nullptr;         // and so does what the program did before
      }
    });
  return result;
}

int sendwright_record_MPI_Request_free(sendwright::Caller caller, MPI_Request *request) {
  const MPI_Request handle = *request;
  RecordedCall call(caller, MpiFunctionId::Request_free);
  sendwright::TakenRequests freed;
  bool isForgotten = false;
  const auto forget = [&](Recorder &recorder) {
    freed = recorder.requests.take(handle);
    recorder.requests.freePersistent(handle);
    isForgotten = true;
  };
  sendwright::withRecorder([&](Recorder &recorder) {
    // MPI may give the handle to another thread during the call. (Then a call that fails forgets
    // it, too.)
    if (recorder.isThreaded())
      forget(recorder);
  });
  const int result = sendwright_inner_MPI_Request_free(request);
  call.times.end = sendwright::recordingThread().clock.now();
  sendwright::withRecorder([&](Recorder &recorder) {
    if (result == MPI_SUCCESS && !isForgotten)
      forget(recorder);
    std::array<int, 2> numbers{};
    std::size_t known = 0;
    for (const sendwright::RecordedRequest &request : freed)
      if (request.number >= 0) {
        recorder.requests.close(request);
        numbers[known++] = request.number;
      }
    if (result != MPI_SUCCESS)
      return;
    sendwright::EventContent content;
    content.function = MpiFunctionId::Request_free;
    content.requests = std::span(numbers.data(), known);
    recorder.add(content, call.times);
  });
  return result;
}

int sendwright_record_MPI_Cancel(sendwright::Caller caller, MPI_Request *request) {
  const MPI_Request handle = *request;
  RecordedCall call(caller, MpiFunctionId::Cancel);
  const int result = sendwright_inner_MPI_Cancel(request);
  call.times.end = sendwright::recordingThread().clock.now();
  if (result == MPI_SUCCESS)
    sendwright::withRecorder([&](Recorder &recorder) {
      const int number = recorder.requests.numberToCancel(handle);
      sendwright::EventContent content;
      content.function = MpiFunctionId::Cancel;
      if (number >= 0)
        content.requests = std::span(&number, 1);
      recorder.add(content, call.times);
    });
  return result;
}

} // extern "C"
