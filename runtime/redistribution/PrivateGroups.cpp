// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/PrivateGroups.h"

#include "runtime/base/Process.h"
#include "runtime/base/Units.h"
#include "runtime/redistribution/MemoryBound.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <string_view>

namespace sendwright {

namespace redistribution {

namespace {

struct KnownGroup {
  PrivateGroup shared;
  MPI_Group members = MPI_GROUP_NULL;
};

class KnownGroups final : public Layer {
public:
  static constexpr LayerPlace place = LayerPlace::RedistributionGroups;

  /// Frees the communicators; no group is known afterwards.
  void finish() override;

  std::mutex mutex;                   ///< never held while MPI communicates
  std::list<KnownGroup> groups;       ///< in order of creation; they never move
  std::mutex attributeMutex;          ///< see attributeKey()
  int attribute = MPI_KEYVAL_INVALID; ///< likewise
};

/// The layer begins with the first redistribution, in whichever thread.
KnownGroups &knownGroups() {
  static KnownGroups &known = process.begin(std::make_unique<KnownGroups>());
  return known;
}

/// Whether threads may redistribute at the same time, each over its own communicator.
bool severalThreads() {
  int level = MPI_THREAD_SINGLE;
  return PMPI_Query_thread(&level) == MPI_SUCCESS && level >= MPI_THREAD_MULTIPLE;
}

void freeGroup(KnownGroup &group) {
  if (group.members != MPI_GROUP_NULL)
    PMPI_Group_free(&group.members);
  PMPI_Comm_free(&group.shared.communicator);
}

void KnownGroups::finish() {
  if (attribute != MPI_KEYVAL_INVALID)
    PMPI_Comm_free_keyval(&attribute);
  std::list<KnownGroup> freed;
  {
    const std::lock_guard lock(mutex);
    freed.swap(groups);
  }
  for (KnownGroup &group : freed)
    freeGroup(group);
}

/// The program frees a communicator. A group that belongs to it alone is freed too.
int communicatorFreed(MPI_Comm, int, void *value, void *) {
  if (!severalThreads())
    return MPI_SUCCESS;
  std::list<KnownGroup> freed;
  {
    const std::lock_guard lock(knownGroups().mutex);
    std::list<KnownGroup> &groups = knownGroups().groups; // empty after MPI has ended
    for (auto group = groups.begin(); group != groups.end(); ++group)
      if (&group->shared == value) {
        freed.splice(freed.begin(), groups, group);
        break;
      }
  }
  for (KnownGroup &group : freed)
    freeGroup(group);
  return MPI_SUCCESS;
}

/// The key under which the program's communicators remember their group; MPI_KEYVAL_INVALID if
/// there is none. It has its own lock, and no lock is held while attributes are used: MPI may hold
/// its own lock when it calls communicatorFreed(), which takes the groups' lock.
int attributeKey() {
  const std::lock_guard lock(knownGroups().attributeMutex);
  int &key = knownGroups().attribute;
  if (key == MPI_KEYVAL_INVALID && PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, communicatorFreed,
                                                           &key, nullptr) != MPI_SUCCESS)
    return MPI_KEYVAL_INVALID;
  return key;
}

const PrivateGroup *rememberedGroup(MPI_Comm communicator) {
  const int key = attributeKey();
  void *value = nullptr;
  int found = 0;
  if (key != MPI_KEYVAL_INVALID)
    PMPI_Comm_get_attr(communicator, key, static_cast<void *>(&value), &found);
  return found ? static_cast<const PrivateGroup *>(value) : nullptr;
}

void rememberGroup(MPI_Comm communicator, PrivateGroup &group) {
  if (const int key = attributeKey(); key != MPI_KEYVAL_INVALID)
    PMPI_Comm_set_attr(communicator, key, &group);
}

/// Whether SENDWRIGHT_REDISTRIBUTE_TRUST asks to move without agreement: set to something other
/// than "" and "0".
bool wantsTrust() {
  const char *text = std::getenv("SENDWRIGHT_REDISTRIBUTE_TRUST");
  return text && *text && std::string_view(text) != "0";
}

/// Shares what all ranks must know about one another's environment.
void agreeOnEnvironment(PrivateGroup &group) {
  // Signed: MPICH 4.0 compares unsigned numbers so, and `unbounded` would be the least.
  constexpr long long most = std::numeric_limits<long long>::max();
  enum Way : long long { byLibrary, agreeing, trusting }; // all ranks do what the least asks for
  const Way way = disabled() ? byLibrary : wantsTrust() ? trusting : agreeing;
  const long long own[2] = {
      static_cast<long long>(std::min<std::uint64_t>(memoryBoundFromEnvironment(), most)), way};
  long long least[2] = {own[0], own[1]};
  PMPI_Allreduce(own, least, 2, MPI_LONG_LONG, MPI_MIN, group.communicator);
  group.memoryBound = least[0] == most ? unbounded : static_cast<std::uint64_t>(least[0]);
  group.disabled = least[1] == byLibrary;
  group.trusting = least[1] == trusting;
}

/// Either all ranks with these members know the group or no rank does, since all of them created it
/// together.
PrivateGroup *findGroup(MPI_Group members) {
  const std::lock_guard lock(knownGroups().mutex);
  for (KnownGroup &known : knownGroups().groups) {
    int result = MPI_UNEQUAL;
    if (known.members != MPI_GROUP_NULL)
      PMPI_Group_compare(members, known.members, &result);
    if (result == MPI_IDENT)
      return &known.shared;
  }
  return nullptr;
}

/// Creates a group and takes over the members. Null if MPI could not create the communicator. The
/// wrapper is called, since halo cells travel as messages of the program.
PrivateGroup *makeGroup(MPI_Comm communicator, MPI_Group members) {
  KnownGroup made;
  if (MPI_Comm_create(communicator, members, &made.shared.communicator) != MPI_SUCCESS ||
      made.shared.communicator == MPI_COMM_NULL) {
    PMPI_Group_free(&members);
    return nullptr;
  }
  PMPI_Comm_set_errhandler(made.shared.communicator, MPI_ERRORS_RETURN);
  made.members = members;
  PMPI_Comm_rank(made.shared.communicator, &made.shared.rank);
  PMPI_Comm_size(made.shared.communicator, &made.shared.ranks);
  agreeOnEnvironment(made.shared);
  const std::lock_guard lock(knownGroups().mutex);
  return &knownGroups().groups.emplace_back(made).shared;
}

} // namespace

const PrivateGroup *privateGroup(MPI_Comm communicator) {
  if (const PrivateGroup *group = rememberedGroup(communicator))
    return group;
  MPI_Group members = MPI_GROUP_NULL;
  if (PMPI_Comm_group(communicator, &members) != MPI_SUCCESS)
    return nullptr;
  PrivateGroup *group = severalThreads() ? nullptr : findGroup(members);
  if (group)
    PMPI_Group_free(&members);
  else
    group = makeGroup(communicator, members);
  if (group)
    rememberGroup(communicator, *group);
  return group;
}

} // namespace redistribution

} // namespace sendwright
