// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recording of blocking receives and probes. For a wildcard, the status says what matched; if the
// program wants no status, the recorder passes its own.

#include "runtime/base/Sizes.h"
#include "runtime/interception/Wrappers.h"
#include "runtime/recording/RecordedCall.h"

namespace {

using sendwright::MpiFunctionId;
using sendwright::RecordedCall;

/// Remembers what a matching probe asked for, until its message is received.
void notePromise(int source, int tag, MPI_Comm communicator, MPI_Message message) {
  if (message == MPI_MESSAGE_NO_PROC)
    return;
  sendwright::withRecorder([&](sendwright::Recorder &recorder) {
    recorder.probed[message] = {source, tag, communicator};
  });
}

/// What the probe of a message asked for; for an unknown message, no peer.
sendwright::ProbedMessage takePromise(MPI_Message message) {
  sendwright::ProbedMessage promise{MPI_PROC_NULL, 0, MPI_COMM_WORLD};
  sendwright::withRecorder([&](sendwright::Recorder &recorder) {
    promise = recorder.probed.take(message).value_or(promise);
  });
  return promise;
}

MPI_Status *orOwn(MPI_Status *status, MPI_Status *own) {
  return status == MPI_STATUS_IGNORE ? own : status;
}

} // namespace

extern "C" {

int sendwright_record_MPI_Recv(sendwright::Caller caller, void *buffer, int count,
                               MPI_Datatype datatype, int source, int tag, MPI_Comm communicator,
                               MPI_Status *status) {
  MPI_Status own;
  status = orOwn(status, &own);
  RecordedCall call(caller, MpiFunctionId::Recv);
  const int result =
      sendwright_inner_MPI_Recv(buffer, count, datatype, source, tag, communicator, status);
  if (result == MPI_SUCCESS)
    call.received(source, tag, communicator, sendwright::bytesOf(count, datatype), *status);
  return result;
}

int sendwright_record_MPI_Sendrecv(sendwright::Caller caller, const void *sendBuffer, int sendCount,
                                   MPI_Datatype sendType, int destination, int sendTag,
                                   void *receiveBuffer, int receiveCount, MPI_Datatype receiveType,
                                   int source, int receiveTag, MPI_Comm communicator,
                                   MPI_Status *status) {
  MPI_Status own;
  status = orOwn(status, &own);
  RecordedCall call(caller, MpiFunctionId::Sendrecv);
  const int result = sendwright_inner_MPI_Sendrecv(
      sendBuffer, sendCount, sendType, destination, sendTag, receiveBuffer, receiveCount,
      receiveType, source, receiveTag, communicator, status);
  if (result == MPI_SUCCESS)
    call.exchanged({destination, sendTag, sendCount, sendType},
                   {source, receiveTag, receiveCount, receiveType}, communicator, *status);
  return result;
}

int sendwright_record_MPI_Sendrecv_replace(sendwright::Caller caller, void *buffer, int count,
                                           MPI_Datatype datatype, int destination, int sendTag,
                                           int source, int receiveTag, MPI_Comm communicator,
                                           MPI_Status *status) {
  MPI_Status own;
  status = orOwn(status, &own);
  RecordedCall call(caller, MpiFunctionId::Sendrecv_replace);
  const int result = sendwright_inner_MPI_Sendrecv_replace(
      buffer, count, datatype, destination, sendTag, source, receiveTag, communicator, status);
  if (result == MPI_SUCCESS)
    call.exchanged({destination, sendTag, count, datatype}, {source, receiveTag, count, datatype},
                   communicator, *status);
  return result;
}

#ifdef SENDWRIGHT_HAS_ISENDRECV

int sendwright_record_MPI_Isendrecv(sendwright::Caller caller, const void *sendBuffer,
                                    int sendCount, MPI_Datatype sendType, int destination,
                                    int sendTag, void *receiveBuffer, int receiveCount,
                                    MPI_Datatype receiveType, int source, int receiveTag,
                                    MPI_Comm communicator, MPI_Request *request) {
  RecordedCall call(caller, MpiFunctionId::Isend);
  const int result = sendwright_inner_MPI_Isendrecv(
      sendBuffer, sendCount, sendType, destination, sendTag, receiveBuffer, receiveCount,
      receiveType, source, receiveTag, communicator, request);
  if (result == MPI_SUCCESS)
    call.exchanging({destination, sendTag, sendCount, sendType},
                    {source, receiveTag, receiveCount, receiveType}, communicator, *request);
  return result;
}

int sendwright_record_MPI_Isendrecv_replace(sendwright::Caller caller, void *buffer, int count,
                                            MPI_Datatype datatype, int destination, int sendTag,
                                            int source, int receiveTag, MPI_Comm communicator,
                                            MPI_Request *request) {
  RecordedCall call(caller, MpiFunctionId::Isend);
  const int result = sendwright_inner_MPI_Isendrecv_replace(
      buffer, count, datatype, destination, sendTag, source, receiveTag, communicator, request);
  if (result == MPI_SUCCESS)
    call.exchanging({destination, sendTag, count, datatype}, {source, receiveTag, count, datatype},
                    communicator, *request);
  return result;
}

#endif

int sendwright_record_MPI_Probe(sendwright::Caller caller, int source, int tag,
                                MPI_Comm communicator, MPI_Status *status) {
  MPI_Status own;
  status = orOwn(status, &own);
  RecordedCall call(caller, MpiFunctionId::Probe);
  const int result = sendwright_inner_MPI_Probe(source, tag, communicator, status);
  if (result == MPI_SUCCESS)
    call.received(source, tag, communicator, 0, *status);
  return result;
}

int sendwright_record_MPI_Iprobe(sendwright::Caller caller, int source, int tag,
                                 MPI_Comm communicator, int *flag, MPI_Status *status) {
  MPI_Status own;
  status = orOwn(status, &own);
  RecordedCall call(caller, MpiFunctionId::Iprobe);
  const int result = sendwright_inner_MPI_Iprobe(source, tag, communicator, flag, status);
  if (result == MPI_SUCCESS && *flag)
    call.received(source, tag, communicator, 0, *status);
  else
    call.fruitless();
  return result;
}

int sendwright_record_MPI_Mprobe(sendwright::Caller caller, int source, int tag,
                                 MPI_Comm communicator, MPI_Message *message, MPI_Status *status) {
  MPI_Status own;
  status = orOwn(status, &own);
  RecordedCall call(caller, MpiFunctionId::Mprobe);
  const int result = sendwright_inner_MPI_Mprobe(source, tag, communicator, message, status);
  if (result == MPI_SUCCESS) {
    call.received(source, tag, communicator, 0, *status);
    notePromise(source, tag, communicator, *message);
  }
  return result;
}

int sendwright_record_MPI_Improbe(sendwright::Caller caller, int source, int tag,
                                  MPI_Comm communicator, int *flag, MPI_Message *message,
                                  MPI_Status *status) {
  MPI_Status own;
  status = orOwn(status, &own);
  RecordedCall call(caller, MpiFunctionId::Improbe);
  const int result = sendwright_inner_MPI_Improbe(source, tag, communicator, flag, message, status);
  if (result == MPI_SUCCESS && *flag) {
    call.received(source, tag, communicator, 0, *status);
    notePromise(source, tag, communicator, *message);
  } else {
    call.fruitless();
  }
  return result;
}

int sendwright_record_MPI_Mrecv(sendwright::Caller caller, void *buffer, int count,
                                MPI_Datatype datatype, MPI_Message *message, MPI_Status *status) {
  MPI_Status own;
  status = orOwn(status, &own);
  const sendwright::ProbedMessage promise = takePromise(*message);
  RecordedCall call(caller, MpiFunctionId::Mrecv);
  const int result = sendwright_inner_MPI_Mrecv(buffer, count, datatype, message, status);
  if (result == MPI_SUCCESS)
    call.received(promise.peer, promise.tag, promise.communicator,
                  sendwright::bytesOf(count, datatype), *status);
  return result;
}

int sendwright_record_MPI_Imrecv(sendwright::Caller caller, void *buffer, int count,
                                 MPI_Datatype datatype, MPI_Message *message,
                                 MPI_Request *request) {
  const sendwright::ProbedMessage promise = takePromise(*message);
  RecordedCall call(caller, MpiFunctionId::Imrecv);
  const int result = sendwright_inner_MPI_Imrecv(buffer, count, datatype, message, request);
  if (result == MPI_SUCCESS)
    call.message(promise.peer, promise.tag, promise.communicator, count, datatype, request);
  return result;
}

} // extern "C"
