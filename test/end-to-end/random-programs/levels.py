# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Exchanges of one loop on several levels, as multigrid methods have them: ranks drop out on some
# levels, in some cases only in a run with another variant than the profile has. They leave the loop
# out, or execute it without messages. Collective calls stand between the levels, after them, or
# nowhere.

from handwritten import HandwrittenPhase

ITEMS = 60  # of the largest message
MOST = 5  # messages of a rank

TAKES_PART = {
    "by level": "rank % (1 << level) == 0",
    "at random": "phase_pair(run, {number}, rank, level, 60)",
    "by turns": "(rank + level + round) % 3 > 0",
    "otherwise later": "phase_pair(run, {number}, rank, level + (iteration > 1 ? 50 : 0), 70)",
    "a rank once": "rank != level || round != 1",
    "unless it is another run": "run->variant == 0 || rank != level % 3 || round % 3 != 1",
}
COLLECTIVES = {
    "nothing": "",
    "a sum": "MPI_Allreduce(&value, &sum, 1, MPI_UNSIGNED, MPI_SUM, comm);",
    "a barrier": "MPI_Barrier(comm);",
    "a sum and a broadcast": "MPI_Reduce(&value, &sum, 1, MPI_UNSIGNED, MPI_BXOR, 0, comm);\n"
                             "MPI_Bcast(&sum, 1, MPI_UNSIGNED, 0, comm);",
}


class Levels(HandwrittenPhase):
    kind = "levels"
    communicators = ("duplicate", "backward")

    def choose(self):
        rng = self.rng
        self.levels = rng.randint(1, 4)
        self.rounds = rng.randint(2, 7)
        self.part = rng.choice(list(TAKES_PART) + ["unless it is another run"] * 3)
        self.inside = rng.random() < 0.3
        self.distances = rng.randint(2, MOST)
        self.items = rng.choice(["1", "1 + level", "1 + (me + to) % 50"])
        self.tag_varies = rng.choice(["", "", " + level", " + round", " + iteration"])
        self.collective = rng.choice(list(COLLECTIVES))
        self.between = rng.random() < 0.5
        self.blocking = rng.random() < 0.2

    def details(self):
        return (f"{self.levels}, ranks take part {self.part}{' inside the loop' if self.inside else ''}, "
                f"{self.distances} messages, tag{self.tag_varies or ' constant'}, {self.collective} "
                f"{'between' if self.between else 'after'}")

    def exchange(self):
        part = TAKES_PART[self.part].format(number=self.number)
        request = "" if self.blocking else ", &requests[count++]"
        call = f"MPI_{'Send' if self.blocking else 'Isend'}"
        apart = "" if self.inside else "if (!mine)\n  return;\n"
        guard = " && mine" if self.inside else ""
        return f"""static int phase_{self.number}_part(const struct run *run, int iteration, int rank, int level, int round) {{
(void)run, (void)iteration, (void)round, (void)level;
return {part};
}}

static void phase_{self.number}_exchange(struct run *run, int iteration, MPI_Comm comm, int me, int size, int level,
                                         int round, unsigned *in, unsigned *out) {{
const int tag = {self.tag}{self.tag_varies}, mine = phase_{self.number}_part(run, iteration, me, level, round);
MPI_Request requests[{2 * MOST}];
int count = 0;
(void)iteration;
{apart}for (int d = 1; d <= {self.distances}; d++) {{
const int from = (me + size - d % size) % size;
if (d < size && phase_{self.number}_part(run, iteration, from, level, round){guard})
  MPI_Irecv(in + (d - 1) * {ITEMS}, {ITEMS}, MPI_UNSIGNED, from, tag, comm, &requests[count++]);
}}
for (int d = 1; d <= {self.distances}; d++) {{
const int to = (me + d) % size;
fill(out + (d - 1) * {ITEMS}, {self.items}, phase_key(run, {self.number}, round * 8 + level) + (unsigned)(d * 64 + me));
if (d < size && phase_{self.number}_part(run, iteration, to, level, round){guard})
  {call}(out + (d - 1) * {ITEMS}, {self.items}, MPI_UNSIGNED, to, tag, comm{request});
}}
MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
phase_take(run, {self.number}, in, {MOST * ITEMS} * sizeof *in);
}}"""

    def body(self):
        self.functions.append(self.exchange())
        collective = COLLECTIVES[self.collective]
        if collective:
            collective = (f"value = phase_key(run, {self.number}, round);\n{collective}\n"
                          f"phase_take(run, {self.number}, &sum, sizeof sum);")
        level = f"phase_{self.number}_exchange(run, iteration, comm, me, size, level, round, in, out);"
        between, after = (collective, "") if self.between else ("", collective)
        return f"""unsigned *in = (unsigned *)calloc({MOST * ITEMS}, sizeof(unsigned));
unsigned *out = (unsigned *)calloc({MOST * ITEMS}, sizeof(unsigned));
unsigned value = 0, sum = 0;
for (int round = 0; round < {self.rounds}; round++) {{
for (int level = 0; level < {self.levels}; level++) {{
{level}
{between}
}}
{after}
}}
(void)value, (void)sum;
free(in);
free(out);"""
