# Configuration of lit: which files are tests, and the names that their RUN lines may use.
#
#   %sendwright   the command
#   %plugin       -fplugin=...            %generate  with profile-generate   %use=FILE  with the plan
#   %mpicc %mpicxx  Open MPI's wrappers over clang-19, without the plugin
#   %runtime      flags that link the runtime
#   %mpirun N     Open MPI with N ranks on this machine, under a time limit
#   %mpirun_only  the same without the number of ranks and the choice of shared memory
#   %FileCheck    FileCheck
#
# In a build with sanitizers only the tests of the runtime are of use: neither Clang nor SimGrid loads
# sanitized code. The command and the plugin then come from the build folder `--param tools=FOLDER`.

import os
import shutil
import subprocess

import lit.formats

config.name = "sendwright"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test", ".c", ".cpp"]
config.excludes = ["inputs", "benchmark", "lit.cfg.py"]
part = "test/runtime" if config.sanitize else "test"
if config.sanitize:
    config.excludes += ["batch-simulated.c", "recording-smpi.c"]
config.test_source_root = os.path.join(config.project_source_dir, part)
config.test_exec_root = os.path.join(config.project_binary_dir, part)

lib = os.path.join(config.project_binary_dir, "lib")
tools = os.path.abspath(lit_config.params.get("tools", config.project_binary_dir))
plugin = f"-fplugin={tools}/lib/sendwright.so"
argument = "-fplugin-arg-sendwright-"
mpirun = os.path.join(config.project_source_dir, "test", "mpirun")
if config.sanitize:
    # The test programs are not sanitized, so that the sanitizers' library must be loaded first. What
    # Open MPI does not free is not ours to mend.
    libraries = [
        subprocess.run([config.compiler, f"-print-file-name={name}"], capture_output=True, text=True,
                       check=True).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    mpirun += f" -x LD_PRELOAD={':'.join(libraries)} -x ASAN_OPTIONS=detect_leaks=0"
shared_memory = "--mca pml ob1 --mca btl self,vader --mca mpi_yield_when_idle 1"
# Longer names first: lit replaces in this order, and %use would otherwise be found in %use_all.
config.substitutions += [
    ("%sendwright", os.path.join(tools, "bin", "sendwright")),
    ("%plugin_file", f"{tools}/lib/sendwright.so"),
    ("%plugin", plugin),
    ("%generate", f"{plugin} {argument}profile-generate"),
    ("%use=", f"{plugin} {argument}profile-use="),
    ("%argument-", argument),
    ("%mpicc", "env OMPI_CC=clang-19 mpicc"),
    ("%mpicxx", "env OMPI_CXX=clang++-19 mpicxx -DOMPI_SKIP_MPICXX"),
    ("%runtime", f"-L{lib} -Wl,-rpath,{lib} -lsendwright"),
    ("%mpirun_only", mpirun),
    ("%mpirun", f"{mpirun} {shared_memory} -np"),
    ("%clang19", "clang-19"),
    ("%FileCheck", f"{config.filecheck} --dump-input-context=20"),
    ("%tools", tools),
    ("%source_root", config.project_source_dir),
    ("%binary_root", config.project_binary_dir),
]
for feature in ("clang-16", "smpicc", "gdb", "ccache"):
    if shutil.which(feature):
        config.available_features.add(feature)
for name in ("PATH", "HOME", "TMPDIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment["OMPI_MCA_btl_base_warn_component_unused"] = "0"
