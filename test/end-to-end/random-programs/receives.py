# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How a phase receives and how it waits for its sends. Where MPI leaves the order open (which of
# several requests completes first, which source a wildcard takes), values are summed, so that the
# digest does not depend on it; otherwise they are mixed in order.

POSTED = ("waitall", "waitany", "waitsome", "testsome", "wildcard", "persistent", "each")
AFTER = ("list", "any", "probe", "iprobe", "mprobe", "improbe", "imrecv", "combined")
FROM_ANY = ("wildcard", "any", "probe", "iprobe", "mprobe", "improbe", "imrecv")

WAITALL_TAKE = """MPI_Waitall(x->receives, x->receive_requests, x->statuses);
for (int i = 0; i < x->receives; i++)
  take_in_order(x, x->inbox + x->receive[i].offset, &x->statuses[i]);"""


def post(kind, tag):
    """Text that posts all receives before the send loop. `tag`: C expression, with i."""
    if kind == "wildcard":
        call = ("MPI_Irecv(x->inbox + i * x->largest, x->largest, MPI_UNSIGNED, MPI_ANY_SOURCE, "
                f"{tag}, x->comm, &x->receive_requests[i]);")
    else:
        name = "MPI_Recv_init" if kind == "persistent" else "MPI_Irecv"
        call = (f"{name}(x->inbox + x->receive[i].offset, x->receive[i].count, MPI_UNSIGNED, "
                f"x->receive[i].peer, {tag}, x->comm, &x->receive_requests[i]);")
    text = "for (int i = 0; i < x->receives; i++)\n  " + call
    if kind == "persistent":
        text += "\nMPI_Startall(x->receives, x->receive_requests);"
    return text


def finish(kind, tag):
    """Text that completes the receives after the send loop."""
    some = """while (x->received < x->receives) {
  int count, places[256];
  MPI_%s(x->receives, x->receive_requests, &count, places, x->statuses);
  if (count == MPI_UNDEFINED) { x->added += 3; break; }
  for (int i = 0; i < count; i++)
    take_at(x, places[i], x->inbox + x->receive[places[i]].offset, &x->statuses[i]);
  x->received += count;
}"""
    from_any = """while (x->received < x->receives) {
  MPI_Status status;
%s
  take_from_any(x, x->scratch, &status);
  x->received++;
}"""
    receive_found = "MPI_Recv(x->scratch, count, MPI_UNSIGNED, status.MPI_SOURCE, status.MPI_TAG, x->comm, &status);"
    count = "  int count; MPI_Get_count(&status, MPI_UNSIGNED, &count);\n"
    improbe = (f"  MPI_Message message;\n  for (int flag = 0; !flag;)\n    MPI_Improbe(MPI_ANY_SOURCE, {tag}, "
               f"x->comm, &flag, &message, &status);\n{count}")
    texts = {
        "waitall": WAITALL_TAKE,
        "each": """for (int i = 0; i < x->receives; i++) {
  MPI_Status status;
  MPI_Wait(&x->receive_requests[i], &status);
  take_in_order(x, x->inbox + x->receive[i].offset, &status);
}""",
        "waitany": """for (int k = 0; k < x->receives; k++) {
  int place;
  MPI_Status status;
  MPI_Waitany(x->receives, x->receive_requests, &place, &status);
  take_at(x, place, x->inbox + x->receive[place].offset, &status);
}""",
        "waitsome": some % "Waitsome",
        "testsome": some % "Testsome",
        "wildcard": """MPI_Waitall(x->receives, x->receive_requests, x->statuses);
for (int i = 0; i < x->receives; i++)
  take_from_any(x, x->inbox + i * x->largest, &x->statuses[i]);""",
        "persistent": WAITALL_TAKE + """
for (int i = 0; i < x->receives; i++)
  MPI_Request_free(&x->receive_requests[i]);""",
        "list": f"""for (int i = 0; i < x->receives; i++) {{
  MPI_Status status;
  MPI_Recv(x->inbox, x->receive[i].count, MPI_UNSIGNED, x->receive[i].peer, {tag}, x->comm, &status);
  take_in_order(x, x->inbox, &status);
}}""",
        "combined": f"""for (int i = 0; i < x->receives; i++)
  MPI_Irecv(x->inbox + x->receive[i].offset, x->receive[i].count, MPI_UNSIGNED,
            x->receive[i].peer, {tag}, x->comm, &x->requests[x->request_count + i]);
MPI_Waitall(x->request_count + x->receives, x->requests, x->statuses);
for (int i = 0; i < x->receives; i++)
  take_in_order(x, x->inbox + x->receive[i].offset, &x->statuses[x->request_count + i]);""",
        "any": from_any % f"  MPI_Recv(x->scratch, x->largest, MPI_UNSIGNED, MPI_ANY_SOURCE, {tag}, "
                          "x->comm, &status);",
        "probe": from_any % (f"  MPI_Probe(MPI_ANY_SOURCE, {tag}, x->comm, &status);\n{count}"
                             f"  {receive_found}"),
        "iprobe": from_any % (f"  for (int flag = 0; !flag;)\n    MPI_Iprobe(MPI_ANY_SOURCE, {tag}, x->comm, "
                              f"&flag, &status);\n{count}  {receive_found}"),
        "improbe": from_any % (improbe + "  MPI_Mrecv(x->scratch, count, MPI_UNSIGNED, &message, &status);"),
        "imrecv": from_any % (improbe + "  MPI_Request taken;\n  MPI_Imrecv(x->scratch, count, MPI_UNSIGNED, "
                              "&message, &taken);\n  MPI_Wait(&taken, &status);"),
        "mprobe": from_any % (f"  MPI_Message message;\n  MPI_Mprobe(MPI_ANY_SOURCE, {tag}, x->comm, "
                              f"&message, &status);\n{count}"
                              "  MPI_Mrecv(x->scratch, count, MPI_UNSIGNED, &message, &status);"),
    }
    return texts[kind]


