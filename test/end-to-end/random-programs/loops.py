# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The shapes of send loops: how the loop runs over the messages, what it skips, where the contents
# come from, how MPI is called, where requests go, how the loop is left. Each is chosen
# independently; the tables say what fits together. The text works on `x`, a struct exchange
# (inputs/support.h).

BLOCKING = ("Send", "Ssend", "Bsend", "Rsend")


class Shape:
    """One way to run over the messages. Fields are C expressions of the current message."""

    def __init__(self, name, opens, fields, **options):
        self.name = name
        self.opens = opens  # text that opens the loop; several: the loop is written several times
        self.peer, self.tag, self.count, self.offset, self.key = fields
        self.pre = options.get("pre", [])
        self.close = options.get("close", "}")
        self.skip = options.get("skip", "continue;")
        self.index = options.get("index")  # index into the send list, where there is one
        self.cxx = options.get("cxx", False)
        self.flags = options.get("flags", [])
        self.sentinel = options.get("sentinel", False)  # can run on to the entry NO_MESSAGE
        self.list_order = options.get("list_order", True)
        self.steps = options.get("steps")  # counts to x->size on every rank


def members(prefix):
    return [prefix + name for name in ("peer", "tag", "count", "offset", "key")]


def shapes():
    item, pointer = members("x->send[i]."), members("m->")
    arrays = [f"x->{name}[i]" for name in ("peers", "tags", "counts", "offsets", "keys")]
    message = "const struct message *m = &x->send[i++];"
    vector = "std::vector<struct message> messages(x->send, x->send + {N});"
    value = members("m.")
    single = "int i = x->by_rank[peer]; if (i < 0) continue;"
    return [
        Shape("index", ["for (int i = 0; i < {N}; i++) {"], item, index="i", sentinel=True),
        Shape("alias", ["for (int i = 0; i < {N}; i++) { const struct message *m = &x->send[i];"],
              pointer, index="i", sentinel=True),
        Shape("arrays", ["for (int i = 0; i < {N}; ++i) {"], arrays, index="i", sentinel=True),
        Shape("local arrays", ["for (i = 0; i < {N}; i += 1) {"],
              ["peers[i]", "tags[i]", "counts[i]", "x->offsets[i]", "x->keys[i]"], index="i",
              sentinel=True, pre=["int i; const int *peers = x->peers, *tags = x->tags;",
                                  "const int *counts = x->counts;"]),
        Shape("pointer", ["for (const struct message *m = x->send; m < x->send + {N}; m++) {"],
              pointer, sentinel=True),
        Shape("reverse", ["for (int i = x->sends - 1; i >= 0; i--) {"], item, index="i",
              flags=["REVERSED"], list_order=False),
        Shape("while", ["while (i < {N}) { " + message], pointer, pre=["int i = 0;"],
              sentinel=True),
        Shape("do", ["if ({N} > 0) do { " + message], pointer, pre=["int i = 0;"],
              close="} while (i < {N});", sentinel=True),
        Shape("list", ["for (struct message *m = x->sends ? x->send : NULL; m; m = m->next) {"],
              pointer),
        Shape("halves", ["for (int half = 0; half < 2; half++)\n"
                         "for (int i = half * (x->sends / 2); "
                         "i < (half ? x->sends : x->sends / 2); i++) {"], item, index="i"),
        Shape("groups", ["for (int peer = 0; peer < x->size; peer++) {\n"
                         "for (int i = x->first[peer]; i < x->first[peer + 1]; i++) {"],
              ["peer"] + item[1:], close="} }", index="i", flags=["GROUPED"]),
        Shape("resumed", ["for (; i < x->sends; i++) { if (i == x->sends / 2) break;",
                          "for (; i < x->sends; i++) {"], item, pre=["int i = 0;"], index="i"),
        Shape("jumps", ["again: if (i < x->sends) { " + message], pointer, pre=["int i = 0;"],
              close="goto again; }", skip="goto again;"),
        Shape("dense", ["for (int peer = 0; peer < x->size; peer++) { {HEAD}" + single],
              ["peer"] + item[1:], index="i", flags=["SINGLE"], list_order=False, steps="peer"),
        Shape("arithmetic", ["for (int step = 0; step < x->size; step++) { {HEAD}"
                             "int i = x->by_rank[(x->me + step) % x->size]; if (i < 0) continue;"],
              ["(x->me + step) % x->size"] + item[1:], index="i", flags=["SINGLE"],
              list_order=False, steps="step"),
        Shape("vector", ["for (std::size_t i = 0; i < messages.size(); i++) {"],
              members("messages[i]."), pre=[vector], index="i", cxx=True, sentinel=True),
        Shape("iterator", ["for (auto m = messages.cbegin(); m != messages.cend(); ++m) {"],
              pointer, pre=[vector], cxx=True, sentinel=True),
        Shape("range", ["for (const struct message &m : messages) {"], value, pre=[vector],
              cxx=True, sentinel=True),
        Shape("range of values", ["for (auto m : messages) {"], value, pre=[vector], cxx=True,
              sentinel=True),
        Shape("map", ["for (const auto &entry : by_peer) {\nfor (const auto &m : entry.second) {"],
              ["entry.first"] + value[1:], close="} }", cxx=True, list_order=False,
              pre=["std::map<int, std::vector<struct message>> by_peer;",
                   "for (int i = 0; i < x->sends; i++)",
                   "  by_peer[x->send[i].peer].push_back(x->send[i]);"]),
        Shape("for_each", ["std::for_each(messages.begin(), messages.end(), "
                           "[&](const struct message &m) {"], value, pre=[vector], cxx=True,
              close="});", skip="return;"),
    ]


