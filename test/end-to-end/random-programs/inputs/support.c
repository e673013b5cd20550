/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Patterns, exchanges and digests; see support.h. */

#include "support.h"

static unsigned long long mix_long(unsigned long long a, unsigned long long b) {
  unsigned long long h =
      (a ^ (b + 0x9e3779b97f4a7c15ull + (a << 7) + (a >> 3))) * 0xff51afd7ed558ccdull;
  return h ^ h >> 32;
}

void run_begin(struct run *run, unsigned seed, int argc, char **argv) {
  memset(run, 0, sizeof *run);
  MPI_Comm_rank(MPI_COMM_WORLD, &run->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &run->size);
  run->variant = argc > 1 ? atoi(argv[1]) : 0;
  run->seed = mix(seed, 17);
  run->world = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &run->duplicate);
  MPI_Comm_set_errhandler(run->duplicate, MPI_ERRORS_RETURN);
  MPI_Comm_split(MPI_COMM_WORLD, run->rank % 2, run->rank, &run->row);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -run->rank, &run->backward);
}

unsigned run_end(struct run *run, int phases) {
  int items = phases + 1;
  unsigned long long own[PHASES + 1];
  unsigned long long *all = (unsigned long long *)malloc(sizeof *all * items * run->size);
  memcpy(own, run->phase_digest, sizeof *own * phases);
  own[phases] = run->digest;
  MPI_Gather(own, items, MPI_UNSIGNED_LONG_LONG, all, items, MPI_UNSIGNED_LONG_LONG, 0,
             MPI_COMM_WORLD);
  unsigned result = 0;
  if (run->rank == 0) {
    for (int rank = 0; rank < run->size; rank++) {
      printf("rank %d:", rank);
      for (int i = 0; i < items; i++)
        printf(" %016llx", all[rank * items + i]);
      printf("\n");
      result = mix(result, (unsigned)all[rank * items + phases]);
    }
    fflush(stdout);
  }
  MPI_Bcast(&result, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
  free(all);
  MPI_Comm_free(&run->duplicate);
  MPI_Comm_free(&run->row);
  MPI_Comm_free(&run->backward);
  return result;
}

/* One message of `source`, before the lists are sorted; `key` orders the messages of all ranks. */
struct candidate {
  int source, destination, copy;
  struct message message;
};

static int by_key(const void *left, const void *right) {
  const struct candidate *a = (const struct candidate *)left, *b = (const struct candidate *)right;
  if (a->message.key != b->message.key)
    return a->message.key < b->message.key ? -1 : 1;
  if (a->source != b->source)
    return a->source - b->source;
  return a->destination != b->destination ? a->destination - b->destination : a->copy - b->copy;
}

static int by_destination(const void *left, const void *right) {
  const struct candidate *a = (const struct candidate *)left, *b = (const struct candidate *)right;
  return a->destination != b->destination ? a->destination - b->destination : by_key(a, b);
}

static int by_source(const void *left, const void *right) {
  const struct candidate *a = (const struct candidate *)left, *b = (const struct candidate *)right;
  return a->source != b->source ? a->source - b->source : by_key(a, b);
}

static int message_count(unsigned h, int largest) {
  if (h % 6 == 0)
    return 0;
  int count = 1 + (int)((h >> 4) % (unsigned)largest);
  if ((h >> 20) % 8 == 0) /* beyond MPI's eager limit */
    count *= 40;
  return count < LOCAL_ITEMS ? count : LOCAL_ITEMS;
}

static int candidates(struct candidate *list, unsigned seed, int size, int tag, int iteration,
                      unsigned flags, int density, int largest) {
  int n = 0;
  for (int source = 0; source < size; source++) {
    for (int destination = 0; destination < size; destination++) {
      unsigned h = mix(mix(seed, (unsigned)source), (unsigned)destination);
      if ((flags & NO_SELF && source == destination) || (int)(h % 100) >= density)
        continue;
      int copies = flags & SINGLE ? 1 : 1 + (int)((h >> 9) % 3);
      for (int copy = 0; copy < copies; copy++) {
        struct candidate *c = &list[n++];
        unsigned key = mix(h, (unsigned)copy + 5);
        c->source = source, c->destination = destination, c->copy = copy;
        c->message.peer = destination;
        c->message.key = key;
        c->message.tag = tag + (flags & TAGS ? (int)(mix(key, 3) % 4) : 0);
        if (flags & MOVING_TAGS)
          c->message.tag += 30 + 4 * iteration;
        if (flags & ITERATION_TAG)
          c->message.tag = tag + 10 + iteration;
        unsigned salt = flags & SIZES_VARY ? (unsigned)iteration : 0;
        c->message.count = message_count(mix(key, 100 + salt), largest);
      }
    }
    if (flags & NULLS && mix(seed, (unsigned)source) % 2 == 0) {
      struct candidate *c = &list[n++];
      c->source = source, c->destination = size, c->copy = 0;
      c->message.peer = MPI_PROC_NULL, c->message.tag = tag, c->message.count = 3;
      c->message.key = mix(seed, (unsigned)source + 99);
    }
  }
  return n;
}

static int is_received(const struct candidate *c, unsigned flags) {
  if (c->message.peer == MPI_PROC_NULL || (flags & SKIP_EMPTY && c->message.count == 0))
    return 0;
  return !(flags & LOCAL_SELF && c->source == c->destination);
}

static void make_lists(struct exchange *x, struct candidate *list, int n, unsigned flags) {
  qsort(list, n, sizeof *list, flags & GROUPED ? by_destination : by_key);
  for (int i = 0; i < n; i++)
    if (list[i].source == x->me) {
      struct message *m = &x->send[x->sends++];
      *m = list[i].message;
      m->offset = x->send_items;
      x->send_items += m->count;
      m->key = mix(m->key, (unsigned)x->run->digest);
    }
  qsort(list, n, sizeof *list, flags & BY_SOURCE ? by_source : by_key);
  for (int i = 0; i < n; i++)
    if (list[i].destination == x->me && is_received(&list[i], flags)) {
      struct message *m = &x->receive[x->receives++];
      *m = list[i].message;
      m->peer = list[i].source;
      m->offset = x->receive_items;
      x->receive_items += m->count;
      if (m->count > x->largest)
        x->largest = m->count;
    }
  /* The merged order is by key, over the messages as all ranks know them. */
  qsort(list, n, sizeof *list, by_key);
  int sent = 0, received = 0;
  for (int i = 0; i < n; i++) {
    struct operation *o = &x->operations[x->operation_count];
    if (list[i].source == x->me)
      o->receive = -1, o->message = &x->send[sent++], x->operation_count++;
    else if (list[i].destination == x->me && is_received(&list[i], flags))
      o->receive = received, o->message = &x->receive[received++], x->operation_count++;
  }
}

static void make_arrays(struct exchange *x, unsigned flags) {
  if (flags & REVERSED)
    for (int i = 0, j = x->sends - 1; i < j; i++, j--) {
      struct message m = x->send[i];
      x->send[i] = x->send[j], x->send[j] = m;
    }
  x->send[x->sends].peer = NO_MESSAGE;
  x->send[x->sends].count = 0;
  x->send[x->sends].next = NULL;
  for (int i = 0; i <= x->sends; i++) {
    struct message *m = &x->send[i];
    if (i < x->sends)
      m->next = i + 1 < x->sends ? m + 1 : NULL;
    x->peers[i] = m->peer, x->tags[i] = m->tag, x->counts[i] = m->count;
    x->offsets[i] = m->offset, x->keys[i] = m->key;
  }
  for (int rank = 0; rank < x->size; rank++) {
    x->by_rank[rank] = -1;
    x->first[rank] = x->sends;
    for (int i = x->sends - 1; i >= 0; i--) {
      if (x->send[i].peer == rank)
        x->by_rank[rank] = i;
      if (x->send[i].peer >= rank) /* GROUPED: sorted by destination */
        x->first[rank] = i;
    }
  }
  x->first[x->size] = x->sends;
}

int exchange_begin(struct exchange *x, struct run *run, int phase, MPI_Comm comm, int free_comm,
                   int iteration, int epoch, unsigned flags, int density, int largest) {
  memset(x, 0, sizeof *x);
  x->run = run, x->phase = phase, x->comm = comm, x->free_comm = free_comm;
  x->iteration = iteration;
  if (comm == MPI_COMM_NULL)
    return 0;
  x->active = 1;
  MPI_Comm_rank(comm, &x->me);
  MPI_Comm_size(comm, &x->size);
  unsigned seed =
      mix(mix(run->seed, (unsigned)(phase * 1000 + epoch * 10 + run->variant)), (unsigned)x->size);
  int capacity = x->size * (x->size * 3 + 1);
  struct candidate *list = (struct candidate *)calloc(capacity, sizeof *list);
  int n = candidates(list, seed, x->size, phase * 100, iteration, flags, density, largest);
  x->send = (struct message *)calloc(n + 1, sizeof *x->send);
  x->receive = (struct message *)calloc(n + 1, sizeof *x->receive);
  x->operations = (struct operation *)calloc(2 * n + 1, sizeof *x->operations);
  make_lists(x, list, n, flags);
  free(list);
  int **arrays[] = {&x->peers, &x->tags, &x->counts, &x->offsets};
  for (int i = 0; i < 4; i++)
    *arrays[i] = (int *)calloc(n + 1, sizeof(int));
  x->keys = (unsigned *)calloc(n + 1, sizeof(unsigned));
  x->by_rank = (int *)calloc(x->size + 1, sizeof(int));
  x->first = (int *)calloc(x->size + 1, sizeof(int));
  make_arrays(x, flags);
  x->area = (unsigned *)calloc(2 * x->send_items + LOCAL_ITEMS, sizeof(unsigned));
  x->inbox = (unsigned *)calloc(x->receives * (size_t)x->largest + 1, sizeof(unsigned));
  x->scratch = (unsigned *)calloc(2 * LOCAL_ITEMS, sizeof(unsigned));
  x->buffers = (unsigned **)calloc(n + 1, sizeof *x->buffers);
  x->requests = (MPI_Request *)malloc((2 * n + 1) * sizeof(MPI_Request));
  x->receive_requests = (MPI_Request *)malloc((n + 1) * sizeof(MPI_Request));
  x->pending = (struct pending *)calloc(n + 1, sizeof *x->pending);
  x->statuses = (MPI_Status *)calloc(2 * n + 1, sizeof(MPI_Status));
  for (int i = 0; i <= 2 * n; i++)
    x->requests[i] = MPI_REQUEST_NULL;
  for (int i = 0; i <= n; i++)
    x->receive_requests[i] = MPI_REQUEST_NULL;
  MPI_Type_create_resized(MPI_UNSIGNED, 0, 2 * sizeof(unsigned), &x->strided);
  MPI_Type_commit(&x->strided);
  if (flags & STRIDED)
    for (int i = 0; i < x->sends; i++)
      for (int j = 0; j < x->send[i].count; j++)
        x->area[2 * (x->send[i].offset + j)] = mix(x->send[i].key, (unsigned)j);
  return 1;
}

void exchange_fill(struct exchange *x) {
  for (int i = 0; i < x->sends; i++)
    fill(x->area + x->send[i].offset, x->send[i].count, x->send[i].key);
}

/* Attaches exactly as much memory as the exchange sends. */
void exchange_attach(struct exchange *x) {
  int bytes = 0;
  for (int i = 0; i < x->sends; i++) {
    int one = 0;
    MPI_Pack_size(x->send[i].count, MPI_UNSIGNED, x->comm, &one);
    bytes += one + MPI_BSEND_OVERHEAD;
  }
  if (bytes == 0)
    bytes = MPI_BSEND_OVERHEAD;
  x->attached = malloc(bytes);
  MPI_Buffer_attach(x->attached, bytes);
}

void exchange_detach(struct exchange *x) {
  void *buffer;
  int bytes;
  MPI_Buffer_detach(&buffer, &bytes);
  if (buffer != x->attached)
    x->added += 13;
  free(x->attached);
}

static unsigned long long message_digest(const unsigned *data, const MPI_Status *status) {
  int count = 0;
  MPI_Get_count(status, MPI_UNSIGNED, &count);
  unsigned long long h = mix_long((unsigned)status->MPI_SOURCE, (unsigned)status->MPI_TAG);
  h = mix_long(h, (unsigned)count);
  for (int i = 0; i < count; i++)
    h = mix_long(h, data[i]);
  return h;
}

void take_in_order(struct exchange *x, const unsigned *data, const MPI_Status *status) {
  x->sum = mix_long(x->sum, message_digest(data, status));
}

void take_at(struct exchange *x, int place, const unsigned *data, const MPI_Status *status) {
  x->added += mix_long((unsigned)place, message_digest(data, status));
}

void take_from_any(struct exchange *x, const unsigned *data, const MPI_Status *status) {
  unsigned place = (unsigned)x->sequence[status->MPI_SOURCE]++;
  x->added += mix_long(place, message_digest(data, status));
}

void take_locally(struct exchange *x, int count, unsigned key) {
  x->added += mix_long((unsigned)count, key);
}

void exchange_end(struct exchange *x) {
  for (int i = 0; i < x->request_count; i++)
    if (x->requests[i] != MPI_REQUEST_NULL)
      x->added += 1001 + (unsigned)i;
  memset(x->area, 0xdb, (2 * x->send_items + LOCAL_ITEMS) * sizeof(unsigned));
  memset(x->scratch, 0xdb, 2 * LOCAL_ITEMS * sizeof(unsigned));
  struct run *run = x->run;
  x->sum = mix_long(x->sum, x->added);
  run->phase_digest[x->phase] = mix_long(run->phase_digest[x->phase], x->sum);
  run->digest = mix_long(run->digest, x->sum);
  for (int i = 0; i < x->buffer_count; i++) {
    memset(x->buffers[i], 0xdb, sizeof(unsigned));
    free(x->buffers[i]);
  }
  if (x->free_comm && x->comm != MPI_COMM_NULL)
    MPI_Comm_free(&x->comm);
  MPI_Type_free(&x->strided);
  void *blocks[] = {x->send,    x->receive,  x->operations,      x->peers,   x->tags,
                    x->counts,  x->offsets,  x->by_rank,         x->first,   x->keys,
                    x->area,    x->inbox,    x->scratch,         x->buffers, x->requests,
                    x->pending, x->statuses, x->receive_requests};
  for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; i++)
    free(blocks[i]);
  x->active = 0;
}

