/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "three-step.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Gather, between regions, scatter; and what stays within a region. */
enum { gather, between, scatter, local, steps };

/* A combined message of this rank with one other rank. */
struct combined {
  int peer, count;
  char **places; /* of its messages at this rank */
  char *buffer;
};

/* One direction of one step at this rank. */
struct step {
  int count;
  struct combined *combined;
  MPI_Request *requests;
};

struct three_step {
  const struct pattern *pattern;
  int rank, bytes, region, regions;
  int *sender, *receiver; /* by pair of regions: the ranks at the two ends */
  char **store;           /* by source and destination: where a message is at this rank */
  struct step sending[steps], receiving[steps];
};

struct load {
  int region, messages;
};

static int by_messages(const void *left, const void *right) {
  const struct load *a = left, *b = right;
  return a->messages != b->messages ? b->messages - a->messages : a->region - b->region;
}

static int ranks_of(const struct three_step *exchange, int region) {
  const int left = exchange->pattern->ranks - region * exchange->region;
  return left < exchange->region ? left : exchange->region;
}

/* Messages from one region to another. */
static int *messages_of_regions(const struct three_step *exchange) {
  const struct pattern *pattern = exchange->pattern;
  int *messages = calloc((size_t)(exchange->regions * exchange->regions), sizeof(int));
  for (int from = 0; from < pattern->ranks; from++)
    for (int to = 0; to < pattern->ranks; to++)
      messages[from / exchange->region * exchange->regions + to / exchange->region] +=
          sends(pattern, from, to);
  return messages;
}

/* Deals the other regions out among the ranks of each region; receivers from the last rank on. */
static void deal(struct three_step *exchange) {
  const int regions = exchange->regions;
  int *messages = messages_of_regions(exchange);
  struct load *loads = malloc(sizeof *loads * (size_t)regions);
  exchange->sender = malloc(sizeof(int) * (size_t)(regions * regions));
  exchange->receiver = malloc(sizeof(int) * (size_t)(regions * regions));
  for (int mine = 0; mine < regions; mine++)
    for (int sending = 0; sending < 2; sending++) {
      for (int other = 0; other < regions; other++)
        loads[other] = (struct load){
            other, mine == other
                       ? -1
                       : messages[sending ? mine * regions + other : other * regions + mine]};
      qsort(loads, (size_t)regions, sizeof *loads, by_messages);
      const int size = ranks_of(exchange, mine), first = mine * exchange->region;
      for (int place = 0; place < regions; place++)
        if (sending)
          exchange->sender[mine * regions + loads[place].region] = first + place % size;
        else
          exchange->receiver[loads[place].region * regions + mine] =
              first + size - 1 - place % size;
    }
  free(loads);
  free(messages);
}

/* The ranks at the ends of a message's hop in a step; 0 if it has none. */
static int hop(const struct three_step *exchange, int step, int from, int to, int *ends) {
  const int at = from / exchange->region, there = to / exchange->region;
  if (at == there) {
    ends[0] = from;
    ends[1] = to;
    return step == local;
  }
  const int pair = at * exchange->regions + there;
  const int path[4] = {from, exchange->sender[pair], exchange->receiver[pair], to};
  if (step == local)
    return 0;
  ends[0] = path[step];
  ends[1] = path[step + 1];
  return ends[0] != ends[1];
}

static void join(struct step *step, int peer, char *place) {
  int at = 0;
  while (at < step->count && step->combined[at].peer != peer)
    at++;
  if (at == step->count) {
    step->combined = realloc(step->combined, sizeof *step->combined * (size_t)++step->count);
    step->combined[at] = (struct combined){peer, 0, NULL, NULL};
  }
  struct combined *combined = &step->combined[at];
  combined->places = realloc(combined->places, sizeof(char *) * (size_t)(combined->count + 1));
  combined->places[combined->count++] = place;
}

/* Where the messages are that begin, end or stop here. */
static void place_messages(struct three_step *exchange, char *out, char *in) {
  const struct pattern *pattern = exchange->pattern;
  const int rank = exchange->rank, ranks = pattern->ranks;
  int ends[2];
  exchange->store = calloc((size_t)(ranks * ranks), sizeof(char *));
  for (int from = 0; from < ranks; from++)
    for (int to = 0; to < ranks; to++) {
      char **place = &exchange->store[from * ranks + to];
      if (!sends(pattern, from, to))
        continue;
      if (from == rank) {
        *place = out;
        out += exchange->bytes;
      } else if (to == rank) {
        *place = in;
        in += exchange->bytes;
      }
      for (int step = gather; step <= between; step++)
        if (!*place && hop(exchange, step, from, to, ends) && ends[1] == rank)
          *place = malloc((size_t)exchange->bytes);
    }
}

