# Configuration of lit: which files are tests, and the names that their RUN lines may use.
#
#   %sendwright   the command
#   %plugin       -fplugin=...            %generate  with profile-generate   %use=FILE  with the plan
#   %mpicc %mpicxx  MPI's wrappers over Clang, without the plugin
#   %mpicc_file %mpicxx_file   the wrappers themselves     %mpi_name   openmpi or mpich
#   %mpif90       the same for Fortran, over gfortran
#   %runtime      flags that link the runtime     %runtime_file  the library
#   %mpirun N     MPI with N ranks on this machine, under a time limit
#   %another_mpicc, %another_runtime, %another_mpirun   of another MPI, where there is the feature another-mpi
#   %mpirun_spawning N  the same for programs that start others
#   %link_mpi     links MPI's library once more
#   %wrapping     env with what makes sendwright-cc and sendwright-c++ wrap this MPI over this Clang
#   %clang %clangxx  Clang itself
#   %combination  all of this as options of random-programs/run
#   %FileCheck    FileCheck
#   %with_test_transformations  folder of command (bin) and libraries (lib) with the transformations of
#                 test/transformations
#
# The parameters `--param mpi=mpich|openmpi` and `--param clang=22|19|16` choose an MPI other than the
# build's default and a Clang other than the one that the command is built with; the output of tests
# is then kept apart. A test that concerns one of them says so by the features `openmpi`, `mpich`,
# `clang-19`, `default-clang`, ...
#
# In a build with sanitizers only the tests of the runtime are useful, and SimGrid does not load
# sanitized code. The command and the plugin then come from the build folder `--param tools=FOLDER`.
# In another build, that folder may have sanitizers: the tests then check the command and the
# plugin, whose sanitizer library Clang loads first.

import os
import re
import shutil
import subprocess

import lit.formats

config.name = "sendwright"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test", ".c", ".cpp"]
config.excludes = ["inputs", "benchmark", "fuzz", "lit.cfg.py"]
part = "test/runtime" if config.sanitize or config.sanitize_threads else "test"
if config.sanitize_threads:
    # ThreadSanitizer only runs tests with threads. Tests of one name in several folders go together.
    def has_threads(path):
        with open(path, encoding="utf-8") as file:
            return re.search(r"pthread|std::thread|MPI_THREAD_", file.read()) is not None

    tests = [os.path.join(folder, name)
             for folder, _, names in os.walk(os.path.join(config.project_source_dir, part))
             for name in names if name.endswith((".test", ".c", ".cpp", ".f90"))]
    with_threads = {os.path.basename(path) for path in tests if has_threads(path)}
    # A test that counts allocations replaces malloc(), as ThreadSanitizer does.
    config.excludes += ["memory.cpp", *({os.path.basename(path) for path in tests} - with_threads)]
# Of several programs, Open MPI preloads the sanitizers only into the first. The sanitizers and
# a test that counts allocations both replace malloc().
config.not_sanitized = ["simulated.c", "simulated.cpp", "smpi.c", "several-programs.c", "memory.cpp"]
if config.sanitize:
    config.excludes += config.not_sanitized
config.test_source_root = os.path.join(config.project_source_dir, part)

mpi = lit_config.params.get("mpi", config.default_mpi)
clang = lit_config.params.get("clang", config.default_clang)
if mpi not in config.mpi_compilers or clang not in config.clangs:
    lit_config.fatal(f"not built for {mpi} and Clang {clang}: there are "
                     f"{' '.join(config.mpi_compilers)} and Clang {' '.join(config.clangs)}")
is_default = mpi == config.default_mpi and clang == config.default_clang
config.test_exec_root = os.path.join(config.project_binary_dir,
                                     part if is_default else f"{part}-{mpi}-clang-{clang}")
config.available_features.update({mpi, f"clang-{clang}"})
if clang == config.default_clang:
    config.available_features.add("default-clang")
if config.sanitize:
    config.available_features.add("sanitize")
if config.has_otf2:
    config.available_features.add("otf2")  # the command can read and write OTF2 archives


# Programs of tests with threads are also sanitized, because ThreadSanitizer cannot be loaded into
# others. Reports inside MPI's own libraries are suppressed.
thread_flags = ""
if config.sanitize_threads:
    library = subprocess.run([config.compiler, "-print-file-name=libclang_rt.tsan-x86_64.so"], capture_output=True,
                             text=True, check=True).stdout.strip()
    thread_flags = f" -g1 -fsanitize=thread -shared-libsan -Wl,-rpath,{os.path.dirname(library)}"
    config.environment["TSAN_OPTIONS"] = "ignore_noninstrumented_modules=1 exitcode=66"


class Mpi:
    """How tests use one MPI."""

    def __init__(self, name):
        self.name = name
        self.runtime = os.path.join(config.project_binary_dir, "lib",
                                    *([] if name == config.default_mpi else [name]))
        self.link = "-lmpi" if name == "openmpi" else "-lmpich"
        prefix = "OMPI" if name == "openmpi" else "MPICH"
        self.compilers = f"{prefix}_CC=clang-{clang} {prefix}_CXX=clang++-{clang} {prefix}_FC=gfortran"
        self.without_cxx_bindings = f"-D{prefix}_SKIP_MPICXX"
        self.shared_memory = self.spawning = ""
        if name == "openmpi":
            self.shared_memory = "--mca pml ob1 --mca btl self,vader --mca mpi_yield_when_idle 1 "
            self.spawning = "--mca btl self,tcp "

    def command(self, name):
        """One of its commands: beside its mpicc, or with the same suffix."""
        return name.join(config.mpi_compilers[self.name].rsplit("mpicc", 1))

    def compiler(self, name):
        return f"env {self.compilers} {self.command(name)}{thread_flags}"

    def mpirun(self, options):
        return f"env TEST_MPIRUN={self.command('mpirun')} {mpirun} {options}-np"

    def link_runtime(self):
        return f"-L{self.runtime} -Wl,-rpath,{self.runtime} -lsendwright"


