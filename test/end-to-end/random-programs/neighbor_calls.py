# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Collectives of neighbours, blocking or not: in a random graph, where a rank may be its own
# neighbour or another's twice, or in a grid with or without ends; with datatypes that have gaps.
# Implementations of MPI match several blocks of one pair in different orders, so these have one size.
# MPICH 4.0 leaves out MPI_Neighbor_alltoallw on ranks that have sources but no destinations, and the messages
# to them meet later calls: there, calls in a graph are left out.

from handwritten import HandwrittenPhase

FORMS = ["alltoallv", "alltoallv", "alltoallw", "alltoall", "allgather", "allgatherv"]
TYPES = {"MPI_UNSIGNED": 1, "gap": 2, "pair": 2}  # with the items that an element spans
ROOM = 300  # elements of a block


class NeighborCalls(HandwrittenPhase):
    kind = "neighbour calls"

    def choose(self):
        rng = self.rng
        self.forms = [rng.choice(FORMS) for _ in range(rng.randint(1, 3))]
        self.nonblocking = [rng.random() < 0.25 for _ in self.forms]
        self.grid = rng.choice([None, None, None, (0, 0), (1, 0), (1, 1)])
        self.twice = rng.choice([0, 0, 25])  # percent of the pairs
        self.density = rng.choice([15, 30, 60])
        self.items = rng.choice(["1", "3 + round", "40", str(ROOM)])
        self.type = rng.choice(list(TYPES))
        self.rounds = rng.randint(1, 3)
        self.varies = rng.random() < 0.4  # from round to round
        self.uniform = rng.choice([0, 1, 7, 100])

    def details(self):
        forms = ", ".join(("I" if nonblocking else "") + form
                          for form, nonblocking in zip(self.forms, self.nonblocking))
        where = f"a grid of periods {self.grid}" if self.grid else f"{self.density} % of the pairs"
        return f"{forms} in {where}, {self.items} of {self.type}"

    def topology(self):
        if self.grid:
            return f"""int extents[2] = {{0, 0}}, periods[2] = {{{self.grid[0]}, {self.grid[1]}}};
MPI_Dims_create(size, 2, extents);
MPI_Cart_create(comm, 2, extents, periods, 0, &graph);
for (int d = 0; d < 2; d++)
  MPI_Cart_shift(graph, d, 1, &from[2 * d], &from[2 * d + 1]);
for (int n = 0; n < 4; n++)
  to[n] = from[n];
sends = receives = 4;
MPI_Comm_rank(graph, &me);"""
        pair = f"phase_pair(run, {self.number}, A, B, {self.density})"
        second = f"phase_pair(run, {self.number} + 5000, A, B, {self.twice})"

        def has(a, b):
            condition = f"{pair} && (edge == 0 || {second})"
            return condition.replace("A", a).replace("B", b)
        return f"""for (int step = 0; step < size; step++)
for (int edge = 0; edge < 2; edge++) {{
  const int next = (me + step) % size, last = size - 1 - step;
  if ({has("me", "next")})
    to[sends++] = next;
  if ({has("last", "me")})
    from[receives++] = last;
}}
MPI_Dist_graph_create_adjacent(comm, receives, from, MPI_UNWEIGHTED, sends, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                               &graph);"""

    def count(self, form, source, destination):
        """An expression: elements of a block, which both ends compute."""
        if form in ("alltoall", "allgather"):
            return str(self.uniform)
        salt = f"{self.number} + 7000 + 1000 * round" if self.varies else f"{self.number} + 7000"
        if form == "allgatherv":
            return f"(phase_pair(run, {salt}, {source}, 0, 75) ? {self.items} : 0)"
        if self.grid:  # both directions have as many
            source, destination = (f"({source} {sign} {destination} ? {source} : {destination})" for sign in "<>")
        return f"(phase_pair(run, {salt}, {source}, {destination}, 75) ? {self.items} : 0)"

    def call(self, form, nonblocking):
        sent, received = {
            "alltoallv": (f"out, counts, places, {self.type}", f"in, in_counts, in_places, {self.type}"),
            "alltoallw": ("out, counts, byte_places, types", "in, in_counts, in_byte_places, types"),
            "alltoall": (f"out, {self.uniform}, {self.type}", f"in, {self.uniform}, {self.type}"),
            "allgather": (f"out, {self.uniform}, {self.type}", f"in, {self.uniform}, {self.type}"),
            "allgatherv": (f"out, {self.count(form, 'me', '0')}, {self.type}",
                           f"in, in_counts, in_places, {self.type}")}[form]
        text = f"MPI_Neighbor_{form}({sent}, {received}, graph);"
        if nonblocking:
            text = f"MPI_Ineighbor_{form}({sent}, {received}, graph, &request);\nMPI_Wait(&request, MPI_STATUS_IGNORE);"
        return text if form != "alltoallw" or self.grid else f"#ifndef MPICH_VERSION\n{text}\n#endif"

    def round(self, form, nonblocking):
        return f"""for (int n = 0; n < sends; n++)
  counts[n] = to[n] < 0 ? 2 : {self.count(form, "me", "to[n]")};
for (int n = 0; n < receives; n++)
  in_counts[n] = from[n] < 0 ? 2 : {self.count(form, "from[n]", "me")};
fill(out, items, phase_key(run, {self.number}, round) + (unsigned)me);
fill(in, items, phase_key(run, {self.number}, round + 100) + (unsigned)me);
{self.call(form, nonblocking)}
phase_take(run, {self.number}, in, items * sizeof *in);"""

    def body(self):
        rounds = "\n".join(self.round(*each) for each in zip(self.forms, self.nonblocking))
        return f"""const int most = size < 2 ? 4 : 2 * size, items = most * {ROOM * TYPES[self.type]};
unsigned *in = (unsigned *)calloc(items, sizeof *in), *out = (unsigned *)calloc(items, sizeof *out);
int *counts = (int *)calloc(6 * most, sizeof(int)), *places = counts + most;
int *in_counts = counts + 2 * most, *in_places = counts + 3 * most;
int *to = counts + 4 * most, *from = counts + 5 * most;
MPI_Aint *byte_places = (MPI_Aint *)calloc(2 * most, sizeof *byte_places), *in_byte_places = byte_places + most;
MPI_Datatype *types = (MPI_Datatype *)calloc(most, sizeof *types);
int sends = 0, receives = 0;
MPI_Comm graph;
MPI_Request request;
MPI_Datatype gap, pair;
MPI_Type_create_resized(MPI_UNSIGNED, 0, 2 * sizeof(unsigned), &gap);
MPI_Type_contiguous(2, MPI_UNSIGNED, &pair);
MPI_Type_commit(&gap);
MPI_Type_commit(&pair);
(void)request;
{self.topology()}
for (int n = 0; n < most; n++) {{
  places[n] = in_places[n] = n * {ROOM};
  byte_places[n] = in_byte_places[n] = n * {ROOM * TYPES[self.type]} * (MPI_Aint)sizeof(unsigned);
  types[n] = {self.type};
}}
for (int round = 0; round < {self.rounds}; round++) {{
{rounds}
}}
MPI_Comm_free(&graph);
MPI_Type_free(&gap);
MPI_Type_free(&pair);
free(in);
free(out);
free(counts);
free(byte_places);
free(types);"""
