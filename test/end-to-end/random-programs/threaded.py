# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Exchanges in several threads of each rank at once, each over its own communicators. Such a program
# asks for MPI_THREAD_MULTIPLE; if MPI does not provide it, the threads run one after another.

import random

from phases import Phase

# What each thread has for itself; threads do not create other communicators at the same time.
OWN = ("duplicate", "row", "backward")


class Threads:
    kind = "threads"
    may_overlap = may_hold = False

    def __init__(self, number, rng, cxx, other_cxx, change):
        self.number = number
        self.parts = []
        for thread in range(rng.randint(2, 3)):
            while True:  # one buffer is attached to a process
                part = Phase(number + 16 * (thread + 1), random.Random(rng.random()), cxx, other_cxx, change)
                if not part.buffered and part.communicator in OWN and "MPI_Comm_dup" not in part.collective:
                    break
            self.parts.append(part)
        self.header = []
        self.other = []

    def describe(self):
        return f"phase {self.number}: {self.kind}\n" + "\n".join("//   " + part.describe() for part in self.parts)

    def calls(self):
        return [f"phase_{self.number}"]

    def code(self):
        codes = [part.code() for part in self.parts]
        self.other = [text for part in self.parts for text in part.other]
        self.header = ["#include <pthread.h>"] + [line for part in self.parts for line in part.header]
        number, count = self.number, len(self.parts)
        texts = []
        for thread, (part, code) in enumerate(zip(self.parts, codes)):
            self.header += [f"PLAIN_C void {name}(struct run *run, int iteration);" for name in part.calls()]
            calls = "\n".join(f"{name}(run, run->iteration);" for name in part.calls())
            texts.append(f"{code}\n\nstatic void *thread_{number}_{thread}(void *argument) {{\n"
                         f"struct run *run = (struct run *)argument;\n{calls}\nreturn NULL;\n}}")
        starts = "\n".join(f"started[{k}] = level == MPI_THREAD_MULTIPLE && pthread_create(&threads[{k}], NULL, "
                           f"thread_{number}_{k}, &own[{k}]) == 0;\nif (!started[{k}])\n"
                           f"  thread_{number}_{k}(&own[{k}]);" for k in range(count))
        texts.append(f"""PLAIN_C void phase_{number}(struct run *run, int iteration) {{
static struct run own[{count}];
pthread_t threads[{count}];
int started[{count}], level;
(void)iteration;
MPI_Query_thread(&level);
for (int k = 0; k < {count}; k++)
  run_fork(run, &own[k], k);
{starts}
for (int k = 0; k < {count}; k++)
  if (started[k])
    pthread_join(threads[k], NULL);
for (int k = 0; k < {count}; k++)
  run_join(run, &own[k], {number});
}}""")
        return "\n\n".join(texts)
