# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks the recipes of cmake/packaging without Spack and EasyBuild: that they are Python, have what
# these tools require, call only what these tools have, and name files and options that exist.
#
#   check-recipes.py SOURCE_ROOT

import ast
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
packaging = root / "cmake" / "packaging"
listing = (root / "CMakeLists.txt").read_text()
version = re.search(r"VERSION (\d+\.\d+\.\d+)", listing)[1]
# Every option and variable that our CMake files read.
known = set(re.findall(r"\b(?:SENDWRIGHT|LLVM|Clang|MPI)_\w+", "".join(
    path.read_text() for path in [root / "CMakeLists.txt", *root.glob("cmake/*.cmake"), *root.glob("*/CMakeLists.txt")])))


def expect(holds, what):
    if not holds:
        sys.exit(f"error: {what}")


def check_variables(text, path):
    for name in set(re.findall(r"(?:-D|define\(\")((?:SENDWRIGHT|LLVM|Clang|MPI)_\w+)", text)):
        expect(name in known, f"{path.name}: {name} is no variable of our CMake files")


def check_spack(path):
    tree = ast.parse(path.read_text())
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    # Spack derives the name of the class from that of the folder.
    expect([node.name for node in classes] == [path.parent.name.title()], f"{path.name}: one class, named by its folder")
    recipe = classes[0]
    expect([base.id for base in recipe.bases] == ["CMakePackage"], f"{path.name}: based on CMakePackage")
    expect(ast.get_docstring(recipe), f"{path.name}: has a description")
    fields = {target.id for node in recipe.body if isinstance(node, ast.Assign) for target in node.targets}
    expect("homepage" in fields, f"{path.name}: has a homepage")
    calls = [node.value for node in recipe.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    directives = {"license", "version", "variant", "resource", "depends_on", "generator", "conflicts", "requires"}
    for call in calls:
        expect(call.func.id in directives, f"{path.name}: {call.func.id} is no directive")
    versions = [call.args[0].value for call in calls if call.func.id == "version"]
    expect(version in versions, f"{path.name}: has version {version}")
    variants = {call.args[0].value for call in calls if call.func.id == "variant"}
    for call in calls:
        for keyword in call.keywords:
            if keyword.arg == "when":
                expect(keyword.value.value.strip("+~ ") in variants, f"{path.name}: no variant {keyword.value.value}")
            if keyword.arg == "sha256":
                expect(re.fullmatch("[0-9a-f]{64}", keyword.value.value), f"{path.name}: a checksum has 64 digits")
    for need in ("c", "cxx", "cmake", "mpi", "llvm"):
        expect(any(call.func.id == "depends_on" and re.match(rf"{need}\b", call.args[0].value) for call in calls),
               f"{path.name}: depends on {need}")
    methods = {node.name for node in recipe.body if isinstance(node, ast.FunctionDef)}
    expect("cmake_args" in methods, f"{path.name}: has cmake_args()")
    check_variables(path.read_text(), path)
    print(f"{path.name}: class {recipe.name}")


def check_easybuild(path):
    fields = {}
    exec(compile(path.read_text(), path, "exec"), fields)  # an easyconfig is Python that sets fields
    fields.pop("__builtins__")
    parameters = {"easyblock", "name", "version", "homepage", "description", "toolchain", "source_urls", "sources",
                  "checksums", "builddependencies", "dependencies", "configopts", "sanity_check_paths",
                  "sanity_check_commands", "moduleclass"}
    expect(set(fields) <= parameters, f"{path.name}: no parameters {set(fields) - parameters}")
    mandatory = {"name", "version", "homepage", "description", "toolchain", "easyblock", "moduleclass"}
    expect(mandatory <= set(fields), f"{path.name}: lacks {mandatory - set(fields)}")
    chain = fields["toolchain"]
    expect(path.stem == f"{fields['name']}-{fields['version']}-{chain['name']}-{chain['version']}",
           f"{path.name}: is named by name, version and toolchain")
    expect(fields["version"] == version, f"{path.name}: has version {version}")
    expect(len(fields["checksums"]) == len(fields["sources"]), f"{path.name}: a checksum for each source")
    for dependency in fields["dependencies"] + fields["builddependencies"]:
        expect(isinstance(dependency, tuple) and 2 <= len(dependency) <= 4, f"{path.name}: {dependency}")
    expect(set(fields["sanity_check_paths"]) == {"files", "dirs"}, f"{path.name}: sanity_check_paths")
    check_variables(fields["configopts"], path)
    print(f"{path.name}: {fields['name']} {fields['version']}")


check_spack(packaging / "spack" / "sendwright" / "package.py")
for recipe in sorted((packaging / "easybuild").glob("*.eb")):
    check_easybuild(recipe)
