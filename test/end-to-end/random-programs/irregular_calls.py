# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# MPI_Alltoallv in which most ranks have nothing for one another, or nearly all have something: with
# datatypes that have gaps, in place, from different lines on different ranks, and beside messages
# of the program.

from handwritten import HandwrittenPhase

TYPES = {"MPI_UNSIGNED": 1, "gap": 2, "pair": 2}  # with the items that an element spans


class IrregularCalls(HandwrittenPhase):
    kind = "irregular calls"

    def choose(self):
        rng = self.rng
        self.density = rng.choice([10, 20, 20, 40, 100])
        self.items = rng.choice(["1", "3 + iteration", "40 * (to % 3)", "2000"])
        self.type = rng.choice(list(TYPES))
        self.in_place = rng.random() < 0.25
        self.lines = rng.random() < 0.5
        self.messages = rng.choice(["", "", "before", "around"])
        self.rounds = rng.randint(1, 4)
        self.varies = rng.random() < 0.3  # from round to round

    def details(self):
        return (f"{self.density} % of the blocks, {self.items} of {self.type}"
                f"{', in place' if self.in_place else ''}, messages {self.messages or 'no'}")

    def count(self, source, destination):
        """An expression: elements of a block, which both ends compute."""
        salt = f"{self.number} + 1000 * round" if self.varies else str(self.number)
        first, second = source, destination
        if self.in_place:  # both directions have as many
            first = f"({source} < {destination} ? {source} : {destination})"
            second = f"({source} < {destination} ? {destination} : {source})"
        items = self.items.replace("to", second)  # the receiver's, or the greater of both
        return f"(phase_pair(run, {salt}, {first}, {second}, {self.density}) ? {items} : 0)"

    def call(self):
        sent = "MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL" if self.in_place else \
            f"out, counts, places, {self.type}"
        call = f"MPI_Alltoallv({sent}, in, in_counts, in_places, {self.type}, comm);"
        return f"if (me % 2)\n{call}\nelse\n{call}" if self.lines else call

    def body(self):
        room = 2000 * TYPES[self.type]
        begin = end = ""
        if self.messages:
            begin = (f"MPI_Irecv(&got, 1, MPI_INT, (me - 1 + size) % size, {self.tag}, comm, &requests[0]);\n"
                     f"MPI_Isend(&given, 1, MPI_INT, (me + 1) % size, {self.tag}, comm, &requests[1]);")
            end = "MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);"
        call = f"{begin}\n{end}\n{self.call()}" if self.messages == "before" else \
            f"{begin}\n{self.call()}\n{end}"
        return f"""const int room = {room}, items = size * room;
unsigned *in = (unsigned *)calloc(items, sizeof *in), *out = (unsigned *)calloc(items, sizeof *out);
int *counts = (int *)calloc(4 * size, sizeof(int)), *places = counts + size;
int *in_counts = counts + 2 * size, *in_places = counts + 3 * size;
int got = 0, given = (int)phase_key(run, {self.number}, 77);
MPI_Request requests[2];
MPI_Datatype gap, pair;
MPI_Type_create_resized(MPI_UNSIGNED, 0, 2 * sizeof(unsigned), &gap);
MPI_Type_contiguous(2, MPI_UNSIGNED, &pair);
MPI_Type_commit(&gap);
MPI_Type_commit(&pair);
(void)given, (void)requests;
for (int round = 0; round < {self.rounds}; round++) {{
for (int to = 0; to < size; to++) {{
  counts[to] = {self.count("me", "to")};
  in_counts[to] = {self.count("to", "me")};
  places[to] = in_places[to] = to * 2000;
}}
fill(out, items, phase_key(run, {self.number}, round) + (unsigned)me);
fill(in, items, phase_key(run, {self.number}, round + 100) + (unsigned)me);
{call}
phase_take(run, {self.number}, in, items * sizeof *in);
phase_take(run, {self.number}, &got, sizeof got);
}}
MPI_Type_free(&gap);
MPI_Type_free(&pair);
free(in);
free(out);
free(counts);"""
