# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One random program in its own folder: written; compiled as it is, to be profiled, and with its
# plan; and run in the requested ways. Each way must print and return what the original does.

import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import threading
import time

from generate import ALL_KINDS, Program

HERE = pathlib.Path(__file__).resolve().parent
INPUTS = HERE / "inputs"
MPIRUN = str(HERE.parent.parent / "mpirun")
# What the launcher calls shared memory, and what makes almost every message wait for its receive,
# so that a send that relies on buffering hangs.
OPTIONS = {"openmpi": ["--mca", "pml", "ob1", "--mca", "btl", "self,vader",
                       "--mca", "mpi_yield_when_idle", "1"], "mpich": []}
SMALL_EAGER = {"openmpi": {"OMPI_MCA_btl_vader_eager_limit": "256"},
               "mpich": {"UCX_RNDV_THRESH": "256"}}
# What can be done with a program besides the profiling run and a run with its plan.
WAYS = ("small eager limit", "disabled", "other variant", "other ranks", "adapting", "strict buffers",
        "strict recording")
# Only if asked for: random choices among the others stay what they were.
FURTHER_WAYS = ("verifying",)
LATENCY_BOUND = HERE.parent.parent / "runtime" / "inputs" / "latency-bound.json"
PLANS = ("planned", "shuffled", "shared", "collectives", "synchronized")


def preload(build):
    """The library that lets waiting ranks sleep; "" if the caller has chosen others, as lit's tests do."""
    library = build / "test" / "nap-when-idle.so"
    return str(library) if "TEST_PRELOAD" not in os.environ and library.exists() else ""


class Failure(Exception):
    pass


class Hang(Failure):
    pass


class Unstable(Failure):
    """The original itself gives two different results."""


