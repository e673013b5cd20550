#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes a random MPI program that is correct, deterministic and, unless asked to rely on MPI's
# buffering, free of deadlock without it: several phases (phases.py) in two files, C or C++, in a
# loop. The same seed gives the same bytes. A phase depends only on the seed and its number, so
# --only isolates a phase that fails.
#
#   generate.py --seed 7 --output DIRECTORY [--only 2,5] [--all-kinds]

import argparse
import pathlib
import random

from chains import Chains
from collective_calls import CollectiveCalls
from collective_loops import CollectiveLoop
from irregular_calls import IrregularCalls
from levels import Levels
from neighbor_calls import NeighborCalls
from persistent import LocalCalls, PersistentRequests
from phases import Phase
from redistributions import Redistributions
from shifts import Intercommunicators, Shifts
from statements import Statements
from threaded import Threads

HEADER = """// Seed {seed}.
#ifndef PROGRAM_H
#define PROGRAM_H
#include "transport.h"
#ifdef __cplusplus
#define PLAIN_C extern "C"
#else
#define PLAIN_C
#endif
{declarations}
#endif
"""
CXX_INCLUDES = "#include <algorithm>\n#include <map>\n#include <vector>\n"
MAIN = """int main(int argc, char **argv) {{
  struct run run;
  {init}
  run_begin(&run, {seed}u, argc, argv);
  for (int iteration = 0; iteration < {iterations}; iteration++) {{
    run.iteration = iteration;
    {calls}
  }}
  unsigned result = run_end(&run, {phases});
  MPI_Finalize();
  return {status};
}}
"""
INITS = ["MPI_Init(&argc, &argv);", "MPI_Init(NULL, NULL);",
         "int level; MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);",
         "int level; MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);"]
# How often each kind of phase is chosen. Threads are chosen for a whole program, not for a phase:
# nothing is captured in such a program.
KINDS = {Phase.kind: 12, CollectiveLoop.kind: 4, CollectiveCalls.kind: 2, PersistentRequests.kind: 2,
         LocalCalls.kind: 1, Shifts.kind: 1, Intercommunicators.kind: 1, Redistributions.kind: 1,
         Statements.kind: 2}
HANDWRITTEN = {kind.kind: kind for kind in (CollectiveLoop, CollectiveCalls, PersistentRequests, LocalCalls, Shifts,
                                            Intercommunicators, Redistributions, Statements)}
WITH_THREADS = 0.08
# The kinds in programs that rely on MPI's buffers, which are planned for few buffers.
RELYING = (Phase.kind,)
# Further phases of some programs, whose other phases stay what they are without them.
FURTHER = {IrregularCalls.kind: IrregularCalls, NeighborCalls.kind: NeighborCalls, Chains.kind: Chains,
           Levels.kind: Levels}
WITH_FURTHER = 0.4
ALL_KINDS = tuple(KINDS) + (Threads.kind,) + tuple(FURTHER)


