// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// write-as-score-p MODE: writes traces.otf2 by the library itself, with the records that Score-P makes: MPI's
// functions have no source line, a function of the program is around them, locations have large numbers, and the
// clock has an offset. MODE: mpi; or threads, of a program without MPI.
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { solve, send_recv, isend, irecv, waitall, allreduce, ibarrier, wait, bcast, test, regions };
enum { world, pair };
static const char *const names[regions] = {"solve",       "MPI_Sendrecv", "MPI_Isend",    "MPI_Irecv", "MPI_Waitall",
                                           "MPI_Allreduce", "MPI_Ibarrier", "MPI_Wait",  "MPI_Bcast", "MPI_Test"};
static const uint64_t offset = 5000000, locations[3] = {0, 1ull << 32 | 7, 2ull << 32};
static uint64_t now;

static OTF2_FlushType flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final) {
  (void)data, (void)type, (void)location, (void)caller, (void)final;
  return OTF2_FLUSH;
}

static uint64_t tick(void) { return now += 10; }

static void events(OTF2_EvtWriter *to, uint32_t rank) {
  now = offset + rank;
  OTF2_EvtWriter_Enter(to, NULL, tick(), solve);
  for (uint64_t step = 0; step < 2; ++step) {
    OTF2_EvtWriter_Enter(to, NULL, tick(), irecv);
    OTF2_EvtWriter_MpiIrecvRequest(to, NULL, tick(), 100 + 2 * step);
    OTF2_EvtWriter_Leave(to, NULL, tick(), irecv);
    OTF2_EvtWriter_Enter(to, NULL, tick(), isend);
    OTF2_EvtWriter_MpiIsend(to, NULL, tick(), (rank + 1) % 3, world, 4, 64, 101 + 2 * step);
    OTF2_EvtWriter_Leave(to, NULL, tick(), isend);
    OTF2_EvtWriter_Enter(to, NULL, tick(), test); /* nothing is complete yet */
    OTF2_EvtWriter_MpiRequestTest(to, NULL, tick(), 100 + 2 * step);
    OTF2_EvtWriter_Leave(to, NULL, tick(), test);
    OTF2_EvtWriter_Enter(to, NULL, tick(), waitall);
    OTF2_EvtWriter_MpiIsendComplete(to, NULL, tick(), 101 + 2 * step);
    OTF2_EvtWriter_MpiIrecv(to, NULL, tick(), (rank + 2) % 3, world, 4, 64, 100 + 2 * step);
    OTF2_EvtWriter_Leave(to, NULL, tick(), waitall);
  }
  if (rank > 0) { /* ranks 2 and 1, in this order */
    OTF2_EvtWriter_Enter(to, NULL, tick(), send_recv);
    OTF2_EvtWriter_MpiSend(to, NULL, tick(), rank - 1, pair, 9, 24);
    OTF2_EvtWriter_MpiRecv(to, NULL, tick(), rank - 1, pair, 9, 24);
    OTF2_EvtWriter_Leave(to, NULL, tick(), send_recv);
  }
  OTF2_EvtWriter_Enter(to, NULL, tick(), allreduce);
  OTF2_EvtWriter_MpiCollectiveBegin(to, NULL, tick());
  OTF2_EvtWriter_MpiCollectiveEnd(to, NULL, tick(), OTF2_COLLECTIVE_OP_ALLREDUCE, world, OTF2_COLLECTIVE_ROOT_NONE, 48,
                                  48);
  OTF2_EvtWriter_Leave(to, NULL, tick(), allreduce);
  OTF2_EvtWriter_Enter(to, NULL, tick(), bcast);
  OTF2_EvtWriter_MpiCollectiveBegin(to, NULL, tick());
  OTF2_EvtWriter_MpiCollectiveEnd(to, NULL, tick(), OTF2_COLLECTIVE_OP_BCAST, world, 2, rank == 2 ? 300 : 0, 100);
  OTF2_EvtWriter_Leave(to, NULL, tick(), bcast);
  OTF2_EvtWriter_Enter(to, NULL, tick(), ibarrier);
  OTF2_EvtWriter_NonBlockingCollectiveRequest(to, NULL, tick(), 7);
  OTF2_EvtWriter_Leave(to, NULL, tick(), ibarrier);
  OTF2_EvtWriter_Enter(to, NULL, tick(), wait);
  OTF2_EvtWriter_NonBlockingCollectiveComplete(to, NULL, tick(), OTF2_COLLECTIVE_OP_BARRIER, world,
                                               OTF2_COLLECTIVE_ROOT_NONE, 0, 0, 7);
  OTF2_EvtWriter_Leave(to, NULL, tick(), wait);
  OTF2_EvtWriter_Leave(to, NULL, tick(), solve);
}

