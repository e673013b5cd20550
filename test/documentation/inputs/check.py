"""check.py TOP SENDWRIGHT: checks that everything the documentation names exists: files and
folders, links and their anchors, commands of sendwright and scripts of the tree with their options,
arguments of the plugin, environment variables. Prints one line for each that does not."""
import re
import subprocess
import sys
from pathlib import Path

TOP, SENDWRIGHT = Path(sys.argv[1]), sys.argv[2]
PAGES = [TOP / "README.md", TOP / "CONTRIBUTING.md", *sorted((TOP / "docs").rglob("*.md")),
         *sorted((TOP / "examples").glob("*/README.md")), *sorted((TOP / "test").glob("*/README.md"))]
FOLDERS = ("analysis", "cmake", "docs", "examples", "runtime", "test", "tool")
problems = []


def anchors(page):
    """The anchors that GitHub makes of headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_links(page, text):
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("http"):
            continue
        file, _, anchor = target.partition("#")
        linked = (page.parent / file).resolve() if file else page
        if not linked.exists():
            yield f"links to {target}, which does not exist"
        elif anchor and anchor not in anchors(linked):
            yield f"links to {target}, but there is no such heading"


def check_paths(text):
    """Names that begin with a folder of the tree, perhaps without an ending; a * matches
    anything."""
    for name in re.findall(rf"(?<![\w/.$-])((?:{'|'.join(FOLDERS)})/[\w./*{{}},+-]*)", text):
        name = name.rstrip(".,")
        choices = re.search(r"\{(.*?)\}", name)
        names = [name.replace(choices[0], one) for one in choices[1].split(",")] if choices else [name]
        for one in names:
            if not list(TOP.glob(one.rstrip("/"))) and not list(TOP.glob(one + ".*")):
                yield f"names {one}, which does not exist"


def quotations(text):
    """The text between backquotes and in blocks of code, line by line."""
    text = text.replace("\\\n", " ")
    quoted = re.findall(r"`([^`]*)`", text) + re.findall(r"^(?: {4,}|\t)(.*)$", text, re.MULTILINE)
    return [" ".join(line.split()) for line in quoted]


def check_scripts(text):
    """Whether an option of a script occurs in it, or in another script of its folder."""
    for line in quotations(text):
        for script, words in re.findall(r"((?:test|examples)/[\w/-]+) (-[^#|;&]*)", line):
            if not (TOP / script).is_file():
                continue
            known = "".join(file.read_text(errors="replace") for file in (TOP / script).parent.iterdir()
                            if file.is_file() and file.suffix in ("", ".py"))
            for option in re.findall(r"(?<!\S)--?[a-z][a-z-]*", words):
                if option not in known:
                    yield f"`{script} {words}`: there is no option {option}"


def check_arguments(text):
    known = (TOP / "tool" / "unit" / "Options.cpp").read_text()
    for name in sorted(set(re.findall(r"-fplugin-arg-sendwright-([a-z-]*[a-z])", text))):
        if f'"{name}' not in known:
            yield f"names the plugin's argument {name}, which is not known"


def help_of(words, known={}):
    key = tuple(words)
    if key not in known:
        done = subprocess.run([SENDWRIGHT, *words, "--help"], capture_output=True, text=True)
        known[key] = done.stdout if done.returncode == 0 else ""
    return known[key]


def check_commands(text):
    """Quoted calls of sendwright, up to the end of the quotation, a comment or a pipe."""
    for line in quotations(text):
        for call in re.findall(r"(?:^|[\s/$])sendwright ((?:[a-z][a-z-]* ?)+[^#|;&]*)", line):
            words = call.split()
            if words[0] in ("trace", "analyze") and len(words) > 1 and re.fullmatch("[a-z]+", words[1]):
                command, rest = words[:2], words[2:]
            else:
                command, rest = words[:1], words[1:]
            shown = help_of(command)
            if not shown:
                yield f"`sendwright {call}`: there is no such command"
                continue
            if "--" in rest:
                rest = rest[:rest.index("--")]
            for option in rest:
                option = option.strip("()[],.:").split("=")[0]
                if re.fullmatch(r"--?[a-z][a-z-]*", option) and command != ["calibrate"] and \
                        not re.search(rf"(?<![\w-]){option}(?![\w-])", shown):
                    yield f"`sendwright {call}`: there is no option {option}"


def sources():
    for folder in ("analysis", "runtime", "tool", "cmake", "test", "examples"):
        for file in (TOP / folder).rglob("*"):
            if file.is_file() and file.suffix in (".cpp", ".h", ".py", ".txt", ".cmake", ".in", ".c", ""):
                yield file


def check_variables(text, known):
    for name in sorted(set(re.findall(r"\bSENDWRIGHT_[A-Z_]+[A-Z]\b", text))):
        if name not in known:
            yield f"names {name}, which nothing knows"


known = set()
for source in sources():
    known.update(re.findall(r"\bSENDWRIGHT_[A-Z_]+[A-Z]\b", source.read_text(errors="replace")))
for page in PAGES:
    text = page.read_text()
    for problem in [*check_links(page, text), *check_paths(text), *check_commands(text),
                    *check_scripts(text), *check_arguments(text), *check_variables(text, known)]:
        problems.append(f"{page.relative_to(TOP)}: {problem}")
print("\n".join(problems))
sys.exit(bool(problems))