tools = os.path.abspath(lit_config.params.get("tools", config.project_binary_dir))
plugin = f"-fplugin={tools}/lib/sendwright.so"
argument = "-fplugin-arg-sendwright-"
mpirun = os.path.join(config.project_source_dir, "test", "mpirun")
preload = [os.path.join(config.project_binary_dir, "test", "yield-when-idle.so")]
if config.sanitize:
    # The test programs are not sanitized, so the sanitizers' library must be loaded first. Leaks
    # inside MPI are suppressed.
    libraries = [
        subprocess.run([config.compiler, f"-print-file-name={name}"], capture_output=True, text=True,
                       check=True).stdout.strip()
        for name in (["libclang_rt.asan-x86_64.so"] if "clang" in config.compiler else
                     ["libasan.so", "libubsan.so"])
    ]
    preload = libraries + preload
    if mpi == "openmpi":
        mpirun += f" -x LD_PRELOAD={':'.join(libraries)} -x ASAN_OPTIONS=detect_leaks=0"
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0"
config.environment["TEST_PRELOAD"] = ":".join(preload)



def is_sanitized(folder):
    cache = os.path.join(folder, "CMakeCache.txt")
    return os.path.exists(cache) and "SENDWRIGHT_SANITIZE:BOOL=ON" in open(cache).read()


def clang_with_sanitizers():
    """A folder with Clang under its usual names; it loads the sanitizers before everything else."""
    folder = os.path.join(config.test_exec_root, "clang-with-sanitizers")
    os.makedirs(folder, exist_ok=True)
    for name in (f"clang-{clang}", f"clang++-{clang}"):
        real = shutil.which(name)
        library = subprocess.run([real, "-print-file-name=libclang_rt.asan-x86_64.so"], capture_output=True,
                                 text=True, check=True).stdout.strip()
        path = os.path.join(folder, name)
        with open(path, "w") as script:
            script.write(f'#!/bin/sh\nLD_PRELOAD={library} exec {real} "$@"\n')
        os.chmod(path, 0o755)
    return folder


if not config.sanitize and is_sanitized(tools):
    # Clang's memory is allocated from both sides; one of them poisons memory that it has not handed
    # out yet.
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0:allow_user_poisoning=0:quarantine_size_mb=16"
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
    os.environ["PATH"] = clang_with_sanitizers() + os.pathsep + os.environ["PATH"]

used = Mpi(mpi)
others = [Mpi(name) for name in config.mpi_compilers if name != mpi]
if others:
    config.available_features.add("another-mpi")
    config.substitutions += [("%another_mpicc", others[0].compiler("mpicc")),
                             ("%another_runtime", others[0].link_runtime()),
                             ("%another_mpirun", others[0].mpirun(others[0].shared_memory))]
# Longer names first: lit replaces in this order, and %use would otherwise be found in %use_all.
config.substitutions += [
    ("%sendwright", os.path.join(tools, "bin", "sendwright")),
    ("%plugin_file", f"{tools}/lib/sendwright.so"),
    ("%plugin", plugin),
    ("%generate", f"{plugin} {argument}profile-generate"),
    ("%use=", f"{plugin} {argument}profile-use="),
    ("%argument-", argument),
    ("%mpicc_file", used.command("mpicc")),
    ("%mpicxx_file", used.command("mpicxx")),
    ("%mpi_name", mpi),
    ("%mpicc", used.compiler("mpicc")),
    ("%mpicxx", f"{used.compiler('mpicxx')} {used.without_cxx_bindings}"),
    ("%mpif90", used.compiler("mpif90")),
    ("%link_mpi", used.link),
    ("%wrapping", f"env {used.compilers} SENDWRIGHT_CC={used.command('mpicc')} "
                  f"SENDWRIGHT_CXX={used.command('mpicxx')}"),
    ("%combination", f"--mpi {mpi} --mpicc {used.command('mpicc')} --runtime {used.runtime} "
                     f"--clang {clang}"),
    ("%with_test_transformations", f"{config.project_binary_dir}/test/transformations"),
    ("%runtime_file", os.path.join(used.runtime, "libsendwright.so")),
    ("%runtime", used.link_runtime()),
    ("%mpirun_spawning", used.mpirun(used.spawning)),
    ("%mpirun", used.mpirun(used.shared_memory)),
    ("%clangxx", f"clang++-{clang}"),
    ("%clang", f"clang-{clang}"),
    ("%FileCheck", f"{config.filecheck} --dump-input-context=20"),
    ("%built_clang", config.default_clang),
    ("%tools", tools),
    ("%source_root", config.project_source_dir),
    ("%binary_root", config.project_binary_dir),
]
for feature in ("smpicc", "gdb", "ccache"):
    if shutil.which(feature):
        config.available_features.add(feature)
for name in ("PATH", "HOME", "TMPDIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment["OMPI_MCA_btl_base_warn_component_unused"] = "0"
config.environment["CLANG_VERSION"] = clang  # of test/benchmark/testbed/smpi