PAIRED = Shape(
    "paired", ["for (int step = 0; step < x->size; step++) {\n"
               "int source = (x->me - step + x->size) % x->size;\n"
               "for (int j = 0; j < x->receives; j++) if (x->receive[j].peer == source)\n"
               "MPI_Irecv(x->inbox + x->receive[j].offset, x->receive[j].count, MPI_UNSIGNED, "
               "source, x->receive[j].tag, x->comm, &x->receive_requests[j]);\n"
               "int i = x->by_rank[(x->me + step) % x->size]; if (i < 0) continue;"],
    ["(x->me + step) % x->size"] + members("x->send[i].")[1:], index="i", flags=["SINGLE"],
    list_order=False)
INTERLEAVED = Shape(
    "interleaved", ["for (int k = 0; k < x->operation_count; k++) {\n"
                    "const struct message *m = x->operations[k].message;\n"
                    "if (x->operations[k].receive >= 0) {\n"
                    "MPI_Status status;\n"
                    "MPI_Recv(x->inbox, m->count, MPI_UNSIGNED, m->peer, m->tag, x->comm, &status);\n"
                    "take_in_order(x, x->inbox, &status); continue; }"],
    members("m->"), flags=["NO_SELF"])


class Contents:
    """Where a message's contents come from. `reused`: overwritten before the loop ends."""

    def __init__(self, name, pointer, **options):
        self.name = name
        self.pointer = pointer
        self.pre = options.get("pre", [])
        self.fill = options.get("fill", "")
        self.post = options.get("post", "")
        self.advance = options.get("advance", "")  # also when a message is skipped
        self.epilogue = options.get("epilogue", [])
        self.type = options.get("type", "MPI_UNSIGNED")
        self.count = options.get("count", "{count}")
        self.reused = options.get("reused", False)
        self.slots = options.get("slots", False)
        self.list_order = options.get("list_order", False)
        self.cxx = options.get("cxx", False)
        self.flags = options.get("flags", [])


