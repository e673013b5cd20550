# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Arrays whose distribution is changed by `#pragma hpf` directives. Compiled without the plugin
# (-DWITHOUT_PLUGIN), the program moves the elements itself.

from handwritten import HandwrittenPhase

# The words of the directive, and the equivalent for redistribute_by_hand(); {n} is the number of
# the distribution.
FORMATS = [("gen_block(sizes{n})", "GEN_BLOCK, 0"), ("gen_block(sizes{n})", "GEN_BLOCK, 0"),
           ("gen_block(sizes{n})", "GEN_BLOCK, 0"), ("block", "BLOCK, 0"), ("cyclic", "CYCLIC_OF, 1"),
           ("cyclic(3)", "CYCLIC_OF, 3"), ("block({most})", "BLOCK_OF, {most}")]
ELEMENTS = ["unsigned", "double", "unsigned char", "unsigned long long"]
MOST = "(extent + size - 1) / size + 1"


class Redistributions(HandwrittenPhase):
    kind = "redistribution"
    communicators = ("world", "world", "duplicate", "backward", "row", "split", "fresh", "idup", "part")

    def choose(self):
        rng = self.rng
        self.formats = [rng.choice(FORMATS) for _ in range(rng.randint(2, 4))]
        self.elements = [rng.choice(ELEMENTS) for _ in range(rng.choice([1, 1, 2]))]
        self.extent = rng.choice(["size", "37 + iteration", "500", "20000"])
        self.schedule = rng.choice(["", "", "asynchronous", "optimal", "mlc", "tpdr", "auto"])
        self.changing = rng.random() < 0.5
        self.upper_case = rng.random() < 0.2

    def details(self):
        return f"{self.extent} elements of {' and '.join(self.elements)}, " + \
            ", ".join(words.format(n="", most="most") for words, _ in self.formats)

    def names(self):
        return [f"A{self.number}", f"B{self.number}"][:len(self.elements)]

    def directive(self, words):
        return "#pragma hpf " + (words.split(" ", 1)[0].upper() + " " + words.split(" ", 1)[1]
                                 if self.upper_case else words)

    def format(self, index):
        words = self.formats[index][0].format(n=index, most="most")
        return words

    def moves(self):
        names, several = self.names(), len(self.names()) > 1
        processors = f"P{self.number}"
        declared = [self.directive(f"processors {processors}(size) comm(comm)")]
        distribute = f"distribute ({self.format(0)}) onto {processors} extent(extent) :: {', '.join(names)}" \
            if several else f"distribute {names[0]}({self.format(0)}) onto {processors} extent(extent)"
        declared += [self.directive(distribute), self.directive(f"dynamic {', '.join(names)}")]
        moves = []
        for index in range(1, len(self.formats)):
            schedule = f" schedule({self.schedule})" if self.schedule else ""
            words = f"redistribute ({self.format(index)}){schedule} :: {', '.join(names)}" if several else \
                f"redistribute {names[0]}({self.format(index)}){schedule}"
            moves.append((self.directive(words), [
                f"{name} = ({element} *)redistribute_by_hand({name}, sizeof *{name}, &d[{index - 1}], &d[{index}], "
                "comm);" for name, element in zip(names, self.elements)]))
        return declared, moves

    def body(self):
        declared, moves = self.moves()
        count = len(self.formats)
        key = f"mix(run->seed, {self.number * 10} + k" + (" + (unsigned)iteration * 100)" if self.changing else ")")
        lines = [f"const int extent = {self.extent}, most = {MOST};", "(void)most;",
                 f"struct distribution d[{count}] = {{"
                 + ", ".join("{" + by_hand.format(most="most") + ", size, extent, NULL}"
                             for _, by_hand in self.formats) + "};",
                 f"for (int k = 0; k < {count}; k++)\n  d[k].sizes = random_sizes({key}, size, extent);"]
        lines += [f"const int *sizes{k} = d[{k}].sizes;\n(void)sizes{k};" for k in range(count)]
        lines.append("const int items = distributed_items(&d[0], me);")
        for name, element in zip(self.names(), self.elements):
            lines.append(f"{element} *{name} = ({element} *)malloc((items + 1) * sizeof "
                         f"*{name});\nfor (int i = 0; i < items; i++)\n"
                         f"  {name}[i] = ({element})(mix(phase_key(run, {self.number}, 1) + me, i) % 251);")
        lines.append("#ifndef WITHOUT_PLUGIN\n" + "\n".join(declared) + "\n#endif")
        for index, (directive, by_hand) in enumerate(moves, 1):
            lines.append("#ifndef WITHOUT_PLUGIN\n" + directive + "\n#else\n" + "\n".join(by_hand) + "\n#endif")
            lines += [f"phase_take(run, {self.number}, {name}, distributed_items(&d[{index}], me) * sizeof *{name});"
                      for name in self.names()]
        lines += [f"free({name});" for name in self.names()]
        lines.append(f"for (int k = 0; k < {count}; k++)\n  free(d[k].sizes);")
        return "\n".join(lines)