static void make_requests(struct step *step, int bytes, int tag, int sending) {
  step->requests = malloc(sizeof(MPI_Request) * (size_t)(step->count + 1));
  for (int at = 0; at < step->count; at++) {
    struct combined *combined = &step->combined[at];
    const int size = combined->count * bytes;
    combined->buffer = malloc((size_t)size);
    if (sending)
      MPI_Send_init(combined->buffer, size, MPI_BYTE, combined->peer, tag, MPI_COMM_WORLD,
                    &step->requests[at]);
    else
      MPI_Recv_init(combined->buffer, size, MPI_BYTE, combined->peer, tag, MPI_COMM_WORLD,
                    &step->requests[at]);
  }
}

struct three_step *three_step_begin(const struct pattern *pattern, int bytes, int region, char *out,
                                    char *in) {
  enum { first_tag = 100 };
  struct three_step *exchange = calloc(1, sizeof *exchange);
  int ends[2];
  exchange->pattern = pattern;
  exchange->bytes = bytes;
  exchange->region = region;
  exchange->regions = (pattern->ranks + region - 1) / region;
  MPI_Comm_rank(MPI_COMM_WORLD, &exchange->rank);
  deal(exchange);
  place_messages(exchange, out, in);
  for (int step = 0; step < steps; step++) {
    for (int from = 0; from < pattern->ranks; from++)
      for (int to = 0; to < pattern->ranks; to++)
        if (sends(pattern, from, to) && hop(exchange, step, from, to, ends)) {
          char *place = exchange->store[from * pattern->ranks + to];
          if (ends[0] == exchange->rank)
            join(&exchange->sending[step], ends[1], place);
          if (ends[1] == exchange->rank)
            join(&exchange->receiving[step], ends[0], place);
        }
    make_requests(&exchange->sending[step], bytes, first_tag + step, 1);
    make_requests(&exchange->receiving[step], bytes, first_tag + step, 0);
  }
  return exchange;
}

static void start_sends(const struct three_step *exchange, int number) {
  const struct step *step = &exchange->sending[number];
  for (int at = 0; at < step->count; at++)
    for (int message = 0; message < step->combined[at].count; message++)
      memcpy(step->combined[at].buffer + message * exchange->bytes,
             step->combined[at].places[message], (size_t)exchange->bytes);
  if (step->count > 0)
    MPI_Startall(step->count, step->requests);
}

static void take_in(const struct three_step *exchange, int number) {
  const struct step *step = &exchange->receiving[number];
  if (step->count > 0)
    MPI_Waitall(step->count, step->requests, MPI_STATUSES_IGNORE);
  for (int at = 0; at < step->count; at++)
    for (int message = 0; message < step->combined[at].count; message++)
      memcpy(step->combined[at].places[message],
             step->combined[at].buffer + message * exchange->bytes, (size_t)exchange->bytes);
}

void three_step_exchange(struct three_step *exchange) {
  for (int step = 0; step < steps; step++)
    if (exchange->receiving[step].count > 0)
      MPI_Startall(exchange->receiving[step].count, exchange->receiving[step].requests);
  start_sends(exchange, gather);
  start_sends(exchange, local);
  take_in(exchange, gather);
  start_sends(exchange, between);
  take_in(exchange, between);
  start_sends(exchange, scatter);
  take_in(exchange, scatter);
  take_in(exchange, local);
  for (int step = 0; step < steps; step++)
    if (exchange->sending[step].count > 0)
      MPI_Waitall(exchange->sending[step].count, exchange->sending[step].requests,
                  MPI_STATUSES_IGNORE);
}

static void end_step(struct step *step) {
  for (int at = 0; at < step->count; at++) {
    MPI_Request_free(&step->requests[at]);
    free(step->combined[at].places);
    free(step->combined[at].buffer);
  }
  free(step->combined);
  free(step->requests);
}

void three_step_end(struct three_step *exchange) {
  const int ranks = exchange->pattern->ranks, rank = exchange->rank;
  for (int step = 0; step < steps; step++) {
    end_step(&exchange->sending[step]);
    end_step(&exchange->receiving[step]);
  }
  for (int from = 0; from < ranks; from++)
    for (int to = 0; to < ranks; to++)
      if (from != rank && to != rank)
        free(exchange->store[from * ranks + to]);
  free(exchange->store);
  free(exchange->sender);
  free(exchange->receiver);
  free(exchange);
}
