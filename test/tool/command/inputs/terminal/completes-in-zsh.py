# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types lines with tabs into a zsh on a terminal, and prints what zsh made of each line in brackets.

completes-in-zsh.py FOLDER, the folder that holds the completion
"""

import os
import pty
import re
import select
import sys
import time


def read_until(terminal, pattern):
    text, end = "", time.time() + 20
    while not re.search(pattern, text):
        ready, _, _ = select.select([terminal], [], [], end - time.time())
        assert ready, text
        text += os.read(terminal, 4096).decode(errors="replace")
    return re.search(pattern, text).group(1)


process, terminal = pty.fork()
if process == 0:
    os.environ["TERM"] = "dumb"
    os.execvp("zsh", ["zsh", "-f", "-i"])
start = (f"fpath=({sys.argv[1]} $fpath); autoload -Uz compinit; compinit -D -u; setopt no_beep no_prompt_cr no_prompt_sp; "
         "PROMPT=; show-line() { zle -I; print -r -- \"[$BUFFER]\"; BUFFER= }; zle -N show-line; bindkey '^X' show-line; "
         "print -r -- re''ady\n")
os.write(terminal, start.encode())
read_until(terminal, r"(ready)\s")
for line in ("sendwright trace mat\t--si\t", "sendwright plan --choose re\t", "sendwright show tra\t"):
    os.write(terminal, line.encode() + b"\x18")
    print("[" + read_until(terminal, r"\[(sendwright[^\]]*)\]").rstrip() + "]")
os.close(terminal)
os.waitpid(process, 0)
