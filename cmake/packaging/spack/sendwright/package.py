# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Recipe for Spack. Put this folder's parent into a repository of your own (`spack repo create`), and
# build from a clone of the sources:
#
#   git clone SOURCES sendwright && cd sendwright
#   spack dev-build sendwright@main

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Sendwright(CMakePackage):
    """Profile-guided optimisation of MPI communication: a plugin for Clang that rewrites the send
    loops of MPI programs from a profile of their own run, a runtime over PMPI, and a command."""

    # The sources have no public address yet; builds are from a clone (spack dev-build).
    homepage = "file:///usr/share/doc/sendwright/README.md"

    license("Apache-2.0 WITH LLVM-exception")

    version("main", branch="main")
    version("0.2.0", tag="v0.2.0")

    # Draws the charts of a report, and becomes part of the command.
    resource(
        name="d3",
        url="https://registry.npmjs.org/d3/-/d3-7.9.0.tgz",
        sha256="7e36605710a2ba54846797c8c6d888911341b215ae53257dc32a49a0b824355e",
        destination="d3",
        placement="d3",
    )

    variant("otf2", default=True, description="Read and write traces in the Open Trace Format 2")
    variant("simgrid", default=False, description="Build the runtime for SimGrid's simulated MPI")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    depends_on("cli11", type="build")
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("xxhash", type="build")
    depends_on("zlib-api")
    depends_on("mpi@3:")
    depends_on("otf2@3:", when="+otf2")
    depends_on("simgrid +smpi", when="+simgrid")

    # Compiles the users' programs, too. Other versions are refused.
    depends_on("llvm@19.1:19,22 +clang", type=("build", "link", "run"))

    generator("ninja")

    def cmake_args(self):
        llvm = self.spec["llvm"].prefix
        d3 = join_path(self.stage.source_path, "d3")
        major = str(self.spec["llvm"].version.up_to(1))
        return [
            self.define("LLVM_DIR", join_path(llvm, "lib", "cmake", "llvm")),
            self.define("Clang_DIR", join_path(llvm, "lib", "cmake", "clang")),
            self.define("SENDWRIGHT_CLANG", major),
            self.define("SENDWRIGHT_DEFAULTS_ONLY", True),
            self.define("SENDWRIGHT_BUILD_TESTS", False),
            self.define("SENDWRIGHT_D3", join_path(d3, "dist", "d3.min.js")),
            self.define("SENDWRIGHT_D3_LICENCE", join_path(d3, "LICENSE")),
            self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc),
        ]

    def setup_run_environment(self, env):
        env.set("OMPI_CC", self.spec["llvm"].prefix.bin.clang)
        env.set("MPICH_CC", self.spec["llvm"].prefix.bin.clang)
        env.set("OMPI_CXX", join_path(self.spec["llvm"].prefix.bin, "clang++"))
        env.set("MPICH_CXX", join_path(self.spec["llvm"].prefix.bin, "clang++"))
