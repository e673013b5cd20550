# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forwarders for the entry points of the Fortran libraries."""

import os
import re
import subprocess

from MpiHeader import exported
from WrapperRoles import emit

# Fortran functions without wrappers: MPI_Wtime and MPI_Wtick return a double and depend on nothing;
# MPI_Sizeof computes a constant; predefined callbacks are known by their addresses.
FORTRAN_UNWRAPPED = re.compile(r"mpi_(wtime|wtick|sizeof_\w+|\w+_fn|conversion_fn_null)(_f08)?_$")
FORTRAN_PARAMETERS = 16


def fortran_entry_points(libraries, nm):
    """Entry points mpi_x_ and mpi_x_f08_, each with its profiling twin: pmpi_x_, or pmpir_x_f08_."""
    symbols = exported(libraries, nm)
    twins = {}
    for name in sorted(symbols):
        if re.fullmatch(r"mpi_\w*[a-z0-9]_", name) and not FORTRAN_UNWRAPPED.match(name):
            for twin in ("p" + name, "pmpir_" + name.removeprefix("mpi_")):
                if twin in symbols:
                    twins[name] = twin
    return twins


def sonames(libraries, readelf):
    """The names by which the dynamic linker knows the libraries."""
    found = []
    for library in libraries:
        text = subprocess.run([readelf, "-d", library], capture_output=True, text=True, check=True).stdout
        match = re.search(r"\(SONAME\).*\[(.*)\]", text)
        found.append(match.group(1) if match else os.path.basename(library))
    return found


def fortran_text(twins, freeing, forgetting, libraries):
    """`freeing`, `forgetting`: names without mpi_ of what frees communicators, or changes their error handlers."""
    out = ["// Generated from the Fortran libraries of this MPI by GenerateWrappers.py.", "",
           '#include "runtime/start/FortranForwarding.h"', "",
           "const char *const sendwright::fortranLibraries[] = {",
           *(f'    "{library}",' for library in libraries), "    nullptr};", "", 'extern "C" {', ""]
    parameters = ", ".join(f"void *a{i}" for i in range(FORTRAN_PARAMETERS))
    arguments = ", ".join(f"a{i}" for i in range(FORTRAN_PARAMETERS))
    for name, twin in twins.items():
        plain = re.sub(r"(_f08(ts)?(_large)?)?_$", "", name).removeprefix("mpi_")
        before, after = "sendwright::beforeFortranCall()", None
        if plain in ("init", "init_thread"):
            before, after = None, "sendwright::beginLifecycle(true)"
        elif plain == "finalize":
            before = "sendwright::endLifecycle()"
        elif plain == "abort":
            before = None
        elif plain in freeing:
            before = "sendwright::beforeFortranFrees(static_cast<const MPI_Fint *>(a0))"
        elif plain in forgetting:
            before = "sendwright::beforeFortranForgets(static_cast<const MPI_Fint *>(a0))"
        body = ["static std::atomic<sendwright::FortranFunction> target{nullptr};"]
        if before:
            body.append(before + ";")
        call = f'sendwright::callFortran(target, "{name}", "{twin}", {arguments})'
        body += [f"const std::intptr_t result = {call};", after + ";", "return result;"] if after \
            else [f"return {call};"]
        emit(out, f'__attribute__((visibility("default"))) std::intptr_t {name}({parameters})', body)
    out += ["}", ""]
    return "\n".join(out)
