# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Requests created once and started again and again, in all modes, and calls that MPI defines as
# local: a send may be started before a barrier and its receive after it, even a synchronous send.

from handwritten import HandwrittenPhase

PERSISTENT = ["Send_init", "Send_init", "Ssend_init", "Ssend_init", "Rsend_init", "Bsend_init"]
IMMEDIATE = ["Isend", "Issend", "Ibsend", "Irsend"]
STARTS = [
    "MPI_Startall(sends, sending);",
    "for (int s = 0; s < sends; s++)\n  MPI_Start(&sending[s]);",
    "for (int s = sends; s-- > 0;)\n  MPI_Start(&sending[s]);",
    "for (int s = 0; s < sends; s += 2) {\n  MPI_Start(&sending[s]);\n  if (s + 1 < sends)\n"
    "    MPI_Startall(1, &sending[s + 1]);\n}",
]
WAITS = [
    "MPI_Waitall({n}, {r}, MPI_STATUSES_IGNORE);",
    "for (int r = 0; r < {n}; r++)\n  MPI_Wait(&{r}[r], MPI_STATUS_IGNORE);",
    "for (int done = 0; !done;)\n  MPI_Testall({n}, {r}, &done, MPI_STATUSES_IGNORE);",
    "for (int r = 0, place; r < {n}; r++)\n  MPI_Waitany({n}, {r}, &place, MPI_STATUS_IGNORE);",
    "for (int count = 0; count != MPI_UNDEFINED;) {\n  int places[64];\n"
    "  MPI_Waitsome({n}, {r}, &count, places, MPI_STATUSES_IGNORE);\n}",
    "for (int r = 0; r < {n}; r++)\n  for (int done = 0; !done;)\n    MPI_Test(&{r}[r], &done, MPI_STATUS_IGNORE);",
    "for (int count = 0; count != MPI_UNDEFINED;) {\n  int places[64];\n"
    "  MPI_Testsome({n}, {r}, &count, places, MPI_STATUSES_IGNORE);\n}",
]


class PersistentRequests(HandwrittenPhase):
    kind = "persistent"
    modes = PERSISTENT

    def choose(self):
        rng = self.rng
        self.mode = rng.choice(self.modes)
        self.density = rng.choice([40, 70, 100])
        self.count = rng.choice(["1", "20", "1 + 300 * (to % 2)", "0", "2500"])
        self.rounds = rng.randint(1, 4)
        self.starts = rng.choice(STARTS)
        self.waits = rng.choice(WAITS), rng.choice(WAITS)
        self.between = rng.choice(["", "MPI_Barrier(comm);", "MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, "
                                   "MPI_SUM, comm);"])
        self.sends_first = rng.random() < 0.6
        self.receives = rng.choice(["Recv_init", "Irecv", "Recv"])
        self.sends_complete_first = rng.random() < 0.3
        if self.mode == "Bsend_init":  # started again, Open MPI 4.1 sends something else
            self.rounds = 1
        if "r" in self.mode.lower().split("send")[0]:  # a ready send has its receive before it
            self.sends_first, self.between = False, "MPI_Barrier(comm);"
        if not self.sends_first and self.receives == "Recv":
            self.receives = "Irecv"

    def details(self):
        order = "before" if self.sends_first else "behind"
        return f"{self.mode} {order} {self.receives}, {self.rounds} rounds" + (
            f" with {self.between[4:self.between.index('(')]} between" if self.between else "")

    def sending(self, request="&sending[sends++]"):
        return (f"MPI_{self.mode}(out + to * 2500, {self.count}, MPI_UNSIGNED, to, {self.tag}, comm, "
                f"{request});")

    def pairs(self, variable, pair, statement):
        return f"""for (int {variable} = 0; {variable} < size; {variable}++)
  if (phase_pair(run, {self.number}, {pair}, {self.density}))
    {statement}"""

    def receiving(self):
        request = "" if self.receives == "Recv" else ", &receiving[receives++]"
        status = ", MPI_STATUS_IGNORE" if self.receives == "Recv" else ""
        return (f"MPI_{self.receives}(in + from * 2500, 2500, MPI_UNSIGNED, from, {self.tag}, "
                f"comm{request}{status});")

    def body(self):
        persistent = self.mode.endswith("_init")
        make_sends = self.pairs("to", "me, to", self.sending())
        make_receives = self.pairs("from", "from, me", self.receiving())
        begin, end = [], []
        if "bsend" in self.mode.lower():
            # The messages of earlier rounds may still be there.
            begin.append(f"const int bytes = {self.rounds} * size * (10000 + MPI_BSEND_OVERHEAD) + 100;\n"
                         "void *room = malloc(bytes);\nMPI_Buffer_attach(room, bytes);")
            end.append("int attached;\nMPI_Buffer_detach(&room, &attached);\nfree(room);")
        start, take = make_sends, make_receives
        if persistent:
            begin.append(make_sends)
            start = self.starts
            end.append("for (int s = 0; s < sends; s++)\n  MPI_Request_free(&sending[s]);")
        else:
            start = f"sends = 0;\n{start}"
        if self.receives == "Recv_init":
            begin.append(make_receives)
            take = "MPI_Startall(receives, receiving);"
            end.append("for (int r = 0; r < receives; r++)\n  MPI_Request_free(&receiving[r]);")
        elif self.receives == "Irecv":
            take = f"receives = 0;\n{take}"
        steps = [start, self.between, take] if self.sends_first else [take, self.between, start]
        waits = [self.waits[0].replace("{n}", "receives").replace("{r}", "receiving"),
                 self.waits[1].replace("{n}", "sends").replace("{r}", "sending")]
        if self.sends_complete_first:
            waits.reverse()
        text = "\n".join(step for step in steps + waits if step)
        return f"""unsigned *in = (unsigned *)calloc(size * 2500, sizeof(unsigned));
unsigned *out = (unsigned *)calloc(size * 2500, sizeof(unsigned));
MPI_Request sending[64], receiving[64];
int sends = 0, receives = 0, sum = 1;
(void)sum;
{chr(10).join(begin)}
for (int round = 0; round < {self.rounds}; round++) {{
fill(out, size * 2500, phase_key(run, {self.number}, round) + (unsigned)me);
{text}
phase_take(run, {self.number}, in, size * 2500 * sizeof *in);
}}
{chr(10).join(end)}
free(in);
free(out);"""


class LocalCalls(PersistentRequests):
    """The same without persistent requests: calls that only begin something may not wait for
    another rank."""

    kind = "local calls"
    modes = IMMEDIATE
