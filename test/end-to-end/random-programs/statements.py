# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sends written as statements, one after the other: each to a rank at its own distance, under a
# condition or not, some checked, declared, packed before, in a function, or in a case of a switch;
# some in loops, of which several may stand in a row, beside statements or within one another.
# On few ranks several statements send to one rank, where the order must be kept.

from handwritten import HandwrittenPhase

COUNT = 200  # values of the largest message


class Statements(HandwrittenPhase):
    kind = "statements"

    def choose(self):
        rng = self.rng
        distances = list(range(1, 8))
        rng.shuffle(distances)
        self.distances = distances[:rng.randint(3, 6)]
        self.modes = [rng.choice(["Isend", "Isend", "Send", "Bsend"]) for _ in self.distances]
        self.forms = [rng.choice(["plain", "plain", "checked", "declared", "packed", "function", "braces"])
                      for _ in self.distances]
        self.density = rng.choice([60, 100])
        self.same_tag = rng.random() < 0.5
        self.one_buffer = rng.random() < 0.3
        self.receives = rng.choice(["before", "before", "between"])
        self.rounds = rng.randint(1, 4)
        self.around = rng.choice(["", "", "switch", "jump"])
        self.between = rng.choice(["", "", "sum += 3;", "MPI_Comm_rank(comm, &sum);", "if (sum < 0)\n  return;"])
        self.loops = self.choose_loops(rng)
        if self.one_buffer:  # only what is sent may be overwritten
            self.modes = ["Send" if mode == "Isend" else mode for mode in self.modes]

    def choose_loops(self, rng):
        """Which statements follow one another in a loop: (first, end, whether a loop is nested in it)."""
        loops, place = [], 0
        while rng.random() < 0.7 and place < len(self.distances):
            first = rng.randint(place, len(self.distances) - 1)
            place = rng.randint(first + 1, len(self.distances))
            loops.append((first, place, rng.random() < 0.3))
        return loops

    def in_loops(self, steps):
        """The statements, with loops around some of them."""
        result = list(steps)
        for first, end, nested in reversed(self.loops):
            cases = "\n".join(f"if (turn == {turn}) {{\n{result[place]}\n}}"
                              for turn, place in enumerate(range(first, end)))
            if nested:
                cases = f"for (int inner = 0; inner < 2; inner++)\n  if (inner == turn % 2) {{\n{cases}\n}}"
            result[first:end] = [f"for (int turn = 0; turn < {end - first}; turn++) {{\n{cases}\n}}"]
        return result

    def details(self):
        return (f"{len(self.distances)} to {' '.join(map(str, self.distances))}, {' '.join(self.modes)}, "
                f"{' '.join(self.forms)}, {len(self.loops)} loops{', in a ' + self.around if self.around else ''}")

    def tag_of(self, place):
        return str(self.tag + (0 if self.same_tag else place))

    def statement(self, place):
        """The send at a place, with what stands before it."""
        to = f"(me + {self.distances[place]}) % size"
        offset = 0 if self.one_buffer else place * COUNT
        count = f"1 + {place} * 30"
        mode, form = self.modes[place], self.forms[place]
        request = ", &requests[sent++]" if mode == "Isend" else ""
        call = f"MPI_{mode}(out + {offset}, {count}, MPI_UNSIGNED, {to}, {self.tag_of(place)}, comm{request})"
        pack = f"fill(out + {offset}, {count}, phase_key(run, {self.number}, round) + (unsigned)({place} * 64 + me));"
        condition = f"if (phase_pair(run, {self.number}, me, {to}, {self.density}))"
        if form == "function":
            name = f"phase_{self.number}_send_{place}"
            self.functions.append(f"""static int {name}(unsigned *out, int me, int size, MPI_Comm comm, MPI_Request *requests) {{
int sent = 0;
(void)requests;
{call};
return sent;
}}""")
            return f"{pack}\n{condition}\n  sent += {name}(out, me, size, comm, requests + sent);"
        if form == "declared":
            return (f"{pack}\nint code_{place} = phase_pair(run, {self.number}, me, {to}, {self.density}) ? "
                    f"{call} : MPI_SUCCESS;\nsum += code_{place};")
        if form == "checked":
            return f"{pack}\n{condition}\n  CHECK({call});"
        if form == "braces":
            return f"{condition} {{\n  {pack}\n  {call};\n}}"
        if form == "packed":
            return f"for (int i = 0; i < {count}; i++)\n  out[{offset} + i] = 0;\n{pack}\n{condition}\n  {call};"
        return f"{pack}\n{condition}\n  {call};"

    def receive(self, place):
        source = f"(me + size * 8 - {self.distances[place]}) % size"
        return (f"if (phase_pair(run, {self.number}, {source}, me, {self.density}))\n"
                f"  MPI_Irecv(in + {place * COUNT}, {COUNT}, MPI_UNSIGNED, {source}, {self.tag_of(place)}, comm, "
                "&receives[posted++]);")

    def body(self):
        places = range(len(self.distances))
        sends = [self.statement(place) for place in places]
        receives = [self.receive(place) for place in places]
        if self.receives == "between":
            steps = self.in_loops([f"{receive}\n{send}" for receive, send in zip(receives, sends)])
        else:
            steps = receives + self.in_loops(sends)
        steps.insert(len(steps) - 1, self.between)
        block = "\n".join(step for step in steps if step)
        if self.around == "switch":
            block = f"switch (round % 2) {{\ncase 0: {{\n{block}\nbreak;\n}}\ndefault: {{\n{block}\n}}\n}}"
        elif self.around == "jump" and "declared" not in self.forms:
            block = f"if (sum > 1000)\n  goto over_{self.number};\n{block}\nover_{self.number}:;"
        attach = detach = ""
        if "Bsend" in self.modes:
            attach = (f"const int bytes = {self.rounds} * {len(self.distances)} * ({4 * COUNT} + MPI_BSEND_OVERHEAD) + 100;\n"
                      "void *room = malloc(bytes);\nMPI_Buffer_attach(room, bytes);\n")
            detach = "int attached;\nMPI_Buffer_detach(&room, &attached);\nfree(room);\n"
        values = len(self.distances) * COUNT
        return f"""unsigned *in = (unsigned *)calloc({values}, sizeof(unsigned));
unsigned *out = (unsigned *)calloc({values}, sizeof(unsigned));
MPI_Request requests[8], receives[8];
int sent = 0, posted = 0, sum = 1;
{attach}for (int round = 0; round < {self.rounds}; round++) {{
sent = posted = 0;
{block}
MPI_Waitall(posted, receives, MPI_STATUSES_IGNORE);
MPI_Waitall(sent, requests, MPI_STATUSES_IGNORE);
phase_take(run, {self.number}, in, {values} * sizeof *in);
}}
(void)sum;
{detach}free(in);
free(out);"""
