# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The communicators that phases use: some live as long as the run; others are created by a phase for
# itself, in all of MPI's ways, including nonblocking ones. Each is C text that declares `comm`, and
# whether the phase frees it. A rank outside of the communicator gets MPI_COMM_NULL.


def duplicated_later(call, wait):
    return (f"MPI_Comm comm; MPI_Request made; {call}; {wait}", 1)


WAIT = "MPI_Wait(&made, MPI_STATUS_IGNORE);"
TEST = "for (int done = 0; !done;) MPI_Test(&made, &done, MPI_STATUS_IGNORE);"
# Two at a time, and another operation while they are created. Open MPI 4.1 may hang with two, or
# with one beside another nonblocking collective.
TWO = f"""
#ifdef OPEN_MPI
{WAIT}
#else
MPI_Request both[2]; MPI_Comm other; both[0] = made; MPI_Comm_idup(comm_of_both, &other, &both[1]);
MPI_Barrier(comm_of_both); MPI_Waitall(2, both, MPI_STATUSES_IGNORE); MPI_Comm_free(&other);
#endif"""
WITHOUT_ONE = """MPI_Group all, some; int left_out = iteration % run->size; MPI_Comm_group(run->world, &all);
MPI_Group_excl(all, 1, &left_out, &some);"""
FREE_GROUPS = "MPI_Group_free(&some); MPI_Group_free(&all);"

COMMUNICATORS = {  # text, freed by the phase
    "world": ("MPI_Comm comm = MPI_COMM_WORLD;", 0),
    "duplicate": ("MPI_Comm comm = run->duplicate;", 0),
    "row": ("MPI_Comm comm = run->row;", 0),
    "backward": ("MPI_Comm comm = run->backward;", 0),
    "fresh": ("MPI_Comm comm; MPI_Comm_dup(run->world, &comm);", 1),
    "freed early": ("MPI_Comm comm; MPI_Comm_dup(run->duplicate, &comm);", 1),
    "split": ("MPI_Comm comm; MPI_Comm_split(run->world, (run->rank / 2 + iteration) % 2, "
              "run->rank, &comm);", 1),
    "part": ("MPI_Comm comm; MPI_Comm_split(run->world, run->rank == iteration % run->size "
             "? MPI_UNDEFINED : 1, -run->rank, &comm);", 1),
    "split by type": ("MPI_Comm comm; MPI_Comm_split_type(run->world, MPI_COMM_TYPE_SHARED, -run->rank, "
                      "MPI_INFO_NULL, &comm);", 1),
    "created": (f"MPI_Comm comm; {WITHOUT_ONE} MPI_Comm_create(run->world, some, &comm); {FREE_GROUPS}", 1),
    "created by its group": (f"MPI_Comm comm = MPI_COMM_NULL; {WITHOUT_ONE} if (run->rank != left_out) "
                             f"MPI_Comm_create_group(run->world, some, 7, &comm); {FREE_GROUPS}", 1),
    "cartesian": ("MPI_Comm comm; int extents[1] = {run->size}, periods[1] = {1}; MPI_Cart_create(run->world, "
                  "1, extents, periods, 0, &comm);", 1),
    "with info": ("MPI_Comm comm; MPI_Info info; MPI_Info_create(&info); MPI_Comm_dup_with_info(run->world, "
                  "info, &comm); MPI_Info_free(&info);", 1),
    "idup": duplicated_later("MPI_Comm_idup(run->world, &comm, &made)", WAIT),
    "idup tested": duplicated_later("MPI_Comm_idup(run->duplicate, &comm, &made)", TEST),
    "two idups": duplicated_later("MPI_Comm_idup(run->backward, &comm, &made)",
                                  TWO.replace("comm_of_both", "run->backward")),
    # Only MPI 4 has it.
    "idup with info": ("MPI_Comm comm;\n#if MPI_VERSION >= 4\nMPI_Request made; MPI_Comm_idup_with_info("
                       f"run->row, MPI_INFO_NULL, &comm, &made); {WAIT}\n#else\n"
                       "MPI_Comm_dup_with_info(run->row, MPI_INFO_NULL, &comm);\n#endif", 1),
}
# Communicators of all ranks, in every iteration.
WHOLE = ("world", "duplicate", "backward", "fresh", "cartesian", "with info", "idup", "two idups")
