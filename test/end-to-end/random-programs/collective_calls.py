# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# MPI's own collective functions: blocking, nonblocking and persistent, several under way at a time,
# with messages between their start and their end.

from handwritten import HandwrittenPhase

# Arguments between the buffers and the communicator; `in` and `out` hold size * 8 items, of which
# the function uses `n`. All ranks compute the same counts.
OPERATIONS = {
    "barrier": "",
    "bcast": "{out}, n, MPI_INT, {root}, ",
    "gather": "{in}, n, MPI_INT, {out}, n, MPI_INT, {root}, ",
    "scatter": "{in}, n, MPI_INT, {out}, n, MPI_INT, {root}, ",
    "allgather": "{in}, n, MPI_INT, {out}, n, MPI_INT, ",
    "alltoall": "{in}, n, MPI_INT, {out}, n, MPI_INT, ",
    "allgatherv": "{in}, counts[me], MPI_INT, {out}, counts, places, MPI_INT, ",
    "gatherv": "{in}, counts[me], MPI_INT, {out}, counts, places, MPI_INT, {root}, ",
    "scatterv": "{in}, counts, places, MPI_INT, {out}, counts[me], MPI_INT, {root}, ",
    "reduce": "{in}, {out}, n, MPI_INT, {op}, {root}, ",
    "allreduce": "{in}, {out}, n, MPI_INT, {op}, ",
    "reduce_scatter_block": "{in}, {out}, n, MPI_INT, {op}, ",
    "scan": "{in}, {out}, n, MPI_INT, {op}, ",
    "exscan": "{in}, {out}, n, MPI_INT, {op}, ",
}
REDUCTIONS = ["MPI_SUM", "MPI_MAX", "MPI_BXOR"]
COMPLETIONS = [
    "MPI_Waitall({n}, requests, MPI_STATUSES_IGNORE);",
    "for (int r = 0; r < {n}; r++)\n  MPI_Wait(&requests[r], MPI_STATUS_IGNORE);",
    "for (int r = {n} - 1; r >= 0; r--)\n  for (int done = 0; !done;)\n"
    "    MPI_Test(&requests[r], &done, MPI_STATUS_IGNORE);",
    "for (int done = 0; !done;)\n  MPI_Testall({n}, requests, &done, MPI_STATUSES_IGNORE);",
    "for (int r = 0, place; r < {n}; r++)\n  MPI_Waitany({n}, requests, &place, MPI_STATUS_IGNORE);",
    "for (int count = 0; count != MPI_UNDEFINED;) {\n  int completed[16];\n"
    "  MPI_Waitsome({n}, requests, &count, completed, MPI_STATUSES_IGNORE);\n}",
]


def function(operation, form):
    name = operation if form == "blocking" else "i" + operation
    if form == "persistent":
        name = operation + "_init"
    return "MPI_" + name[0].upper() + name[1:]


class CollectiveCalls(HandwrittenPhase):
    kind = "collective calls"

    def choose(self):
        rng = self.rng
        self.form = rng.choice(["blocking", "non-blocking", "non-blocking", "persistent", "persistent"])
        self.operations = [rng.choice(list(OPERATIONS)) for _ in range(rng.randint(1, 4))]
        # Of persistent ones, each by its own call: their requests stay.
        self.completion = rng.choice(COMPLETIONS[1:3] if self.form == "persistent" else COMPLETIONS)
        self.messages = rng.choice(["", "before", "during", "requests"])
        self.rounds = rng.randint(1, 3)
        self.items = rng.choice(["1", "3 + iteration", "8"])
        self.roots = [rng.choice(["0", "size - 1", "iteration % size"]) for _ in self.operations]
        self.reductions = [rng.choice(REDUCTIONS) for _ in self.operations]

    def details(self):
        return f"{self.form} {', '.join(self.operations)}, messages {self.messages or 'no'}"

    def arguments(self, index):
        return OPERATIONS[self.operations[index]].format(
            **{"in": f"in + {index} * room", "out": f"out + {index} * room", "root": self.roots[index],
               "op": self.reductions[index]}) + "comm"

    def start(self, form):
        """The calls that start all operations."""
        names = [(function(operation, form), self.arguments(index))
                 for index, operation in enumerate(self.operations)]
        if form == "blocking":
            return "\n".join(f"{name}({arguments});" for name, arguments in names)
        info = ", MPI_INFO_NULL" if form == "persistent" else ""
        return "\n".join(f"{name}({arguments}{info}, &requests[{index}]);"
                         for index, (name, arguments) in enumerate(names))

    def ring(self, after):
        """A message to the next rank; its requests follow those of the operations."""
        n = len(self.operations)
        return f"""MPI_Irecv(&got, 1, MPI_INT, (me - 1 + size) % size, {self.tag}, comm, &requests[{n}]);
MPI_Isend(&given, 1, MPI_INT, (me + 1) % size, {self.tag}, comm, &requests[{n} + 1]);""" + (
            f"\nMPI_Waitall(2, &requests[{n}], MPI_STATUSES_IGNORE);" if after else "")

    def round(self, form):
        messages = self.messages
        if form == "blocking" and messages == "requests":
            messages = "during"
        lines = [self.ring(True)] if messages == "before" else []
        if form == "persistent":
            lines.append(f"MPI_Startall({len(self.operations)}, requests);" if self.rounds % 2 else
                         f"for (int r = 0; r < {len(self.operations)}; r++)\n  MPI_Start(&requests[r]);")
        else:
            lines.append(self.start(form))
        if messages in ("during", "requests"):
            lines.append(self.ring(messages == "during"))
        if form != "blocking":
            count = len(self.operations) + (2 if messages == "requests" else 0)
            lines.append(self.completion.replace("{n}", str(count)))
        return "\n".join(lines)

    def rounds_of(self, form):
        begin, end = "", ""
        if form == "persistent":
            begin = self.start(form) + "\n"
            end = f"\nfor (int r = 0; r < {len(self.operations)}; r++)\n  MPI_Request_free(&requests[r]);"
        return f"""{begin}for (int round = 0; round < {self.rounds}; round++) {{
for (int k = 0; k < items; k++)
  in[k] = (int)(mix(phase_key(run, {self.number}, round) + me, k) % 1000), out[k] = 0;
if (me == 0)
  memcpy(out, in, items * sizeof *out);
{self.round(form)}
phase_take(run, {self.number}, out, items * sizeof *out);
phase_take(run, {self.number}, &got, sizeof got);
}}{end}"""

    def body(self):
        rounds = self.rounds_of(self.form)
        if self.form == "persistent":
            rounds = f"#ifdef HAS_PERSISTENT_COLLECTIVES\n{rounds}\n#else\n{self.rounds_of('non-blocking')}\n#endif"
        operations = len(self.operations)
        return f"""const int n = {self.items}, room = size * 16, items = {operations} * room;
int *in = (int *)calloc(items, sizeof(int)), *out = (int *)calloc(items, sizeof(int));
int *counts = (int *)calloc(size, sizeof(int)), *places = (int *)calloc(size, sizeof(int));
int got = 0, given = (int)phase_key(run, {self.number}, 77);
MPI_Request requests[{operations + 2}];
for (int rank = 0; rank < size; rank++) {{
  counts[rank] = (rank + iteration) % (n + 1);
  places[rank] = rank * 16;
}}
(void)given;
{rounds}
free(in);
free(out);
free(counts);
free(places);"""