class Case:
    """`settings` are the same for all programs; see the options of `run`."""

    shared = {}  # objects of the files that all programs share, which do not hold a plan
    lock = threading.Lock()

    def __init__(self, seed, settings, plan="shuffled", ways=WAYS[:4], kinds=("exchanges",), count=(3, 7)):
        self.seed, self.settings, self.plan, self.ways = seed, settings, plan, ways
        self.folder = settings.work / str(seed)
        shutil.rmtree(self.folder, ignore_errors=True)
        only = settings.only and {int(number) for number in settings.only.split(",")}
        self.program = Program(seed, only, plan == "synchronized", kinds, count)
        self.program.write(self.folder)
        rng = random.Random(f"run {seed}")
        self.ranks = rng.randint(4, 6)
        self.other_ranks = rng.choice([n for n in (3, 4, 5, 6) if n != self.ranks])
        self.optimise = rng.choice(settings.optimise)
        self.remarks = ""
        self.synchronized = ""
        self.commands = []
        self.runs = 0
        self.processor_seconds = 0.0  # of all that was started for it
        self.first = None

    # Commands.

    def call(self, name, command, environment=None, limit=120):
        """Runs a command; the result has the standard output and the exit status."""
        changes = [f"{key}={value}" for key, value in (environment or {}).items()]
        self.commands.append(shlex.join(changes + [str(part) for part in command]) + f"  # {name}")
        (self.folder / "commands.txt").write_text("\n".join(self.commands) + "\n")
        clang, clangxx = f"clang-{self.settings.clang}", f"clang++-{self.settings.clang}"
        full = dict(os.environ, OMPI_CC=clang, OMPI_CXX=clangxx, MPICH_CC=clang, MPICH_CXX=clangxx,
                    OMPI_MCA_btl_base_warn_component_unused="0", TMPDIR=self.settings.temporary,
                    MPIRUN_LIMIT=str(limit), TEST_MPIRUN=self.settings.mpi_command("mpirun"),
                    **(environment or {}))
        if self.settings.preload:
            full["TEST_PRELOAD"] = self.settings.preload
        output = self.folder / f"{name}.out"
        with open(self.folder / f"{name}.err", "wb") as errors, open(output, "wb") as printed:
            process = subprocess.Popen(["timeout", "-k", "5", str(limit)] + command, cwd=self.folder, env=full,
                                       stdin=subprocess.DEVNULL, stdout=printed, stderr=errors)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.processor_seconds += used.ru_utime + used.ru_stime
        return subprocess.CompletedProcess(command, process.returncode, output.read_bytes())

    def must(self, name, command, environment=None):
        result = self.call(name, command, environment, limit=300)
        if result.returncode != 0:
            kind = Hang if result.returncode in (124, 137) else Failure
            raise kind(f"{name}: exit status {result.returncode}, see {name}.err")
        return result

    def flags(self, name):
        plugin = f"-fplugin={self.settings.build}/lib/sendwright.so"
        argument = "-fplugin-arg-sendwright-"
        further = [argument + "overlap-exchanges"] if any(p.kind == "chains" for p in self.program.phases) else []
        return {"original": ["-DWITHOUT_PLUGIN"], "generate": [plugin, argument + "profile-generate", *further],
                "use": [plugin, argument + "profile-use=app.plan", argument + "remarks=all", *further]}[name]

    def compile(self, name, source, out):
        compiler = [self.settings.mpicc] if source.suffix == ".c" else \
            [self.settings.mpi_command("mpicxx"), "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", "-std=c++17"]
        # -fexceptions: C functions of a program that throws.
        self.must(f"compile-{name}-{source.stem}", compiler + [
            self.optimise, "-g", "-fexceptions", "-pthread", f"-I{INPUTS}", "-c", str(source), "-o",
            str(out)] + self.flags(name))
        return str(out)

    def build(self, name):
        """Compiles the program's two files and the two that all programs share, and links."""
        objects = []
        runtime = []
        if name != "original":
            library = self.settings.runtime
            runtime = [f"-L{library}", f"-Wl,-rpath,{library}", "-lsendwright"]
        for source in sorted(self.folder.glob("*.c")) + sorted(self.folder.glob("*.cpp")):
            objects.append(self.compile(name, source, self.folder / f"{source.stem}.{name}.o"))
            if name == "use":
                self.remarks += (self.folder / f"compile-{name}-{source.stem}.err").read_text()
        for source in sorted(INPUTS.glob("*.c")):
            if name == "use":
                objects.append(self.compile(name, source, self.folder / f"{source.stem}.{name}.o"))
                continue
            key = f"{source.stem}.{name}{self.optimise}-{self.settings.mpi}-{self.settings.clang}.o"
            with Case.lock:
                if key not in Case.shared:
                    Case.shared[key] = self.compile(name, source, self.settings.work / key)
            objects.append(Case.shared[key])
        self.must(f"link-{name}", [self.settings.mpi_command("mpicxx"), "-pthread", "-o", name] + objects + runtime)

    def mpirun(self, name, program, ranks, environment=None, arguments=()):
        options = list(OPTIONS[self.settings.mpi])
        if self.settings.preload and self.settings.mpi == "openmpi":
            options += ["-x", f"LD_PRELOAD={self.settings.preload}"]
        command = [MPIRUN] + options + ["-np", str(ranks), f"./{program}"]
        self.runs += 1
        return self.call(name, command + list(arguments), environment, limit=self.settings.limit)

    def small_eager(self):
        return SMALL_EAGER[self.settings.mpi]

    def compare(self, name, expected, run):
        """Compares the output and exit status that `run()` returns, including a crash at the very
        end."""
        got = run()
        if (got.returncode, got.stdout) != (expected.returncode, expected.stdout):
            self.compare_originals()
        if got.returncode != expected.returncode:
            kind = Hang if got.returncode in (124, 137) else Failure
            raise kind(f"{name}: exit status {got.returncode} instead of {expected.returncode}")
        if got.stdout != expected.stdout:
            raise Failure(f"{name}: other output")

    def compare_originals(self):
        """Tells whose fault a difference is: MPI itself may fail now and then."""
        if self.first is None:
            return
        for time in range(3):
            again = self.mpirun(f"original-again-{time}", "original", self.ranks,
                                self.small_eager() if time == 2 and self.plan != "synchronized" else None)
            if (again.returncode, again.stdout) != (self.first.returncode, self.first.stdout):
                raise Unstable(f"the original itself: exit status {again.returncode} behind "
                               f"{self.first.returncode}, or other output")

    # Steps.

    def originals(self, eager_limits=False):
        """What the program prints; under each of the two eager limits, two runs must agree."""
        self.build("original")
        first = self.mpirun("original", "original", self.ranks)
        if not first.stdout.startswith(b"rank 0:"):
            raise Unstable(f"original: exit status {first.returncode}, no digests")
        self.first = first
        if eager_limits:
            for ranks in (self.ranks, self.other_ranks):
                for variant in ("0", "1"):
                    name = f"original-{ranks}-{variant}"
                    eager = self.mpirun(name, "original", ranks, arguments=[variant])
                    self.compare(name, eager, lambda: self.mpirun(
                        name + "-small", "original", ranks, self.small_eager(),
                        arguments=[variant]))

    def make_plan(self):
        """Returns false if the planner rightly refuses to synchronise the program."""
        plan = [str(self.settings.build / "bin" / "sendwright"), "plan", "app.prof", "-o", "app.plan"]
        plan += self.settings.plan_options
        if self.plan == "synchronized":
            kind = self.settings.synchronize
            if self.call("plan", plan + ["--synchronize", kind]).returncode != 0:
                reason = (self.folder / "plan.err").read_text()
                # A profile has one order for all calls of a rank; its threads may have waited in
                # another.
                of_threads = self.program.has_threads() and "expected a run that can happen" in reason
                if not of_threads and "from any source that is not received next" not in reason:
                    raise Failure("plan: see plan.err")
                self.synchronized = "refused"
                return False
            return True
        self.must("plan", plan)
        if self.plan != "planned":
            self.must("shuffle", [str(self.settings.build / "bin" / "shuffle-plan"), "app.prof",
                                  "app.plan", "app.plan", str(self.seed)]
                      + ([self.plan] if self.plan in ("shared", "collectives") else []))
        return True

    def rebuilt(self):
        """Profile, plan, rebuild; then every way of running must print what the original does."""
        first = self.first
        self.build("generate")
        self.compare("profiling run", first, lambda: self.mpirun(
            "generate", "generate", self.ranks, {"SENDWRIGHT_PROFILE": "app.prof"}))
        if not self.make_plan():
            return
        self.build("use")
        self.compare("rebuilt", first, lambda: self.mpirun("use", "use", self.ranks))
        for way in self.ways:
            # Programs to be synchronised rely on MPI's buffers.
            if not (self.plan == "synchronized" and way == "small eager limit"):
                self.in_one_way(way)
        if self.plan == "synchronized":
            self.with_few_buffers(first)

    def in_one_way(self, way):
        name = way.replace(" ", "-")
        if way in ("other variant", "other ranks"):
            ranks = self.other_ranks if way == "other ranks" else self.ranks
            variant = ["1"] if way == "other variant" else []
            expected = self.mpirun(f"original-{name}", "original", ranks, arguments=variant)
            self.compare(f"rebuilt, {way}", expected, lambda: self.mpirun(name, "use", ranks, arguments=variant))
            return
        program, environment = {
            "small eager limit": ("use", self.small_eager()),
            "disabled": ("use", {"SENDWRIGHT_DISABLE": "1"}),
            # Every second program for a machine on which sharing pays at once.
            "adapting": ("generate", {"SENDWRIGHT_ADAPT": str(LATENCY_BOUND) if self.seed % 2 else "1"}),
            # Each execution is a turn of its own, so that most sites run in both ways.
            "verifying": ("use", {"SENDWRIGHT_VERIFY": "verified.json", "SENDWRIGHT_VERIFY_TURN": "1"}),
            "strict buffers": ("use", {"SENDWRIGHT_BUFFERS": "1000"}),
            "strict recording": ("generate", {"SENDWRIGHT_BUFFERS": "1000", "SENDWRIGHT_PROFILE": "strict.prof"}),
        }[way]
        self.compare(f"{'rebuilt, ' if program == 'use' else ''}{way}", self.first,
                     lambda: self.mpirun(name, program, self.ranks, environment))

    def with_few_buffers(self, first):
        """The synchronised program must end with exactly the buffers of its plan, unless it said
        that it gave them up (if the order of completion decides what it calls next)."""
        shown = self.must("show", [str(self.settings.build / "bin" / "sendwright"), "show", "--json",
                                   "app.plan"])
        plan = json.loads(shown.stdout)["rank_counts"][0]["synchronization"]
        limit = {"SENDWRIGHT_BUFFERS": ",".join(map(str, plan["buffers"]))}
        got = self.mpirun("few-buffers", "use", self.ranks, limit)
        said = (self.folder / "few-buffers.err").read_text()
        if got.returncode in (86, 124) and "continues without synchronisation" in said:
            self.synchronized = "gave up"
        elif got.returncode != first.returncode or got.stdout != first.stdout:
            raise Failure(f"few buffers: exit status {got.returncode}, or other output")
        else:
            self.synchronized = f"{plan['synchronizations']} synchronisations, " \
                                f"{sum(plan['buffers'])} buffers"

    # Results.

    def counts(self):
        """Loops rewritten and left alone, from the compiler's remarks."""
        remarks = set(re.findall(r"^(\S+:\d+):\d+: remark: (.*)$", self.remarks, re.M))
        rewritten = {place for place, text in remarks
                     if re.match(r"((send|receive) loop|block of \d+ sends) (reordered|shared|replaced)", text)}
        return len(rewritten), len({place for place, _ in remarks} - rewritten)

    def details(self):
        parts = ["{} loops rewritten, {} left alone".format(*self.counts())]
        if self.synchronized:
            parts.append(self.synchronized)
        if self.plan in ("shared", "collectives"):
            parts.append((self.folder / "shuffle.out").read_text().strip())
        return ", ".join(parts)

    def phases(self):
        """The number of phases of each kind in the program."""
        counts = {kind: 0 for kind in ALL_KINDS}
        for phase in self.program.phases:
            counts[phase.kind] += 1
        return {kind: count for kind, count in counts.items() if count}

    def run(self, steps, keep=False):
        """Does `steps(self)`. Returns the verdict, whether all went well, and the seconds that it
        took; keeps all files of a program that fails."""
        start = time.monotonic()
        try:
            steps(self)
            verdict, passed = "same", True
        except Hang as failure:
            verdict, passed = f"HANGS: {failure}", False
        except Unstable as failure:
            verdict, passed = f"UNSTABLE: {failure}", False
        except Failure as failure:
            verdict, passed = f"DIFFERS: {failure}", False
        seconds = time.monotonic() - start
        details = self.details() if passed and self.remarks else ""
        if passed and not keep:
            shutil.rmtree(self.folder)
        elif not passed:
            kept = self.settings.work / "failed" / str(self.seed)
            shutil.rmtree(kept, ignore_errors=True)
            kept.parent.mkdir(parents=True, exist_ok=True)
            self.folder.rename(kept)
        return verdict + (", " + details if details else ""), passed, seconds