# Tests for a message while the loop still sends.
POLL = """{ int flag; MPI_Status status;
MPI_Iprobe(MPI_ANY_SOURCE, {tag}, x->comm, &flag, &status);
if (flag) {
  MPI_Recv(x->inbox, x->largest, MPI_UNSIGNED, status.MPI_SOURCE, status.MPI_TAG, x->comm, &status);
  take_from_any(x, x->inbox, &status);
  x->received++;
} }"""

# How the requests of the sends are completed.
COMPLETIONS = [
    "MPI_Waitall(x->request_count, x->requests, MPI_STATUSES_IGNORE);",
    "MPI_Waitall(x->request_count, x->requests, x->statuses);",
    """for (int i = 0; i < x->request_count; i++)
  MPI_Wait(&x->requests[i], MPI_STATUS_IGNORE);""",
    """for (int i = x->request_count - 1; i >= 0; i--)
  MPI_Wait(&x->requests[i], MPI_STATUS_IGNORE);""",
    """for (int k = 0, place = 0; place != MPI_UNDEFINED; k++) {
  MPI_Waitany(x->request_count, x->requests, &place, MPI_STATUS_IGNORE);
  x->added += place == MPI_UNDEFINED ? 0 : mix(7, (unsigned)place);
}""",
    """for (int count = 0; count != MPI_UNDEFINED;) {
  int places[256];
  MPI_Waitsome(x->request_count, x->requests, &count, places, MPI_STATUSES_IGNORE);
  for (int i = 0; count != MPI_UNDEFINED && i < count; i++)
    x->added += mix(7, (unsigned)places[i]);
}""",
    """for (int count = 0; count != MPI_UNDEFINED;) {
  int places[256];
  MPI_Testsome(x->request_count, x->requests, &count, places, MPI_STATUSES_IGNORE);
  for (int i = 0; count != MPI_UNDEFINED && i < count; i++)
    x->added += mix(7, (unsigned)places[i]);
}""",
    """for (int done = 0; !done;)
  MPI_Testall(x->request_count, x->requests, &done, MPI_STATUSES_IGNORE);""",
    """for (int done = 0, place = 0; !done || place != MPI_UNDEFINED;)
  MPI_Testany(x->request_count, x->requests, &place, &done, MPI_STATUS_IGNORE);""",
    """for (int i = 0; i < x->request_count; i++)
  for (int done = 0; !done;)
    MPI_Test(&x->requests[i], &done, MPI_STATUS_IGNORE);""",
    "transport_finish(x);",
]
PENDING = [
    "transport_finish(x);",
    """for (int i = 0; i < x->pending_count; i++) {
  MPI_Request request = x->pending[i].request;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  x->added += request == MPI_REQUEST_NULL ? 0 : 9;
}""",
    """for (int i = x->pending_count; i-- > 0;)
  for (int done = 0; !done;)
    MPI_Test(&x->pending[i].request, &done, MPI_STATUS_IGNORE);""",
]