def contents():
    whole = "exchange_fill(x);"
    fill = "fill({buffer}, {count}, {key});"
    heap = "unsigned *buffer = (unsigned *)malloc(({count} + 1) * sizeof(unsigned)); "
    return [
        Contents("offset", "x->area + {offset}", pre=[whole]),
        Contents("element", "&area[{offset}]", pre=[whole, "unsigned *area = x->area;"]),
        Contents("running pointer", "pointer", pre=[whole, "const unsigned *pointer = x->area;"],
                 advance="pointer += {count};", list_order=True),
        Contents("cursor", "x->area + cursor", pre=["int cursor = 0;"],
                 fill=fill.replace("{buffer}", "x->area + cursor"), post="cursor += {count};"),
        Contents("packing", "&x->area[begin]", pre=["int cursor = 0;"],
                 fill="int begin = cursor; for (int j = 0; j < {count}; j++) "
                      "x->area[cursor++] = mix({key}, (unsigned)j);", count="cursor - begin"),
        Contents("disjoint", "x->area + {offset}",
                 fill=fill.replace("{buffer}", "x->area + {offset}")),
        Contents("same", "x->area", pre=["fill(x->area, LOCAL_ITEMS, (unsigned)x->run->digest);"]),
        Contents("reused", "buffer", pre=["unsigned *buffer = x->scratch;"], reused=True,
                 fill=fill.replace("{buffer}", "buffer")),
        Contents("local", "local", reused=True,
                 fill="unsigned local[LOCAL_ITEMS]; " + fill.replace("{buffer}", "local")),
        Contents("heap", "buffer", reused=True, fill=heap + fill.replace("{buffer}", "buffer"),
                 post="memset(buffer, 0x5a, sizeof(unsigned)); free(buffer);"),
        Contents("heap many", "buffer", fill=heap + fill.replace("{buffer}", "buffer") +
                 " x->buffers[x->buffer_count++] = buffer;"),
        Contents("vector local", "packed.data()", reused=True, cxx=True,
                 fill="std::vector<unsigned> packed; for (int j = 0; j < {count}; j++) "
                      "packed.push_back(mix({key}, (unsigned)j));"),
        Contents("vectors", "packed.back().data()", cxx=True,
                 pre=["std::vector<std::vector<unsigned>> packed; packed.reserve(x->sends + 1);"],
                 fill="packed.emplace_back({count} + 1); fill(packed.back().data(), {count}, {key});",
                 reused=True),
        Contents("two slots", "x->scratch + turn % 2 * LOCAL_ITEMS", slots=True,
                 pre=["MPI_Request slots[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};",
                      "int turn = 0;"],
                 fill="MPI_Wait(&slots[turn % 2], MPI_STATUS_IGNORE); " +
                      fill.replace("{buffer}", "x->scratch + turn % 2 * LOCAL_ITEMS"),
                 post="turn++;", epilogue=["MPI_Waitall(2, slots, MPI_STATUSES_IGNORE);"]),
        Contents("vector type", "x->area + 2 * {offset}", flags=["STRIDED"], type="type",
                 count="1", fill="MPI_Datatype type; MPI_Type_vector({count}, 1, 2, MPI_UNSIGNED, "
                                 "&type); MPI_Type_commit(&type);", post="MPI_Type_free(&type);"),
        Contents("resized type", "x->area + 2 * {offset}", flags=["STRIDED"], type="x->strided"),
        Contents("indexed type", "x->area + {offset}", pre=[whole], type="type", count="1",
                 fill="int displacements[LOCAL_ITEMS]; for (int j = 0; j < {count}; j++) "
                      "displacements[j] = {count} - 1 - j; MPI_Datatype type; "
                      "MPI_Type_create_indexed_block({count}, 1, displacements, MPI_UNSIGNED, "
                      "&type); MPI_Type_commit(&type);", post="MPI_Type_free(&type);"),
        Contents("packed", "buffer", pre=["unsigned *buffer = x->scratch;"], reused=True,
                 type="MPI_PACKED", count="position",
                 fill="int position = 0; for (int j = 0; j < {count}; j++) { "
                      "unsigned one = mix({key}, (unsigned)j); MPI_Pack(&one, 1, MPI_UNSIGNED, "
                      "buffer, 2 * LOCAL_ITEMS * (int)sizeof(unsigned), &position, x->comm); }"),
    ]


# How the loop reaches MPI: text before the name of the mode, C++ only.
CALLS = [("MPI_", False), ("MPI_", False), ("CHECK", False), ("transport_", False),
         ("CHECK transport_", False), ("inline_", False), ("pointer_", False),
         ("template_", True), ("channel.", True), ("lambda_", True)]