int main(int argc, char **argv) {
  const int has_mpi = argc > 1 && strcmp(argv[1], "mpi") == 0;
  OTF2_Archive *archive = OTF2_Archive_Open(".", "traces", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 20,
                                            OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  const OTF2_FlushCallbacks callbacks = {flush, NULL};
  OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  OTF2_Archive_OpenEvtFiles(archive);
  uint64_t counts[3];
  for (uint32_t rank = 0; rank < 3; ++rank) {
    OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, locations[rank]);
    if (has_mpi) {
      events(writer, rank);
    } else {
      OTF2_EvtWriter_Enter(writer, NULL, offset + 1, solve);
      OTF2_EvtWriter_Leave(writer, NULL, offset + 2, solve);
    }
    OTF2_EvtWriter_GetNumberOfEvents(writer, &counts[rank]);
    OTF2_Archive_CloseEvtWriter(archive, writer);
  }
  OTF2_Archive_CloseEvtFiles(archive);
  OTF2_Archive_OpenDefFiles(archive);
  for (uint32_t rank = 0; rank < 3; ++rank)
    OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, locations[rank]));
  OTF2_Archive_CloseDefFiles(archive);
  OTF2_GlobalDefWriter *to = OTF2_Archive_GetGlobalDefWriter(archive);
  OTF2_GlobalDefWriter_WriteClockProperties(to, 1000000, offset, 10000, OTF2_UNDEFINED_TIMESTAMP);
  for (uint32_t region = 0; region < regions; ++region)
    OTF2_GlobalDefWriter_WriteString(to, region, names[region]);
  OTF2_GlobalDefWriter_WriteString(to, 50, "solver.c");
  OTF2_GlobalDefWriter_WriteString(to, 51, "node");
  OTF2_GlobalDefWriter_WriteString(to, 52, "MPI");
  OTF2_GlobalDefWriter_WriteSystemTreeNode(to, 0, 51, 51, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  for (uint32_t rank = 0; rank < 3; ++rank) {
    OTF2_GlobalDefWriter_WriteLocationGroup(to, rank, 51, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(to, locations[rank], 51, OTF2_LOCATION_TYPE_CPU_THREAD, counts[rank], rank);
  }
  for (uint32_t region = 0; region < regions; ++region)
    OTF2_GlobalDefWriter_WriteRegion(to, region, region, region, region, OTF2_REGION_ROLE_FUNCTION,
                                     region == solve ? OTF2_PARADIGM_COMPILER : OTF2_PARADIGM_MPI,
                                     OTF2_REGION_FLAG_NONE, region == solve ? 50 : 52, region == solve ? 42 : 0,
                                     region == solve ? 99 : 0);
  if (has_mpi) {
    const uint64_t everyone[3] = {0, 1, 2}, two[2] = {2, 1};
    OTF2_GlobalDefWriter_WriteGroup(to, 0, 52, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                    3, locations);
    OTF2_GlobalDefWriter_WriteGroup(to, 1, 52, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 3,
                                    everyone);
    OTF2_GlobalDefWriter_WriteGroup(to, 2, 52, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2,
                                    two);
    OTF2_GlobalDefWriter_WriteComm(to, world, 52, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteComm(to, pair, 52, 2, world, OTF2_COMM_FLAG_NONE);
  }
  OTF2_Archive_CloseGlobalDefWriter(archive, to);
  return OTF2_Archive_Close(archive) == OTF2_SUCCESS ? 0 : 1;
}