unsigned phase_key(const struct run *run, int phase, int salt) {
  unsigned place = (unsigned)(phase * 1000 + run->variant * 7 + salt);
  return mix(mix(run->seed, place), mix((unsigned)run->iteration, (unsigned)run->digest));
}

void phase_take(struct run *run, int phase, const void *data, size_t bytes) {
  const unsigned char *byte = (const unsigned char *)data;
  unsigned long long h = mix_long(17, bytes);
  for (size_t i = 0; i < bytes; i++)
    h = (h ^ byte[i]) * 0x100000001b3ull;
  h = mix_long(h, h >> 29);
  run->phase_digest[phase] = mix_long(run->phase_digest[phase], h);
  run->digest = mix_long(run->digest, h);
}

int phase_pair(const struct run *run, int phase, int source, int destination, int density) {
  unsigned h = mix(mix(run->seed, (unsigned)(phase * 100 + run->variant)), (unsigned)source);
  return (int)(mix(h, (unsigned)destination) % 100) < density;
}

int *random_sizes(unsigned key, int ranks, int extent) {
  int *sizes = (int *)calloc(ranks, sizeof(int));
  int left = extent;
  for (int rank = 0; rank < ranks - 1; rank++) {
    unsigned h = mix(key, (unsigned)rank);
    sizes[rank] = h % 5 == 0 ? 0 : (int)((h >> 8) % (unsigned)(2 * extent / ranks + 1));
    if (sizes[rank] > left)
      sizes[rank] = left;
    left -= sizes[rank];
  }
  sizes[ranks - 1] = left;
  return sizes;
}