# Where a request goes: name, text before the call, the argument, text after it, epilogue.
REQUESTS = {
    "counter": ([], "", "&x->requests[x->request_count++]", "", []),
    "local counter": (["MPI_Request *requests = x->requests;", "int n = 0;"], "", "&requests[n++]",
                      "", ["x->request_count = n;"]),
    "by index": (["x->request_count = x->sends;"], "", "&x->requests[{index}]", "", []),
    "copied": ([], "MPI_Request request;", "&request",
               "x->pending[x->pending_count].peer = {peer}; "
               "x->pending[x->pending_count++].request = request;", []),
    "push back": (["std::vector<MPI_Request> posted;"], "posted.push_back(MPI_REQUEST_NULL);",
                  "&posted.back()", "",
                  ["for (MPI_Request one : posted) x->requests[x->request_count++] = one;"]),
    "waited": ([], "MPI_Request request;", "&request",
               "MPI_Wait(&request, MPI_STATUS_IGNORE); "
               "if (request != MPI_REQUEST_NULL) x->added += 5;", []),
    "freed": ([], "MPI_Request request;", "&request", "MPI_Request_free(&request);", []),
    "slots": ([], "", "&slots[turn % 2]", "", []),
}

# Calls that real loops make besides sending; {steps} has the same value on all ranks.
EXTRAS = [
    "x->run->work = mix(x->run->work, 3);",
    "x->run->work += MPI_Wtime() < 0;",
    "int own; MPI_Comm_rank(x->comm, &own); x->run->work += own != x->me;",
    "int flag; MPI_Iprobe(x->me, 9999, x->comm, &flag, MPI_STATUS_IGNORE); x->added += flag;",
    "MPI_Recv(NULL, 0, MPI_UNSIGNED, MPI_PROC_NULL, 0, x->comm, MPI_STATUS_IGNORE);",
    "unsigned out = 7, in = 0; MPI_Sendrecv(&out, 1, MPI_UNSIGNED, x->me, 8888, &in, 1, "
    "MPI_UNSIGNED, x->me, 8888, x->comm, MPI_STATUS_IGNORE); x->added += in;",
    "unsigned none; MPI_Request never; MPI_Status status; int flag; MPI_Irecv(&none, 1, "
    "MPI_UNSIGNED, x->me, 7777, x->comm, &never); MPI_Cancel(&never); MPI_Wait(&never, &status); "
    "MPI_Test_cancelled(&status, &flag); x->added += !flag;",
    "unsigned none; MPI_Request never; MPI_Status status; int flag; MPI_Irecv(&none, 1, "
    "MPI_UNSIGNED, MPI_ANY_SOURCE, 7777, x->comm, &never); MPI_Cancel(&never); MPI_Wait(&never, &status); "
    "MPI_Test_cancelled(&status, &flag); x->added += !flag;",
    "unsigned both = 7; MPI_Sendrecv_replace(&both, 1, MPI_UNSIGNED, x->me, 8888, x->me, 8888, x->comm, "
    "MPI_STATUS_IGNORE); x->added += both;",
    "int bytes; MPI_Type_size(MPI_UNSIGNED, &bytes); x->added += bytes != 4;",
    "int flag, which; MPI_Testany(x->request_count, x->requests, &which, &flag, "
    "MPI_STATUS_IGNORE); if (flag && which != MPI_UNDEFINED) x->added += mix(7, (unsigned)which);",
]
COLLECTIVES = [
    "if ({steps} == x->size / 2) MPI_Barrier(x->comm);",
    "int shared = {steps}; MPI_Bcast(&shared, 1, MPI_INT, {steps}, x->comm); x->added += shared;",
    "int part = {steps} + x->me, total = 0; MPI_Allreduce(&part, &total, 1, MPI_INT, MPI_SUM, "
    "x->comm); x->added += total;",
    "if ({steps} == 1) { MPI_Comm again; MPI_Comm_dup(x->comm, &again); MPI_Comm_free(&again); }",
    "int part = x->me, total = 0; if ({steps} == x->size - 1) MPI_Reduce(&part, &total, 1, "
    "MPI_INT, MPI_SUM, 0, x->comm); x->added += total;",
]
