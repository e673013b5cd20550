# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Chains of MPI_Sendrecv in statements: between other pairs of ranks in each call, in parts of one
# array that overlap or not, some under a condition, some in a loop, some with their result kept,
# some that end at MPI_PROC_NULL or receive from any source. Such a program is compiled with the
# argument that lets exchanges overlap.

from handwritten import HandwrittenPhase

PART = 3000  # values of the largest message


class Chains(HandwrittenPhase):
    kind = "chains"

    def choose(self):
        rng = self.rng
        self.forms = [rng.choice(["plain", "plain", "plain", "condition", "kept", "loop", "braces"])
                      for _ in range(rng.randint(2, 7))]
        self.room = rng.choice([3, 8, 16])
        self.places = [rng.sample(range(self.room), 2) for _ in self.forms]
        if rng.random() < 0.5:  # no call needs another's data
            self.room = 2 * len(self.forms)
            self.places = [(2 * call, 2 * call + 1) for call in range(len(self.forms))]
        self.counts = [rng.choice(["1", "20", f"{PART}", "1 + round * 7"]) for _ in self.forms]
        self.distances = [rng.randint(0, 7) for _ in self.forms]
        self.ends = [rng.random() < 0.2 for _ in self.forms]
        self.any_source = [rng.random() < 0.1 for _ in self.forms]
        self.shift = rng.choice([0, 0, 1500])  # parts begin in the middle of others
        self.same_tag = rng.random() < 0.4 and not any(self.any_source)
        self.between = rng.choice(["", "", "taken++;", ";", "int more = me + 1; taken += more;"])
        self.rounds = rng.randint(1, 4)

    def details(self):
        return f"{len(self.forms)} in {self.room} parts, {' '.join(self.forms)}"

    def call(self, number):
        to, source = (f"(me {sign} {self.distances[number]}) % size" for sign in ("+", "+ 8 * size -"))
        if self.ends[number]:
            to = f"(me % size < {to} ? {to} : MPI_PROC_NULL)"
            source = f"({source} < me ? {source} : MPI_PROC_NULL)"
        if self.any_source[number] and not self.ends[number]:
            source = "MPI_ANY_SOURCE"
        tag = self.tag + (0 if self.same_tag else number)
        sent, received = (place * PART + (self.shift if place == 0 and self.room > 3 else 0)
                          for place in self.places[number])
        if received == sent + self.shift or abs(received - sent) < PART:
            received = self.room * PART + PART
        index = "k" if self.forms[number] == "loop" else str(number)
        return (f"MPI_Sendrecv(values + {sent}, {self.counts[number]}, MPI_UNSIGNED, {to}, {tag}, "
                f"values + {received}, {PART}, MPI_UNSIGNED, {source}, {tag}, comm, &status[{index}]);")

    def statement(self, number):
        call, form = self.call(number), self.forms[number]
        if form == "condition":
            return f"if ((round + size) % 2)\n  {call}"
        if form == "kept":
            return f"int code_{number} = {call}"
        if form == "loop":
            return f"for (int k = {number}; k < {number} + 1; k++)\n  {call}"
        if form == "braces":
            return f"{{\n  {call}\n}}"
        return call

    def body(self):
        statements = [self.statement(number) for number in range(len(self.forms))]
        statements.insert(len(statements) // 2, self.between)
        chain = "\n".join(text for text in statements if text)
        codes = " + ".join(["0", *(f"code_{number}" for number, form in enumerate(self.forms) if form == "kept")])
        values = (self.room + 3) * PART
        return f"""unsigned *values = (unsigned *)calloc({values}, sizeof(unsigned));
int taken = 0;
for (int round = 0; round < {self.rounds}; round++) {{
MPI_Status status[{len(self.forms)}];
memset(status, 0, sizeof status);
fill(values, {values}, phase_key(run, {self.number}, round) + (unsigned)me);
{chain}
taken += {codes};
for (int call = 0; call < {len(self.forms)}; call++) {{
int count = 0;
if (status[call].MPI_SOURCE != MPI_PROC_NULL)
  MPI_Get_count(&status[call], MPI_UNSIGNED, &count);
phase_take(run, {self.number}, &count, sizeof count);
phase_take(run, {self.number}, &status[call].MPI_TAG, sizeof status[call].MPI_TAG);
}}
phase_take(run, {self.number}, values, {values} * sizeof *values);
phase_take(run, {self.number}, &taken, sizeof taken);
}}
free(values);"""