static int distributed_owner(const struct distribution *d, int item) {
  int owner = 0;
  switch (d->format) {
  case GEN_BLOCK:
    for (int end = d->sizes[0]; item >= end; end += d->sizes[owner])
      owner++;
    return owner;
  case BLOCK:
    return item / ((d->extent + d->ranks - 1) / d->ranks);
  case BLOCK_OF:
    return item / d->length;
  case CYCLIC_OF:
    return item / d->length % d->ranks;
  }
  return 0;
}

int distributed_items(const struct distribution *d, int rank) {
  int items = 0;
  for (int item = 0; item < d->extent; item++)
    items += distributed_owner(d, item) == rank;
  return items;
}

void *redistribute_by_hand(void *block, size_t item, const struct distribution *before,
                           const struct distribution *after, MPI_Comm comm) {
  int me, ranks;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  int *bytes = (int *)calloc(ranks, sizeof(int)), *next = (int *)calloc(ranks + 1, sizeof(int));
  for (int rank = 0; rank < ranks; rank++) {
    bytes[rank] = distributed_items(before, rank) * (int)item;
    next[rank + 1] = next[rank] + bytes[rank];
  }
  char *all = (char *)malloc(before->extent * item + 1);
  char *fresh = (char *)malloc(distributed_items(after, me) * item + 1), *end = fresh;
  MPI_Allgatherv(block, bytes[me], MPI_BYTE, all, bytes, next, MPI_BYTE, comm);
  for (int i = 0; i < before->extent; i++) {
    int owner = distributed_owner(before, i);
    if (distributed_owner(after, i) == me) {
      memcpy(end, all + next[owner], item);
      end += item;
    }
    next[owner] += (int)item;
  }
  free(all);
  free(bytes);
  free(next);
  free(block);
  return fresh;
}

void run_fork(struct run *run, struct run *own, int thread) {
  *own = *run;
  own->seed = mix(run->seed, (unsigned)thread + 40);
  MPI_Comm_dup(run->world, &own->world);
  MPI_Comm_dup(run->duplicate, &own->duplicate);
  MPI_Comm_dup(run->row, &own->row);
  MPI_Comm_dup(run->backward, &own->backward);
}

void run_join(struct run *run, struct run *own, int phase) {
  phase_take(run, phase, &own->digest, sizeof own->digest);
  run->work += own->work;
  MPI_Comm_free(&own->world);
  MPI_Comm_free(&own->duplicate);
  MPI_Comm_free(&own->row);
  MPI_Comm_free(&own->backward);
}
