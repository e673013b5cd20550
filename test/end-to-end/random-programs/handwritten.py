# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the phases that are not exchanges (phases.py) share: each is one function, which is called
# once in an iteration, creates its communicator, and adds what it received to the digest by
# phase_take().

from communicators import COMMUNICATORS


class HandwrittenPhase:
    """`body()` is C text that may use `run`, `iteration`, `comm`, `me` and `size`."""

    kind = ""
    may_overlap = may_hold = False
    communicators = tuple(name for name in COMMUNICATORS if name != "freed early")

    def __init__(self, number, rng, cxx):
        self.number, self.rng, self.cxx = number, rng, cxx
        self.tag = 10000 + 100 * number  # no exchange has these
        self.header, self.other, self.functions = [], [], []
        self.communicator = rng.choice(self.communicators + ("world",) * 3)
        self.choose()

    def choose(self):
        pass

    def body(self):
        raise NotImplementedError

    def details(self):
        return ""

    def describe(self):
        return f"phase {self.number}: {self.kind}, {self.details()}, communicator {self.communicator}"

    def calls(self):
        return [f"phase_{self.number}"]

    def code(self):
        text, freed = COMMUNICATORS[self.communicator]
        body = self.body()
        end = "MPI_Comm_free(&comm);" if freed else ""
        function = f"""PLAIN_C void phase_{self.number}(struct run *run, int iteration) {{
{text}
if (comm == MPI_COMM_NULL)
  return;
int me, size;
MPI_Comm_rank(comm, &me);
MPI_Comm_size(comm, &size);
(void)iteration;
{{
{body}
}}
{end}
}}"""
        return "\n\n".join(self.functions + [function])
