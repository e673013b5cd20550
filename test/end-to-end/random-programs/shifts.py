# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Combined sends and receives, round after round, in rings and along chains that end at
# MPI_PROC_NULL, and messages across the border between two groups.

from handwritten import HandwrittenPhase


class Shifts(HandwrittenPhase):
    kind = "shifts"

    def choose(self):
        rng = self.rng
        self.call = rng.choice(["Sendrecv", "Sendrecv", "Sendrecv_replace", "Isendrecv", "Isendrecv_replace"])
        # MPICH 4.0 fails where MPI_Isendrecv sends to MPI_PROC_NULL.
        self.chain = rng.random() < 0.3 and not self.call.startswith("I")
        self.any_source = rng.random() < 0.3
        self.any_tag = rng.random() < 0.2
        self.count = rng.choice(["1", "10", "2000", "1 + 50 * (step % 2)"])
        self.steps = rng.choice(["1", "size", "size - 1", "3"])

    def details(self):
        return f"{self.call} in a {'chain' if self.chain else 'ring'}"

    def arguments(self):
        # A receive from any source must not confuse two rounds.
        tag = f"{self.tag} + step"
        source = "from == MPI_PROC_NULL ? MPI_PROC_NULL : MPI_ANY_SOURCE" if self.any_source else "from"
        receive_tag = "MPI_ANY_TAG" if self.any_tag and not self.any_source else tag
        if self.call.endswith("replace"):
            return f"values, count, MPI_UNSIGNED, to, {tag}, {source}, {receive_tag}, comm"
        return f"values, count, MPI_UNSIGNED, to, {tag}, got, 2500, MPI_UNSIGNED, {source}, {receive_tag}, comm"

    def body(self):
        blocking = f"MPI_{self.call.lstrip('I').capitalize()}({self.arguments()}, &status);"
        call = blocking
        if self.call.startswith("I"):
            name = "MPI_Is" + self.call[2:]
            call = (f"#if MPI_VERSION >= 4\nMPI_Request request;\n{name}({self.arguments()}, &request);\n"
                    f"MPI_Wait(&request, &status);\n#else\n{blocking}\n#endif")
        partners = "int to = (me + 1 + step) % size, from = (me - 1 - step + 2 * size) % size;"
        if self.chain:
            partners = ("int to = me + 1 + step < size ? me + 1 + step : MPI_PROC_NULL;\n"
                        "int from = me - 1 - step >= 0 ? me - 1 - step : MPI_PROC_NULL;")
        # MPICH 4.0 does not say what MPI_Isendrecv received.
        received = "2500" if self.call.startswith("I") else "0"
        count = "MPI_Get_count(&status, MPI_UNSIGNED, &received);" if received == "0" else ""
        got = "values" if self.call.endswith("replace") else "got"
        return f"""unsigned *values = (unsigned *)calloc(2500, sizeof(unsigned));
unsigned *got = (unsigned *)calloc(2500, sizeof(unsigned));
for (int step = 0; step < {self.steps}; step++) {{
{partners}
const int count = {self.count};
MPI_Status status;
fill(values, count, phase_key(run, {self.number}, step) + (unsigned)me);
{call}
int received = {received};
{count}
phase_take(run, {self.number}, {got}, received * sizeof *got);
phase_take(run, {self.number}, &received, sizeof received);
}}
free(values);
free(got);"""


SENDS = ["Isend", "Issend", "Isend", "Send"]


