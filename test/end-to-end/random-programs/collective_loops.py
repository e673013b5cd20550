# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Collective operations spelled as sends and receives, in the ways in which programs write them.
# None of them relies on buffering by MPI: where all ranks send to all, receives or sends are begun
# first.

from communicators import WHOLE
from handwritten import HandwrittenPhase

TYPES = [("int", "MPI_INT"), ("unsigned", "MPI_UNSIGNED"), ("long", "MPI_LONG"),
         ("unsigned short", "MPI_UNSIGNED_SHORT"), ("signed char", "MPI_SIGNED_CHAR"),
         ("unsigned long long", "MPI_UNSIGNED_LONG_LONG")]
FLOATS = [("double", "MPI_DOUBLE"), ("float", "MPI_FLOAT")]
COMBINATIONS = ["{a} += {b};", "{a} = {a} + {b};", "{a} = {b} + {a};", "{a} &= {b};", "{a} |= {b};", "{a} ^= {b};",
                "if ({b} < {a}) {a} = {b};", "if ({a} < {b}) {a} = {b};", "{a} *= {b};",
                "{a} = {a} > {b} ? {a} : {b};"]
# Signed types may not overflow, and narrow types are converted back.
WRAPS = ("unsigned", "unsigned long long")
STEPS = [("int to = (me + i) % size, from = (me - i + size) % size;", True),
         ("const int to = (me - i + size) % size;\nconst int from = (me + i) % size;", True),
         ("int to = me + i, from = me - i; if (to >= size) to -= size; if (from < 0) from += size;", True),
         ("int to = me ^ i, from = me ^ i;", False)]


