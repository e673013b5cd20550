// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/PrivateGroups.h"

#include "runtime/interception/Lifecycle.h"
#include "runtime/redistribution/MemoryBound.h"
#include "runtime/strict/StrictBuffers.h"

#include <list>

namespace sendwright {

namespace redistribution {

namespace {

struct KnownGroup {
  PrivateGroup shared;
  MPI_Group members = MPI_GROUP_NULL;
};

struct KnownGroups {
  std::list<KnownGroup> groups;       ///< in the order in which they were made; they never move
  int attribute = MPI_KEYVAL_INVALID; ///< of the program's communicators: where in the list
};

// Never destroyed: programs may call MPI from destructors of their own.
KnownGroups &knownGroups() {
  static KnownGroups &known = *new KnownGroups;
  return known;
}

const PrivateGroup *rememberedGroup(MPI_Comm communicator) {
  if (knownGroups().attribute == MPI_KEYVAL_INVALID)
    return nullptr;
  void *value = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(communicator, knownGroups().attribute, static_cast<void *>(&value), &found);
  return found ? static_cast<const PrivateGroup *>(value) : nullptr;
}

void rememberGroup(MPI_Comm communicator, PrivateGroup &group) {
  int &attribute = knownGroups().attribute;
  if (attribute == MPI_KEYVAL_INVALID &&
      PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &attribute,
                              nullptr) != MPI_SUCCESS)
    return;
  PMPI_Comm_set_attr(communicator, attribute, &group);
}

/// What all ranks must know alike of the others' environment.
void agreeOnEnvironment(PrivateGroup &group) {
  const unsigned long long own[2] = {memoryBoundFromEnvironment(), !disabled()};
  unsigned long long least[2] = {own[0], own[1]};
  PMPI_Allreduce(own, least, 2, MPI_UNSIGNED_LONG_LONG, MPI_MIN, group.communicator);
  group.memoryBound = least[0];
  group.disabled = !least[1];
}

/// All ranks with these members know the group, or none, since making it took all of them.
PrivateGroup *findGroup(MPI_Group members) {
  for (KnownGroup &known : knownGroups().groups) {
    int result = MPI_UNEQUAL;
    PMPI_Group_compare(members, known.members, &result);
    if (result == MPI_IDENT)
      return &known.shared;
  }
  return nullptr;
}

} // namespace

const PrivateGroup *privateGroup(MPI_Comm communicator) {
  if (const PrivateGroup *group = rememberedGroup(communicator))
    return group;
  MPI_Group members = MPI_GROUP_NULL;
  if (PMPI_Comm_group(communicator, &members) != MPI_SUCCESS)
    return nullptr;
  if (PrivateGroup *group = findGroup(members)) {
    PMPI_Group_free(&members);
    rememberGroup(communicator, *group);
    return group;
  }
  KnownGroup &known = knownGroups().groups.emplace_back();
  if (strict::on())
    strict::meet(communicator);
  MPI_Comm made = MPI_COMM_NULL;
  if (PMPI_Comm_create(communicator, members, &made) != MPI_SUCCESS || made == MPI_COMM_NULL) {
    knownGroups().groups.pop_back();
    PMPI_Group_free(&members);
    return nullptr;
  }
  PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
  known.members = members;
  known.shared.communicator = made;
  PMPI_Comm_rank(made, &known.shared.rank);
  PMPI_Comm_size(made, &known.shared.ranks);
  agreeOnEnvironment(known.shared);
  rememberGroup(communicator, known.shared);
  return &known.shared;
}

} // namespace redistribution

void endRedistribution() {
  using namespace redistribution;
  KnownGroups &known = knownGroups();
  if (known.attribute != MPI_KEYVAL_INVALID)
    PMPI_Comm_free_keyval(&known.attribute);
  for (KnownGroup &group : known.groups) {
    PMPI_Group_free(&group.members);
    PMPI_Comm_free(&group.shared.communicator);
  }
  known.groups.clear();
}

} // namespace sendwright