class Intercommunicators(HandwrittenPhase):
    kind = "intercommunicators"
    communicators = ("world", "duplicate", "backward", "fresh", "idup")

    def choose(self):
        rng = self.rng
        self.half = rng.choice(["me % 2", "me >= size / 2", "me == size - 1"])
        self.mode = rng.choice(SENDS)
        self.receives = rng.choice(["source", "any source", "probe"])
        self.density = rng.choice([40, 100])
        self.collective = rng.choice(["", "MPI_Barrier(inter);", "allreduce", "broadcast"])
        self.further = rng.choice(["", "merge", "duplicate", "idup"])

    def details(self):
        return f"{self.mode}, received from {self.receives}, {self.collective or 'no collective'}, " \
               f"{self.further or 'nothing else'}"

    def receiving(self):
        tag = f"{self.tag} + iteration"
        if self.receives == "source":
            return f"""for (int from = 0; from < others; from++)
  if (phase_pair(run, {self.number}, from + 100 * !half, me + 100 * half, {self.density}))
    MPI_Irecv(in + from * 300, 300, MPI_UNSIGNED, from, {tag}, inter, &requests[n++]);"""
        probe = ""
        source = "MPI_ANY_SOURCE"
        if self.receives == "probe":
            probe = f"MPI_Probe(MPI_ANY_SOURCE, {tag}, inter, &status);\n"
            source = "status.MPI_SOURCE"
        return f"""for (int from = 0; from < others; from++)
  if (phase_pair(run, {self.number}, from + 100 * !half, me + 100 * half, {self.density})) {{
    MPI_Status status;
    memset(scratch, 0, sizeof scratch);
    {probe}MPI_Recv(scratch, 300, MPI_UNSIGNED, {source}, {tag}, inter, &status);
    memcpy(in + status.MPI_SOURCE * 300, scratch, sizeof scratch);
  }}"""

    def sending(self):
        request = "" if self.mode == "Send" else ", &requests[n++]"
        return f"""for (int to = 0; to < others; to++)
  if (phase_pair(run, {self.number}, me + 100 * half, to + 100 * !half, {self.density}))
    MPI_{self.mode}(out, 1 + 299 * (to % 2), MPI_UNSIGNED, to, {self.tag} + iteration, inter{request});"""

    def collectives(self):
        root = "(half ? 0 : inner_rank == 0 ? MPI_ROOT : MPI_PROC_NULL)"
        return {"allreduce": "MPI_Allreduce(out, &number, 1, MPI_UNSIGNED, MPI_BXOR, inter);",
                "broadcast": f"number = out[0];\nMPI_Bcast(&number, 1, MPI_UNSIGNED, {root}, inter);"}.get(
                    self.collective, self.collective)

    def ending(self):
        whole = "MPI_Allreduce(out, &number, 1, MPI_UNSIGNED, MPI_BXOR, whole);\nMPI_Comm_free(&whole);"
        return {"merge": f"MPI_Comm whole;\nMPI_Intercomm_merge(inter, half, &whole);\n{whole}",
                "duplicate": f"MPI_Comm whole;\nMPI_Comm_dup(inter, &whole);\n{whole}",
                "idup": "MPI_Comm whole;\nMPI_Request made;\nMPI_Comm_idup(inter, &whole, &made);\n"
                        f"MPI_Wait(&made, MPI_STATUS_IGNORE);\n{whole}"}.get(self.further, "")

    def body(self):
        receives, sends = self.receiving(), self.sending()
        steps = f"{receives}\n{sends}" if self.receives == "source" else f"{sends}\n{receives}"
        if self.mode == "Send" and self.receives != "source":  # one half sends first
            steps = f"if (half) {{\n{sends}\n{receives}\n}} else {{\n{receives}\n{sends}\n}}"
        return f"""const int half = {self.half};
MPI_Comm inner, inter;
int others, inner_rank;
MPI_Comm_split(comm, half, me, &inner);
MPI_Intercomm_create(inner, 0, comm, {self.leader()}, {self.tag}, &inter);
MPI_Comm_remote_size(inter, &others);
MPI_Comm_rank(inter, &me);
inner_rank = me;
unsigned out[300], scratch[300], number = 0;
unsigned *in = (unsigned *)calloc(others * 300, sizeof(unsigned));
MPI_Request requests[128];
int n = 0;
(void)inner_rank, (void)scratch;
memset(scratch, 0, sizeof scratch);
fill(out, 300, phase_key(run, {self.number}, 3) + (unsigned)me);
{steps}
MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
phase_take(run, {self.number}, in, others * 300 * sizeof *in);
{self.collectives()}
{self.ending()}
phase_take(run, {self.number}, &number, sizeof number);
free(in);
MPI_Comm_free(&inter);
MPI_Comm_free(&inner);"""

    def leader(self):
        """The first rank of the other half, numbered in the whole."""
        return {"me % 2": "half ? 0 : 1", "me >= size / 2": "half ? 0 : size / 2",
                "me == size - 1": "half ? 0 : size - 1"}[self.half]
