/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Long cables for the emulated cluster, where the kernel has no netem: passes frames of hosts on
 * to the switch after a fixed delay, and the frames of the switch at once.
 *
 * Usage: delay-line MICROSECONDS PAIRS    with "wireN" towards host N and "lineN" towards the
 * switch, N from 0 to PAIRS - 1, in this network namespace
 *
 * All frames wait equally long, so they leave in the order in which they came. A frame travels
 * with the header that tells the sender's network card what to do with it: checksums, segments. */

#define _GNU_SOURCE

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
  most_pairs = 250,
  most_bytes = 70000,  /* a frame with its header */
  most_waiting = 20000 /* frames; more are dropped, as by a full queue */
};

struct frame {
  int64_t due; /* nanoseconds */
  int to;      /* a socket */
  size_t bytes;
  unsigned char *content;
};

static struct frame waiting[most_waiting]; /* a ring */
static size_t first, count;
static unsigned char arrived[most_bytes];

static void fail(const char *what, const char *name) {
  fprintf(stderr, "delay-line: %s %s: ", what, name);
  perror("");
  exit(1);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* Opens a socket that receives all frames at the device, and can send from it. */
static int open_device(const char *kind, int number) {
  char name[IF_NAMESIZE];
  snprintf(name, sizeof name, "%s%d", kind, number);
  struct sockaddr_ll address = {.sll_family = AF_PACKET,
                                .sll_protocol = htons(ETH_P_ALL),
                                .sll_ifindex = (int)if_nametoindex(name)};
  int device = socket(AF_PACKET, SOCK_RAW, 0), on = 1, room = 4 << 20;
  if (address.sll_ifindex == 0 || device < 0 ||
      setsockopt(device, SOL_PACKET, PACKET_VNET_HDR, &on, sizeof on) != 0 ||
      setsockopt(device, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof on) != 0 ||
      setsockopt(device, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room) != 0 ||
      bind(device, (struct sockaddr *)&address, sizeof address) != 0)
    fail("cannot use", name);
  return device;
}

/* A frame that cannot be sent is lost, as on any cable. */
static void pass_on(int to, const unsigned char *content, size_t bytes) {
  while (send(to, content, bytes, 0) < 0 && errno == EINTR) {
  }
}

static void hold_back(int to, size_t bytes, int64_t until) {
  unsigned char *copy = count < most_waiting ? malloc(bytes) : NULL;
  if (!copy)
    return;
  for (size_t i = 0; i < bytes; ++i)
    copy[i] = arrived[i];
  waiting[(first + count++) % most_waiting] = (struct frame){until, to, bytes, copy};
}

static void release_due(void) {
  for (int64_t time = now(); count > 0 && waiting[first].due <= time; --count) {
    pass_on(waiting[first].to, waiting[first].content, waiting[first].bytes);
    free(waiting[first].content);
    first = (first + 1) % most_waiting;
  }
}

static void take_all(int from, int to, int64_t delay) {
  ssize_t bytes;
  while ((bytes = recv(from, arrived, sizeof arrived, MSG_DONTWAIT)) > 0)
    if (delay > 0)
      hold_back(to, (size_t)bytes, now() + delay);
    else
      pass_on(to, arrived, (size_t)bytes);
}

int main(int argc, char **argv) {
  int64_t delay = argc == 3 ? atoll(argv[1]) * 1000 : 0;
  int pairs = argc == 3 ? atoi(argv[2]) : 0;
  if (delay <= 0 || pairs < 1 || pairs > most_pairs) {
    fprintf(stderr, "usage: delay-line MICROSECONDS PAIRS (1 to %d)\n", most_pairs);
    return 2;
  }
  static struct pollfd devices[2 * most_pairs]; /* wire and line of each pair */
  for (int pair = 0; pair < pairs; ++pair) {
    devices[2 * pair] = (struct pollfd){open_device("wire", pair), POLLIN, 0};
    devices[2 * pair + 1] = (struct pollfd){open_device("line", pair), POLLIN, 0};
  }
  prctl(PR_SET_TIMERSLACK, 1);       /* frames leave when they are due, */
  setpriority(PRIO_PROCESS, 0, -20); /* and not only when ranks leave a core */
  puts("ready");
  fflush(stdout);
  for (;;) {
    int64_t left = count > 0 ? waiting[first].due - now() : 0;
    struct timespec until = {left > 0 ? left / 1000000000 : 0, left > 0 ? left % 1000000000 : 0};
    if (ppoll(devices, 2 * (nfds_t)pairs, count > 0 ? &until : NULL, NULL) < 0 && errno != EINTR)
      fail("cannot wait for", "frames");
    for (int i = 0; i < 2 * pairs; ++i)
      if (devices[i].revents)
        take_all(devices[i].fd, devices[i ^ 1].fd, i % 2 == 0 ? delay : 0);
    release_due();
  }
}