class Program:
    """Two files and a header; a phase is in either file."""

    def __init__(self, seed, only=None, relying=False, kinds=(Phase.kind,), count=(3, 7)):
        self.seed = seed
        rng = random.Random(f"program {seed}")
        self.cxx = [rng.random() < 0.55, rng.random() < 0.55]
        self.count = rng.randint(*count)
        self.iterations = rng.randint(3, 8)
        self.change = rng.randint(1, self.iterations)
        self.init = rng.choices(INITS, [5, 3, 3, 1])[0]
        self.fails = rng.random() < 0.25
        self.rng = rng
        threaded = Threads.kind in kinds and (len(kinds) == 1 or rng.random() < WITH_THREADS)
        usable = {kind: weight for kind, weight in KINDS.items() if kind in (RELYING if relying else kinds)}
        if len(kinds) == 1 and kinds[0] in FURTHER:
            usable = {kinds[0]: 1}
        if threaded:
            self.init = INITS[-1]
            usable[Threads.kind] = 5
        self.phases, self.units = [], []
        for number in range(self.count):
            unit = rng.randrange(2)
            own = random.Random(f"phase {seed} {number}")
            kind = own.choices(list(usable), list(usable.values()))[0] if len(usable) > 1 else list(usable)[0]
            phase = self.phase(kind, number, own, unit, relying)
            if only is None or number in only:
                self.phases.append(phase)
                self.units.append(unit)
        for kind in FURTHER if len(kinds) > 1 and not relying else []:
            if kind in kinds:
                self.add_further(kind, only)
        self.keep_mpich_going()

    def add_further(self, kind, only):
        own = random.Random(f"{kind} {self.seed}")
        if own.random() >= WITH_FURTHER:
            return
        number, unit = self.count, own.randrange(2)
        self.count += 1
        if only is None or number in only:
            self.phases.append(FURTHER[kind](number, own, self.cxx[unit]))
            self.units.append(unit)

    def keep_mpich_going(self):
        """MPICH 4.0 does not start a persistent collective whose request was one to MPI_PROC_NULL before."""
        if not any(phase.kind == CollectiveCalls.kind and phase.form == "persistent" for phase in self.phases):
            return
        for phase in self.phases:
            for part in getattr(phase, "parts", [phase]):
                if part.kind == Phase.kind and part.persistent:
                    part.flags.discard("NULLS")

    def has_threads(self):
        return any(phase.kind == Threads.kind for phase in self.phases)

    def phase(self, kind, number, rng, unit, relying):
        cxx, other_cxx = self.cxx[unit], self.cxx[1 - unit]
        if kind == Threads.kind:
            return Threads(number, rng, cxx, other_cxx, self.change)
        if kind in FURTHER:
            return FURTHER[kind](number, rng, cxx)
        if kind in HANDWRITTEN:
            return HANDWRITTEN[kind](number, rng, cxx)
        return Phase(number, rng, cxx, other_cxx, self.change, relying)

    def schedule(self):
        """The calls of one iteration: phases in sequence, overlapping, or carried over."""
        calls, held = [], []
        rest = list(self.phases)
        while rest:
            phase = rest.pop(0)
            if phase.may_overlap and rest and rest[0].may_overlap:
                other = rest.pop(0)
                calls += phase.calls()[:2] + other.calls()[:2]
                calls += phase.calls()[2:] + other.calls()[2:]
            elif phase.may_hold and rest:
                calls += phase.calls()[:3]
                held.append(phase.calls()[3])
            else:
                calls += phase.calls()
        return calls + held

    def write(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        text = [[], []]
        declarations = []
        for phase, unit in zip(self.phases, self.units):
            code = phase.code()
            text[unit].append(f"// {phase.describe()}\n{code}")
            text[1 - unit] += phase.other
            declarations += phase.header
            declarations += [f"PLAIN_C void {name}(struct run *run, int iteration);"
                             for name in phase.calls()]
        (folder / "program.h").write_text(
            HEADER.format(seed=self.seed, declarations="\n".join(declarations)))
        text[0].append(MAIN.format(
            init=self.init, seed=self.seed, iterations=self.iterations, phases=self.count,
            calls="\n    ".join(f"{name}(&run, iteration);" for name in self.schedule()),
            status="(int)(result % 50) + 1" if self.fails else "result == 0"))
        for unit, name in enumerate(("main", "other")):
            includes = '#include "program.h"\n' + (CXX_INCLUDES if self.cxx[unit] else "")
            suffix = ".cpp" if self.cxx[unit] else ".c"
            (folder / (name + suffix)).write_text(includes + "\n" + "\n\n".join(text[unit]) + "\n")


def main():
    parser = argparse.ArgumentParser(description="Writes a random MPI program.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--only", help="numbers of the phases to keep, with commas between")
    parser.add_argument("--all-kinds", action="store_true", help="phases of all kinds, not exchanges alone")
    arguments = parser.parse_args()
    only = arguments.only and {int(number) for number in arguments.only.split(",")}
    kinds = ALL_KINDS if arguments.all_kinds else (Phase.kind,)
    Program(arguments.seed, only, kinds=kinds).write(arguments.output)


if __name__ == "__main__":
    main()
