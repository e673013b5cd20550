# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One phase of a program: an exchange whose parts are chosen at random within what MPI allows. No
# phase relies on buffering by MPI: a blocking send has its receive posted before, or is part of an
# order of sends and receives that all ranks share. In programs that must rely on buffering, all
# ranks do blocking sends before they receive.

import random

import loops
import receives
from communicators import COMMUNICATORS


class Phase:
    """Chooses everything in the constructor; code() and the other texts follow from it."""

    kind = "exchanges"

    def __init__(self, number, rng, cxx, other_cxx, change, relying=False):
        self.relying = relying
        self.number, self.rng, self.cxx, self.other_cxx = number, rng, cxx, other_cxx
        self.change = change
        self.functions, self.header, self.other = [], [], []
        self.flags = set()
        self.choose_receives()
        self.choose_mode()
        self.choose_shape()
        self.choose_contents()
        self.choose_requests()
        self.choose_exit()
        self.choose_rest()
        self.choose_tags()

    # What fits together.

    def choose_receives(self):
        rng = self.rng
        self.style = rng.choices(["posted", "after", "paired", "interleaved", "polling"],
                                 [2, 8, 1, 1, 0] if self.relying else [6, 3, 1, 1, 1])[0]
        kinds = {"posted": receives.POSTED, "after": receives.AFTER, "polling": ("any", "probe", "improbe"),
                 "paired": ("waitall", "waitany", "waitsome", "each"), "interleaved": ("none",)}
        self.receive = rng.choice(kinds[self.style])
        wildcard = self.receive in receives.FROM_ANY
        self.any_tag = self.style not in ("paired", "interleaved") and rng.random() < 0.3
        self.tag = "MPI_ANY_TAG" if self.any_tag else "x->receive[i].tag"
        if wildcard and not self.any_tag:
            self.flags.add("ITERATION_TAG")
            self.tag = f"{self.number * 100 + 10} + x->iteration"
        elif rng.random() < 0.5:
            self.flags.add("TAGS")
        self.last_barrier = wildcard and self.any_tag

    def choose_tags(self):
        """Draws from numbers of its own, so that all else of a seed's program stays as it was."""
        own = random.Random(f"tags {self.number} {self.rng.getstate()[1][:2]}")
        if "ITERATION_TAG" not in self.flags and own.random() < 0.3:
            self.flags.add("MOVING_TAGS")

    def choose_mode(self):
        rng = self.rng
        self.ready = self.style == "posted" and rng.random() < 0.15
        if self.ready:
            pool = [["Rsend"], ["Irsend"], ["Rsend", "Irsend"], ["Rsend", "Send"], ["Rsend_init"]]
        elif self.style in ("posted", "paired"):
            pool = [["Send"]] * 4 + [["Isend"]] * 4 + [
                ["Ssend"], ["Bsend"], ["Issend"], ["Ibsend"], ["Send", "Isend"], ["Ssend", "Isend"],
                ["Send", "Issend"], ["Bsend", "Isend"], ["Send", "Ssend"], ["Isend", "Issend"],
                ["Send_init"], ["Ssend_init"], ["Bsend_init"], ["Send", "Bsend"]]
        elif self.relying and self.style == "after":
            pool = [["Send"]] * 3 + [["Send", "Isend"], ["Send", "Ibsend"], ["Isend"]]
        elif self.style == "interleaved":
            pool = [["Send"], ["Send"], ["Isend"], ["Bsend"], ["Ssend"], ["Send", "Isend"]]
        else:
            pool = [["Isend"]] * 4 + [["Issend"], ["Ibsend"], ["Bsend"], ["Bsend", "Isend"],
                                      ["Isend", "Issend"], ["Send_init"], ["Ssend_init"],
                                      ["Bsend_init"]]
        self.modes = rng.choice(pool)
        self.persistent = self.modes[0].endswith("_init")
        self.blocking = all(mode in loops.BLOCKING for mode in self.modes)
        self.buffered = any("bsend" in mode.lower() for mode in self.modes)

    def choose_shape(self):
        rng = self.rng
        special = {"paired": loops.PAIRED, "interleaved": loops.INTERLEAVED}
        usable = [s for s in loops.shapes() if self.cxx or not s.cxx]
        self.shape = special.get(self.style) or rng.choice(usable)
        self.flags.update(self.shape.flags)
        in_order = not self.flags & {"GROUPED", "REVERSED"} and self.style != "paired"
        if in_order and self.style != "interleaved" and rng.random() < 0.4:
            self.flags.add("BY_SOURCE")
        for flag, chance in (("SKIP_EMPTY", 0.3), ("LOCAL_SELF", 0.25), ("SIZES_VARY", 0.4)):
            if rng.random() < chance:
                self.flags.add(flag)
        if not self.flags & {"SINGLE", "GROUPED"} and rng.random() < 0.2:
            self.flags.add("NULLS")
        if "LOCAL_SELF" not in self.flags and rng.random() < 0.3:
            self.flags.add("NO_SELF")

    def choose_contents(self):
        self.wait_inside = self.style == "posted" and not self.blocking and \
            not self.persistent and self.rng.random() < 0.12
        done_at_once = self.blocking or self.wait_inside
        usable = [c for c in loops.contents()
                  if (self.cxx or not c.cxx) and (done_at_once or not c.reused)
                  and (self.shape.list_order or not c.list_order)
                  and not (c.slots and (self.style != "posted" or self.blocking
                                        or self.wait_inside or self.persistent))
                  and not (c.type != "MPI_UNSIGNED" and self.buffered)]
        self.contents = self.rng.choice(usable)
        self.flags.update(self.contents.flags)

    def choose_requests(self):
        rng = self.rng
        self.request, self.request_kind = None, None
        if not self.blocking:
            kinds = ["counter", "counter", "local counter", "copied"]
            if self.shape.index:
                kinds.append("by index")
            if self.cxx:
                kinds.append("push back")
            if self.style in ("posted", "paired") and not self.persistent:
                kinds.append("freed")
            if self.wait_inside:
                kinds = ["waited"]
            if self.contents.slots:
                kinds = ["slots"]
            if self.persistent:
                kinds = ["counter", "by index"] if self.shape.index else ["counter"]
            self.request_kind = rng.choice(kinds)
            self.request = loops.REQUESTS[self.request_kind]
        # Persistent sends; starting all of them at the end would start a reversed list in the wrong
        # order.
        self.start_at_once = rng.random() < 0.5 or self.shape.name == "reverse"
        self.start_all = self.persistent and not self.start_at_once and \
            self.request_kind == "counter" and rng.random() < 0.5

    def choose_exit(self):
        rng = self.rng
        self.exit = "natural"
        if self.shape.sentinel and rng.random() < 0.45:
            self.exit = rng.choice(["break", "goto", "return", "throw", "longjmp"])
        epilogue = self.contents.epilogue or (self.request and self.request[4]) or \
            (self.persistent and not self.start_at_once)
        if self.exit == "throw" and not self.cxx:
            self.exit = "break"
        if self.exit in ("return", "longjmp") and epilogue:
            self.exit = "break"
        if self.exit == "longjmp" and self.cxx:
            self.exit = "goto"
        places = ["inline", "inline", "static"]
        if self.cxx:
            places += ["method", "lambda", "template"]
        if (self.other_cxx or not self.needs_cxx()) and self.exit not in ("throw", "longjmp"):
            places.append("other")
        if self.exit == "return":
            places.remove("inline"), places.remove("inline")
        self.place = rng.choice(places)
        self.caught_outside = self.exit == "throw" and not epilogue and self.place != "inline" \
            and rng.random() < 0.5

    def needs_cxx(self):
        return self.shape.cxx or self.contents.cxx or self.request_kind == "push back" or \
            any(kind[1] for kind in [self.choose_call()])

    def choose_call(self):
        if not hasattr(self, "call"):
            usable = [c for c in loops.CALLS if self.cxx or not c[1]]
            if self.persistent:
                usable = loops.CALLS[:1]
            self.call = self.rng.choice(usable)
        return self.call

    def choose_rest(self):
        rng = self.rng
        self.choose_call()
        self.guard_style = rng.choice(["continue", "wrapped"])
        if self.contents.list_order:
            self.guard_style = "continue"
        self.extra = rng.choice(loops.EXTRAS) if rng.random() < 0.3 else ""
        if "Testany" in self.extra and (self.blocking or self.persistent
                                        or self.receive == "combined"):
            self.extra = ""
        if "Sendrecv" in self.extra and self.any_tag:
            self.extra = ""
        self.extra_first = rng.random() < 0.5
        self.collective = rng.choice(loops.COLLECTIVES) \
            if self.shape.steps and rng.random() < 0.4 and self.style == "posted" else ""
        kinds = list(COMMUNICATORS)
        if self.style != "posted" or self.last_barrier or self.request_kind == "freed":
            kinds.remove("freed early")
        self.communicator = rng.choice(kinds + ["world"] * 4)
        self.density = rng.choice([15, 40, 70, 100])
        self.largest = rng.choice([1, 4] if self.relying else [1, 8, 50])  # what MPI buffers
        self.epoch = rng.choice(["0", f"iteration >= {self.change}", "iteration % 2", "iteration"])
        self.complete_first = self.style == "posted" and rng.random() < 0.3
        # Only static variables survive longjmp.
        self.split = rng.random() < 0.5 or self.exit == "longjmp"
        single = not (self.buffered or self.request_kind == "freed" or self.any_tag)
        self.may_overlap = self.split and self.style == "posted" and single
        self.may_hold = self.split and single and self.receive != "combined" and \
            not self.blocking and not self.persistent

    # The text.

    def expand(self, text):
        shape = self.shape
        for name, value in (("{advance}", self.contents.advance), ("{peer}", shape.peer),
                            ("{tag}", shape.tag), ("{offset}", shape.offset), ("{key}", shape.key),
                            ("{count}", shape.count),
                            ("{index}", shape.index or "0"), ("{steps}", shape.steps or "0"),
                            ("{N}", "x->sends" if self.exit == "natural" else "x->sends + 1")):
            text = text.replace(name, value)
        return text

    def send(self, mode):
        """One MPI call in the chosen spelling."""
        c = self.contents
        arguments = f"{c.pointer}, {c.count}, {c.type}, {{peer}}, {{tag}}, x->comm"
        if mode not in loops.BLOCKING:
            _, before, argument, after, _ = self.request
            arguments += ", " + argument
        call = self.call[0]
        if call.startswith("CHECK"):
            text = f"CHECK({call[6:] or 'MPI_'}{mode}({arguments}));"
        else:
            text = f"{call}{mode}({arguments});"
        if mode in loops.BLOCKING:
            return text
        if self.persistent and self.start_at_once:
            after = "MPI_Start(" + argument.replace("++", " - 1") + ");"
        return f"{before} {text} {after}"

    def body(self):
        shape, c = self.shape, self.contents
        lines = []
        if self.exit != "natural":
            leave = {"break": "break;", "goto": f"goto done_{self.number};", "return": "return;",
                     "throw": "throw EndOfMessages();",
                     "longjmp": f"longjmp(escape_{self.number}, 1);"}[self.exit]
            lines.append(f"if ({{peer}} == NO_MESSAGE) {leave}")
        if self.extra and self.extra_first:
            lines.append("{ " + self.extra + " }")
        if self.style == "polling":
            lines.append(receives.POLL.replace("{tag}", self.tag))
        guards = {"SKIP_EMPTY": "{count} == 0", "LOCAL_SELF": "{peer} == x->me"}
        active = [flag for flag in ("LOCAL_SELF", "SKIP_EMPTY") if flag in self.flags]
        calls = [self.send(mode) for mode in self.modes]
        call = calls[0]
        if len(calls) == 2:
            condition = f"{shape.index} % 2" if shape.index and self.largest == 8 else "{count} > 4"
            call = f"if ({condition}) {{ {calls[0]} }} else {{ {calls[1]} }}"
        core = f"{c.fill}\n{call}\n{c.post} {c.advance}"
        if "LOCAL_SELF" in active:
            take = "take_locally(x, {count}, {key});"
            # An empty message to oneself is also received locally, whatever SKIP_EMPTY says.
            if self.guard_style == "wrapped":
                core = f"if ({{peer}} == x->me) {{ {take} }} else {{ CORE }}".replace(
                    "CORE", self.wrap_empty(core))
            else:
                lines.append(f"if ({guards['LOCAL_SELF']}) {{ {take} {c.advance} {shape.skip} }}")
        elif self.guard_style == "wrapped":
            core = self.wrap_empty(core)
        if "SKIP_EMPTY" in active and self.guard_style == "continue":
            lines.append(f"if ({guards['SKIP_EMPTY']}) {shape.skip}")
        lines.append(core)
        if self.extra and not self.extra_first:
            lines.append("{ " + self.extra + " }")
        return "\n".join(lines)

    def wrap_empty(self, core):
        return f"if ({{count}} > 0) {{ {core} }}" if "SKIP_EMPTY" in self.flags else core

    def loop(self):
        """The send loop, with the text before and after it."""
        lines = list(self.shape.pre) + list(self.contents.pre)
        if self.request:
            lines += self.request[0]
        nonblocking = ", MPI_Request *request"
        for mode in self.modes:
            blocking = mode in loops.BLOCKING
            types = "int, MPI_Datatype, int, int, MPI_Comm"
            types += "" if blocking else ", MPI_Request *"
            if self.call[0] == "pointer_":
                lines.append(f"int (*pointer_{mode})(const void *, {types}) = MPI_{mode};")
            if self.call[0] == "lambda_":
                last = "" if blocking else nonblocking
                lines.append(
                    f"auto lambda_{mode} = [&](const void *buffer, int count, MPI_Datatype type, "
                    f"int peer, int tag, MPI_Comm comm{last}) {{ return MPI_{mode}(buffer, count, "
                    f"type, peer, tag, comm{'' if blocking else ', request'}); }};")
        if self.call[0] == "channel.":
            lines.append("Channel channel;")
        text = ""
        for opening in self.shape.opens:
            head = "{ " + self.collective + " }\n" if self.collective else ""
            text += f"{opening.replace('{HEAD}', head)}\n{self.body()}\n{self.shape.close}\n"
        if self.exit == "throw" and not self.caught_outside:
            text = f"try {{\n{text}}} catch (const EndOfMessages &) {{\n}}\n"
        if self.exit == "goto":
            text += f"done_{self.number}:;\n"
        lines.append(text)
        if self.call[0] == "channel.":
            lines.append("x->run->work += channel.messages;")
        if self.start_all:
            lines.append("MPI_Startall(x->request_count, x->requests);")
        elif self.persistent and not self.start_at_once:
            lines.append("for (int r = 0; r < x->request_count; r++) "
                         "if (x->requests[r] != MPI_REQUEST_NULL) MPI_Start(&x->requests[r]);")
        lines += list(self.contents.epilogue) + (list(self.request[4]) if self.request else [])
        return self.expand("\n".join(lines))

    def placed_loop(self):
        """Puts the loop into the kind of function that was chosen; returns the text of its call."""
        name, loop = f"send_messages_{self.number}", self.loop()
        jumps = f"if (setjmp(escape_{self.number}) == 0)" if self.exit == "longjmp" else ""
        if jumps:
            self.functions.append(f"#include <setjmp.h>\nstatic jmp_buf escape_{self.number};")
        if self.place == "inline":
            return f"{jumps} {{\n{loop}\n}}"
        call = f"{jumps} {name}(x);"
        if self.place == "static":
            self.functions.append(f"static void {name}(struct exchange *x) {{\n{loop}\n}}")
        elif self.place == "other":
            self.header.append(f"PLAIN_C void {name}(struct exchange *x);")
            self.other.append(f"void {name}(struct exchange *x) {{\n{loop}\n}}")
        elif self.place == "method":
            self.functions.append(f"class Sender_{self.number} {{\npublic:\n"
                                  f"explicit Sender_{self.number}(struct exchange *e) : x(e) {{}}\n"
                                  f"void run() {{\n{loop}\n}}\nprivate:\nstruct exchange *x;\n}};")
            call = f"Sender_{self.number}(x).run();"
        elif self.place == "lambda":
            call = f"auto {name} = [&]() {{\n{loop}\n}};\n{name}();"
        else:
            self.header.append(
                f"#ifdef __cplusplus\n#include <algorithm>\n#include <map>\n#include <vector>\n"
                f"template <typename Exchange, int Parity> void {name}(Exchange *x) {{\n"
                f"x->run->work += Parity;\n{loop}\n}}\n#endif")
            call = (f"if (x->iteration % 2) {name}<struct exchange, 1>(x); "
                    f"else {name}<struct exchange, 0>(x);")
        if self.caught_outside:
            call = f"try {{\n{call}\n}} catch (const EndOfMessages &) {{\n}}"
        return call

    def completion(self):
        if self.blocking or self.request_kind in ("waited", "slots"):
            return ""
        if self.request_kind == "freed":  # its messages have arrived when all ranks are here
            return "MPI_Barrier(x->comm);"
        if self.request_kind == "copied":
            return self.rng.choice(receives.PENDING)
        if self.persistent:
            return """MPI_Waitall(x->request_count, x->requests, MPI_STATUSES_IGNORE);
for (int i = 0; i < x->request_count; i++)
  if (x->requests[i] != MPI_REQUEST_NULL)
    MPI_Request_free(&x->requests[i]);"""
        # If the loop has tested some requests, only ways that count the requests they complete.
        return self.rng.choice([text for text in receives.COMPLETIONS
                                if "Testany" not in self.extra or "mix(7" in text])

    def sections(self):
        """The phase as [begin and post, send, receive, complete and end]."""
        flags = " | ".join(sorted(self.flags)) or "0"
        text, freed = COMMUNICATORS[self.communicator]
        posts = ""
        if self.style == "posted":
            posts = receives.post(self.receive, self.tag)
            if self.ready:
                posts += "\nMPI_Barrier(x->comm);"
        if self.buffered:
            posts += "\nexchange_attach(x);"
        send = self.placed_loop()
        if self.communicator == "freed early":
            send += "\nMPI_Comm_free(&x->comm);\nx->free_comm = 0;"
        take = receives.finish(self.receive, self.tag) if self.receive != "none" else ""
        complete = self.completion()
        if self.complete_first and not (self.request_kind == "freed"):
            take, complete = complete + "\n" + take, ""
        if self.buffered:
            complete += "\nexchange_detach(x);"
        if self.last_barrier:
            complete += "\nMPI_Barrier(x->comm);"
        begin = (f"{text}\nif (exchange_begin(x, run, {self.number}, comm, {freed}, iteration, "
                 f"{self.epoch}, {flags}, {self.density}, {self.largest}))")
        return begin, posts, send, take, complete + "\nexchange_end(x);"

    def code(self):
        """Functions for the phase's own file. The main loop calls those that calls() names."""
        begin, posts, send, take, end = self.sections()
        number = self.number
        if not self.split:
            return "\n\n".join(self.functions + [
                f"PLAIN_C void phase_{number}(struct run *run, int iteration) {{\n"
                f"struct exchange exchange, *x = &exchange;\n{begin.replace('if (exchange', 'if (!exchange')}\n"
                f"return;\n{posts}\n{send}\n{take}\n{end}\n}}"])
        head = f"struct exchange *const x = &exchange_{number};\n"
        text = list(self.functions)
        text.append(f"static struct exchange exchange_{number};")
        text.append(f"PLAIN_C void phase_{number}_post(struct run *run, int iteration) {{\n{head}"
                    f"{begin} {{\n{posts}\n}}\n}}")
        for name, part in (("send", send), ("take", take), ("end", end)):
            text.append(f"PLAIN_C void phase_{number}_{name}(struct run *run, int iteration) {{\n"
                        f"{head}(void)run, (void)iteration;\nif (!x->active)\nreturn;\n{part}\n}}")
        return "\n\n".join(text)

    def describe(self):
        return (f"phase {self.number}: {' and '.join(self.modes)} by {self.call[0]}, loop over "
                f"{self.shape.name} in {self.place}, contents {self.contents.name}, requests "
                f"{self.request_kind}, exit {self.exit}, receives {self.style} {self.receive}, "
                f"communicator {self.communicator}")

    def calls(self):
        names = ("_post", "_send", "_take", "_end") if self.split else ("",)
        return [f"phase_{self.number}{name}" for name in names]
