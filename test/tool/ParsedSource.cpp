// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/tool/ParsedSource.h"

#include "clang/Tooling/Tooling.h"

#include <gtest/gtest.h>

using namespace clang;

namespace sendwright::test {

namespace {

const char *const mockMpi = R"(
#ifdef __cplusplus
extern "C" {
#endif
#ifdef MPICH
typedef int MPI_Request, MPI_Comm, MPI_Datatype;
#else
typedef struct ompi_request_t *MPI_Request;
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
#endif
typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR; } MPI_Status;
#define MPI_INT ((MPI_Datatype)1)
#define MPI_DOUBLE ((MPI_Datatype)2)
#define MPI_CHAR ((MPI_Datatype)3)
#ifndef MPICH
extern struct ompi_predefined_datatype_t ompi_mpi_float;
#ifdef __cplusplus
#define MPI_FLOAT (static_cast<MPI_Datatype>(static_cast<void *>(&(ompi_mpi_float))))
#else
#define MPI_FLOAT ((MPI_Datatype)((void *)&(ompi_mpi_float)))
#endif
#endif
int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Ssend(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Recv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
int MPI_Irecv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Sendrecv(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int,
                 MPI_Comm, MPI_Status *);
int MPI_Wait(MPI_Request *, MPI_Status *);
int MPI_Waitall(int, MPI_Request *, MPI_Status *);
int MPI_Start(MPI_Request *);
int MPI_Startall(int, MPI_Request *);
int MPI_Request_free(MPI_Request *);
int MPI_Test(MPI_Request *, int *, MPI_Status *);
int MPI_Barrier(MPI_Comm);
int MPI_Bcast(void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_size(MPI_Comm, int *);
int MPI_Abort(MPI_Comm, int);
int MPI_Error_string(int, char *, int *);
int MPI_Get_address(const void *, long *);
double MPI_Wtime(void);
int PMPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int PMPI_Comm_size(MPI_Comm, int *);
#ifdef __cplusplus
}
#endif
)";

} // namespace

std::unique_ptr<ASTUnit> parse(const std::string &source, Language language,
                               std::vector<std::string> arguments) {
  bool cxx = language == Language::Cxx;
  arguments.insert(arguments.begin(),
                   {cxx ? "-std=c++20" : "-std=gnu11", "-w", "-include", "mpi.h"});
  auto unit = tooling::buildASTFromCodeWithArgs(
      source, arguments, cxx ? "input.cpp" : "input.c", SENDWRIGHT_CLANG,
      std::make_shared<PCHContainerOperations>(), tooling::getClangStripDependencyFileAdjuster(),
      {{"mpi.h", mockMpi},
       {"mpicxx.h",
        "extern \"C\" int MPI_Win_attach(void *);\nnamespace MPI {\n"
        "inline void Finish() {}\ninline void Attach(void *b) { MPI_Win_attach(b); } }"},
       {"/mock/include/app/time.h", "void app_time(void);"}});
  if (!unit || unit->getDiagnostics().hasErrorOccurred())
    ADD_FAILURE() << "does not compile: " << source;
  return unit;
}

} // namespace sendwright::test
