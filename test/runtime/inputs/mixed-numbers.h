/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Numbers that look random and follow from others, so that all ranks have the same without a
 * message. */

#ifndef TEST_RUNTIME_MIXED_NUMBERS_H
#define TEST_RUNTIME_MIXED_NUMBERS_H

#include <stdint.h>

/* Each number is that of one other number (SplitMix64). */
static uint64_t mix(uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

#endif
