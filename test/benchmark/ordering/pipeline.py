# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The way of a user's program through Sendwright, for the benchmarks: compiled to be profiled, run,
# planned, compiled with the plan. On the simulated cluster with SimGrid's compiler wrapper, elsewhere
# with Open MPI's, both over Clang 19 (another version: CLANG_VERSION in the environment).

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[2]
EXAMPLES = TOP / "examples"
TESTBED = HERE.parent / "testbed"


def run(command, **environment):
    """Runs a command and returns its output; if it fails, shows everything and stops."""
    command = [str(word) for word in command]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True,
                          timeout=3000)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nfailed with status {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


class Pipeline:
    """`build` is the folder in which Sendwright was built; `folder` gets all files."""

    def __init__(self, build, folder, simulated):
        self.build, self.folder, self.simulated = Path(build).resolve(), Path(folder), simulated
        self.folder.mkdir(parents=True, exist_ok=True)

    def compile(self, output, *arguments):
        """Compiles; also links unless `arguments` contain -c. Returns the compiler's messages."""
        libraries = []
        if self.simulated:
            command = [TESTBED / "smpi", "compile"]
            library = self.build / "lib" / "smpi" / "libsendwright.a"
            # SimGrid's mpi.h declares every function weak, so references take no member out of an
            # archive. Every rank gets a copy of the program, so the debugger's tables are stripped.
            libraries = ["-Wl,--whole-archive", library, "-Wl,--no-whole-archive,--strip-debug",
                         "-lstdc++", "-lz"]
        else:
            command = ["mpicc"]
            library = self.build / "lib"
            libraries = [f"-L{library}", f"-Wl,-rpath,{library}", "-lsendwright"]
        if "-c" in arguments:
            libraries = []
        return run([*command, "-O2", "-g", *arguments, "-o", output, *libraries],
                   OMPI_CC=f"clang-{os.environ.get('CLANG_VERSION', 19)}").stderr

    def plugin_flags(self):
        """For a program with directives, as written."""
        return [f"-fplugin={self.build / 'lib' / 'sendwright.so'}"]

    def generate_flags(self):
        return [*self.plugin_flags(), "-fplugin-arg-sendwright-profile-generate"]

    def use_flags(self, plan):
        return [*self.plugin_flags(), f"-fplugin-arg-sendwright-profile-use={plan}"]

    def plan(self, profile, plan, *arguments):
        """Returns what `sendwright plan` prints."""
        return run([self.build / "bin" / "sendwright", "plan", profile, "-o", plan, *arguments]).stdout
