# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles the benchmarks' small programs: matrices are generated and divided here. Zoltan is Debian's,
# which is linked with Open MPI.

import os
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]


def run_tool(*command, output=None):
    """Standard error of a program whose standard output goes to the file `output`."""
    with open(output or os.devnull, "w") as file:
        done = subprocess.run([str(word) for word in command], stdout=file, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stderr


def compile_tool(source, program, zoltan=False):
    libraries = ["-isystem", "/usr/include/trilinos", "-ltrilinos_zoltan"] if zoltan else []
    compiler = ["env", "OMPI_CXX=g++", "mpicxx.openmpi"] if zoltan else ["g++"]
    run_tool(*compiler, "-std=c++17", "-O2", f"-I{TOP}", source, "-o", program, *libraries)
    return program


class Partitioning:
    """Generates matrices in `folder`, and divides them by `partition`, a source in C++."""

    def __init__(self, folder, partition):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.generator = compile_tool(Path(__file__).parent / "generate.cpp", self.folder / "generate")
        self.partition = compile_tool(partition, self.folder / "partition", zoltan=True)

    def generate(self, *words):
        matrix = self.folder / f"{'-'.join(map(str, words))}.mtx"
        if not matrix.exists():
            run_tool(self.generator, *words, output=matrix)
        return matrix