class CollectiveLoop(HandwrittenPhase):
    kind = "collective loops"
    communicators = ("world", "duplicate", "backward") * 5 + WHOLE + ("row", "part")

    def choose(self):
        rng = self.rng
        self.operation = rng.choice(["broadcast", "scatter", "gather", "reduce", "reduce one", "allgather",
                                     "all-to-all", "exchange", "gathering exchange"])
        self.combination = rng.choice(COMBINATIONS)
        reduces = self.operation.startswith("reduce")
        self.type, self.datatype = rng.choice(TYPES if reduces else TYPES + FLOATS)
        if reduces and self.type not in WRAPS and ("+" in self.combination or "*" in self.combination):
            self.type, self.datatype = TYPES[1]
        self.root = rng.choice(["0"] * 6 + ["size - 1"] * 2 + ["iteration % size"])
        self.count = rng.choice(["1", "5", "64", "1000", "3 + iteration", "40 * (iteration % 3)",
                                 "9000" if self.operation != "reduce" else "3000"])
        self.nonblocking = [rng.random() < 0.5, rng.random() < 0.5]
        self.others_first = rng.random() < 0.3
        self.results = rng.choice(["", "", "CHECK", "error"])
        self.in_place = rng.choice(["parameters", "inline", "template"] if self.cxx else ["parameters", "inline"])

    def details(self):
        return f"{self.operation} of {self.count} {self.type}, root {self.root}, {self.in_place}"

    # Fragments of text.

    def call(self, text):
        """An MPI call in the chosen spelling."""
        if self.results == "CHECK":
            return f"CHECK({text});"
        if self.results == "error":
            return f"error = {text};\nif (error != MPI_SUCCESS)\n  MPI_Abort(comm, error);"
        return text + ";"

    def send(self, what, to, request):
        arguments = f"{what}, count, {self.datatype}, {to}, {self.tag}, comm"
        return self.call(f"MPI_Isend({arguments}, {request})" if request else f"MPI_Send({arguments})")

    def receive(self, what, source, request):
        arguments = f"{what}, count, {self.datatype}, {source}, {self.tag}, comm"
        return self.call(f"MPI_Irecv({arguments}, {request})" if request
                         else f"MPI_Recv({arguments}, MPI_STATUS_IGNORE)")

    def over_others(self, root, variable, statement, requests):
        guard = f"if ({variable} != {root}) {{ {statement} }}"
        head = f"for (int {variable} = 0; {variable} < size; {variable}++)"
        if root == "0":
            guard, head = statement, f"for (int {variable} = 1; {variable} < size; ++{variable})"
        text = f"{head} {{\n{guard}\n}}"
        return f"{text}\nMPI_Waitall(n, requests, MPI_STATUSES_IGNORE);" if requests else text

    def rooted(self):
        """The branches of the root and of the others."""
        root = "root" if self.root != "0" else "0"
        request = "&requests[n++]"
        to_all = self.operation in ("broadcast", "scatter")
        begun = self.nonblocking[0] and not self.operation.startswith("reduce")
        many = {"broadcast": "one", "scatter": "all + other * count", "gather": "&all[other * count]"}.get(
            self.operation, "part")
        statement = (self.send if to_all else self.receive)(many, "other", request if begun else "")
        if self.operation == "reduce":
            combine = self.combination.replace("{a}", "one[k]").replace("{b}", "part[k]")
            statement += f"\nfor (int k = 0; k < count; k++) {combine}"
        if self.operation == "reduce one":
            combine = self.combination.replace("{a}", "*one").replace("{b}", "single")
            statement = statement.replace("part, count", "&single, 1") + f"\n{combine}"
        loop = self.over_others(root, "other", statement, begun)
        single = "&own" if self.nonblocking[1] else ""
        rest = (self.receive if to_all else self.send)("one", root, single)
        if self.operation == "reduce one":
            rest = rest.replace("one, count", "one, 1")
        if single:
            rest += "\nMPI_Wait(&own, MPI_STATUS_IGNORE);"
        if self.others_first:
            return f"if (me != {root}) {{\n{rest}\n}} else {{\n{loop}\n}}"
        return f"if (me == {root}) {{\n{loop}\n}} else {{\n{rest}\n}}"

    def mutual(self):
        """Two loops over all others; at least the first only begins its messages."""
        send = {"allgather": "one"}.get(self.operation, "out + to * count")
        request = "&requests[n++]"
        sends_first, both = self.nonblocking
        sending = self.send(send, "to", request if sends_first or both else "")
        receiving = self.receive("all + from * count", "from", request if not sends_first or both else "")
        loops = [f"for (int to = 0; to < size; to++) {{\nif (to != me) {{ {sending} }}\n}}",
                 f"for (int from = 0; from < size; from++) {{\nif (from == me) continue;\n{receiving}\n}}"]
        text = "\n".join(loops if sends_first else loops[::-1])
        return text + "\nMPI_Waitall(n, requests, MPI_STATUSES_IGNORE);"

    def exchanging(self):
        """MPI_Sendrecv with every other rank, one in each step."""
        steps, any_size = self.rng.choice(STEPS)
        if not any_size:
            steps = f"int to = size & (size - 1) ? (me + i) % size : me ^ i;\n" \
                    f"int from = size & (size - 1) ? (me - i + size) % size : me ^ i;"
        first = self.rng.choice(["1", "0"])
        send = "one" if self.operation == "gathering exchange" else "out + to * count"
        tag = self.rng.choice([str(self.tag), f"{self.tag} + i"])
        call = self.call(f"MPI_Sendrecv({send}, count, {self.datatype}, to, {tag}, all + from * count, count, "
                         f"{self.datatype}, from, {tag}, comm, MPI_STATUS_IGNORE)")
        return f"for (int i = {first}; i < size; i++) {{\n{steps}\n{call}\n}}"

    def loop(self):
        if self.operation in ("allgather", "all-to-all"):
            return self.mutual()
        return self.exchanging() if self.operation.endswith("exchange") else self.rooted()

    def body(self):
        loop = self.loop()
        declarations = []
        if "requests[n++]" in loop:
            declarations += ["int n = 0;", "MPI_Request *requests = (MPI_Request *)malloc(2 * size * sizeof "
                             "*requests);"]
        if "&own" in loop:
            declarations.append("MPI_Request own;")
        if "error =" in loop:
            declarations.append("int error;")
        if "part" in loop:
            declarations.append(f"{self.type} *part = ({self.type} *)malloc((count + 1) * sizeof *part);")
        if "&single" in loop:
            declarations.append(f"{self.type} single;")
        ends = [f"free({name});" for name in ("requests", "part") if f" *{name} =" in "\n".join(declarations)]
        core = "\n".join(declarations + [loop] + ends)
        name = f"collective_{self.number}"
        parameters = f"{self.type} *one, {self.type} *all, {self.type} *out, int count, int root, MPI_Comm comm"
        arguments = "one, all, out, count, root, comm"
        silence = "(void)one, (void)all, (void)out, (void)count, (void)root;"
        if self.in_place == "inline":
            core = f"{{\n{core}\n}}"
        else:
            template = ""
            if self.in_place == "template":
                template, parameters = "template <typename Value> ", parameters.replace(self.type, "Value")
            self.functions.append(f"""{template}static void {name}({parameters}) {{
int me, size;
MPI_Comm_rank(comm, &me);
MPI_Comm_size(comm, &size);
{silence}
{core}
}}""")
            core = f"{name}({arguments});"
        return f"""const int count = {self.count}, root = {self.root};
{silence.replace('(void)one, (void)all, (void)out, ', '')}
{self.type} *one = ({self.type} *)calloc(count + 1, sizeof *one);
{self.type} *all = ({self.type} *)calloc(size * count + 1, sizeof *all);
{self.type} *out = ({self.type} *)calloc(size * count + 1, sizeof *out);
for (int k = 0; k < count + 1; k++)
  one[k] = ({self.type})(mix(phase_key(run, {self.number}, 1) + me, k) % 100);
for (int k = 0; k < size * count; k++)
  all[k] = out[k] = ({self.type})(mix(phase_key(run, {self.number}, 2) + me, k) % 100);
{core}
phase_take(run, {self.number}, one, (count + 1) * sizeof *one);
phase_take(run, {self.number}, all, size * count * sizeof *all);
free(one);
free(all);
free(out);"""
