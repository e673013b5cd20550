/* The exchanges that a seed gives, as all ranks know them: who sends what to whom in each instance,
   on which communicator, and the plan for it. For sharing/planned/random.c. */

#include "mixed-numbers.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Learning needs patterns that stay the same for some instances. */
#if defined(MARKED_LOOPS) && !defined(STEADY_PATTERNS)
#define STEADY_PATTERNS
#endif

enum { sites = 2, tagsOfSite = 2, largest = 1 << 20 };

static int ranks, instances;
static uint64_t seed;

/* A number that all ranks know. */
static uint64_t draw(int what, int a, int b, int c, int d) {
  uint64_t value = mix(seed + (uint64_t)what * 0x1234567);
  value = mix(value ^ (uint64_t)(unsigned)a);
  value = mix(value ^ (uint64_t)(unsigned)b << 16);
  value = mix(value ^ (uint64_t)(unsigned)c << 32);
  return mix(value ^ (uint64_t)(unsigned)d << 48);
}

/* 0: the world, 1: a duplicate of it, 2: halves of it, backwards. */
static int communicator_of(int site) { return (int)(draw(1, site, 0, 0, 0) % 3); }
/* A rank that sends nothing by route does not enter the loop either. */
static int is_silent(int site, int rank) { return draw(9, site, rank, 0, 0) % 6 == 0; }
static int planned(int site, int from, int to) {
  if (is_silent(site, from))
    return 0;
  if (communicator_of(site) == 2 && from % 2 != to % 2)
    return 0;
  return from != to && draw(2, site, from, to, 0) % 100 < 20 + draw(3, site, 0, 0, 0) % 80;
}
static int tag_of(int site, int which) {
  return 10 + (int)(draw(4, site, 0, 0, 0) % 2) * site * 7 + which;
}
/* With -DVARYING_TAGS the tags change from one instance to the next, in a cycle or for good. */
static int tag_in(int instance, int site, int which) {
#ifdef VARYING_TAGS
  return tag_of(site, which) + 3 * (draw(96, site, 0, 0, 0) % 2 ? instance % 4 : instance);
#else
  (void)instance;
  return tag_of(site, which);
#endif
}
static int has_tag(int site, int from, int to, int which) {
  return which == 0 || draw(5, site, from, to, which) % 2;
}

/* One message of an instance. */
struct message {
  int site, from, to, tag, bytes, early, any_tag;
  unsigned char *out, *in;
  MPI_Request sent, received;
  MPI_Status status;
  int order;
};

static int size_of_message(uint64_t number) {
  static const int limits[] = {0, 64, 1024, 20000, largest};
  int limit = limits[number % 5 == 4 && number / 5 % 4 ? 2 : number % 5];
  return limit ? (int)(number / 20 % (uint64_t)limit) / 16 * 16 : 0;
}

/* Instances with the same pattern send the same messages. */
static int pattern_of(int instance) {
#ifdef STEADY_PATTERNS
  return instance / (6 + (int)(draw(91, 0, 0, 0, 0) % 12));
#else
  return instance;
#endif
}

/* All messages of an instance, in the order in which their senders send them. */
static int messages_of(int instance, struct message *list) {
  int count = 0;
  for (int site = 0; site < sites; ++site)
    for (int from = 0; from < ranks; ++from)
      for (int to = 0; to < ranks; ++to)
        for (int which = 0; which <= tagsOfSite; ++which) {
          uint64_t number = draw(6 + which, pattern_of(instance) * sites + site, from, to, 0);
          int repeated = number % 7 == 0 ? 2 : 1;
          if (from == to || (communicator_of(site) == 2 && from % 2 != to % 2))
            continue;
          if (which < tagsOfSite ? !planned(site, from, to) || !has_tag(site, from, to, which) ||
                                       number / 7 % 5 == 0 /* absent */
                                 : number / 7 % 9 != 0 /* unplanned */)
            continue;
          for (int again = 0; again < repeated; ++again) {
            struct message message = {0};
            message.site = site;
            message.from = from;
            message.to = to;
            message.tag = tag_in(instance, site, which);
            message.bytes =
                size_of_message(draw(20 + again, instance, from, to, which + site * 10));
#ifdef STEADY_PATTERNS
            if (message.bytes > 40000 && instance % 8 != 0)
              message.bytes = message.bytes / 100 / 16 * 16;
#endif
            message.any_tag = draw(30, instance, from, to, communicator_of(site)) % 6 == 0;
            message.early =
                message.any_tag ||
                draw(31, instance, from, to, communicator_of(site) * 64 + message.tag) % 2;
            message.order = count;
            if (list)
              list[count] = message;
            ++count;
          }
        }
  return count;
}

static void print_grid(int count) {
  int rest = count, extents[8], dimensions = 0;
  for (int factor = 2; factor <= rest; ++factor)
    while (rest % factor == 0 && dimensions < 8) {
      extents[dimensions++] = factor;
      rest /= factor;
    }
  /* Some neighbouring factors are joined at random. */
  for (int index = 0; index + 1 < dimensions;)
    if (draw(40, index, dimensions, 0, 0) % 3 == 0) {
      extents[index] *= extents[index + 1];
      memmove(extents + index + 1, extents + index + 2,
              sizeof(int) * (size_t)(dimensions - index - 2));
      --dimensions;
    } else {
      ++index;
    }
  for (int index = 0; index < dimensions; ++index)
    printf("%s%d", index ? "x" : "", extents[index]);
}

static void print_messages(int site, int parity) {
  for (int from = 0; from < ranks; ++from)
    for (int to = 0; to < ranks; ++to)
      if (planned(site, from, to) && (parity < 0 || from % 2 == parity)) {
        printf("message %d %d", from, to);
#ifdef VARYING_TAGS
        printf(" -1\n"); /* any tag */
        continue;
#endif
        for (int which = 0; which < tagsOfSite; ++which)
          if (has_tag(site, from, to, which))
            printf(" %d", tag_of(site, which));
        printf("\n");
      }
}

static void print_any_source(int site, int parity) {
  const char *separator = " any-source=";
  for (int rank = 0; rank < ranks; ++rank)
    if (draw(95, site, rank, 0, 0) % 3 == 0 && (parity < 0 || rank % 2 == parity)) {
      printf("%s%d", separator, rank);
      separator = ",";
    }
}

static void print_plan(void) {
  printf("ranks %d\n", ranks);
  for (int site = 0; site < sites; ++site) {
    printf("site %d\n", site + 1);
    for (int parity = communicator_of(site) == 2 ? 0 : -1;
         parity < (communicator_of(site) == 2 ? 2 : 0); ++parity) {
      printf("exchange ");
      if (draw(41, site, 0, 0, 0) % 4 == 0)
        printf("direct");
      else
        print_grid(ranks);
      if (communicator_of(site) == 1)
        printf(" instance=1");
      if (communicator_of(site) == 2) {
        const char *separator = " members=";
        for (int rank = ranks - 1; rank >= 0; --rank)
          if (rank % 2 == parity) {
            printf("%s%d", separator, rank);
            separator = ",";
          }
      }
      print_any_source(site, parity);
      printf("\n");
      print_messages(site, parity);
    }
  }
}
