/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The calls that Sendwright's compiler plugin writes into a program, and that its runtime
 * library defines.
 *
 * The protocol, in the order of the calls:
 *
 *   1. Before main, a constructor of each translation unit calls sendwright_register() once with a
 *      unit that lives as long as the program (or its shared library). MPI is not initialised yet.
 *   2. From MPI_Init on, a loop that may send is surrounded by a scope:
 *
 *          { sendwright_batch(site);  for (...) ... }      in a program rebuilt with a plan
 *          { sendwright_mark(site);   for (...) ... }      in a program built to be profiled
 *
 *      A scope around several statements looks the same; where they declare variables that are used
 *      after them, it has no braces, and a call closes it:
 *
 *          sendwright_batch(site);  ...  sendwright_batch_end(&site_scope);
 *
 *      In a template, sendwright_batch_instance(site) and sendwright_mark_instance(site) also say
 *      which instantiation it is.
 *
 *      The scope ends at that call, or with the block, however it is left: the compiler calls the
 *      end function (attribute cleanup), which does nothing for a scope that has ended. Scopes
 *      nest. They may be entered before MPI_Init, after MPI_Finalize, or on any thread; they do
 *      nothing then.
 *   3. In a program rebuilt with a plan, a scope's loop shows the runtime the target of each call
 *      through a pointer before the call:
 *
 *          sendwright_checked(table->send)(row, to);
 *
 *      Unless the target is known to end and not to wait outside MPI, the rest of the scope runs
 *      as written.
 *   4. In front of an MPI call that can begin a super epoch (docs/transformations/epochs.md):
 *
 *          (sendwright_call(&site), MPI_Send(...))           in a program built to be profiled
 *          sendwright_synchronize(&site); MPI_Send(...);     in a program rebuilt with a plan
 *
 *      In a program built to be profiled, the same stands in front of a call of a function that may
 *      wrap MPI, and says where it is called:
 *
 *          (sendwright_called_from(&caller), library_send(...))
 *
 *   5. Where the user lets exchanges overlap, a scope around MPI_Sendrecv statements whose data the
 *      compiler finds independent, around the scope of 2:
 *
 *          { sendwright_chain(site);  sendwright_mark(site);  MPI_Sendrecv(...); ... }
 *
 *   6. MPI_Finalize ends what is open and writes the profile.
 *
 * No function here reports an error to the program: where the runtime cannot do something, the
 * program goes on as written, and rank 0 says so once on standard error.
 *
 * All calls are thread-safe. The header is C89 and C++98, and includes nothing. */

#ifndef SENDWRIGHT_RUNTIME_H
#define SENDWRIGHT_RUNTIME_H
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* The layout of the structures below. A unit with another version is ignored; a message says
 * which file must be recompiled. */
#define SENDWRIGHT_RUNTIME_VERSION 4

/* sendwright_site.flags */
#define SENDWRIGHT_SITE_STABLE_BUFFERS 1u /* proved: the loop overwrites no send buffer */
#define SENDWRIGHT_SITE_DEFERRABLE                                                                 \
  2u /* a marked loop; proved, apart from functions of other units: it ends, waits for nothing     \
        outside MPI, and calls through no pointer */
#define SENDWRIGHT_SITE_BLOCK 4u /* statements that send, and loops among them: a site together */
/* The upper half of a call's flags: the number of its MPI function (its line in
 * MpiFunctions.def). */
#define SENDWRIGHT_SITE_FUNCTION_SHIFT 16

/* A place in the source that communicates. Identity: file, function, hash, ordinal; the same
 * site may be registered by several units (a loop in a header). All instantiations of a template
 * share a site; the scope says which instantiation it is in. Strings live as long as the unit. */
struct sendwright_site {
  const char *file;        /* as the compiler named it */
  const char *function;    /* qualified name without template arguments */
  unsigned line;           /* for messages, not part of the identity */
  unsigned ordinal;        /* among the function's loops, or calls, of the same hash, from 0 */
  unsigned long long hash; /* of the loop's or call's normalised tokens */
  unsigned flags;          /* SENDWRIGHT_SITE_... */
  void *state;             /* the runtime's own; a null pointer in the object file */
};

/* The address of any function. */
typedef void (*sendwright_function)(void);

/* sendwright_unit.mode */
#define SENDWRIGHT_UNIT_GENERATE 1u
#define SENDWRIGHT_UNIT_USE 2u

/* What one translation unit registers. */
struct sendwright_unit {
  unsigned version; /* SENDWRIGHT_RUNTIME_VERSION */
  unsigned mode;    /* SENDWRIGHT_UNIT_... */
  const char *file; /* the main source file, as the compiler named it */
  struct sendwright_site **sites;
  unsigned long site_count;
  const char *functions;      /* generate: JSON, what each function of the unit calls; or null */
  const unsigned char *plan;  /* use: a whole plan file; or null */
  unsigned long plan_size;    /* bytes */
  const unsigned char *facts; /* use: facts about functions that the plan names, and about
                                 functions of other units that the sites rely on; or null */
  unsigned long facts_size;   /* bytes */
  /* use: the addresses of the virtual functions and of the functions that pointers may lead to,
   * in the order of the facts; null for a function that the program does not have. Or a null
   * pointer. */
  const sendwright_function *targets;
  unsigned long target_count;
  struct sendwright_unit *next; /* the runtime's own; a null pointer in the object file */
};

/* Announces a unit. Called before main or while a shared library is loaded. */
void sendwright_register(struct sendwright_unit *unit);

/* A scope on the stack of the function that holds the loop. All fields are the runtime's own. */
struct sendwright_scope {
  struct sendwright_site *site;
  unsigned long state;
};

/* Called through the macros below. Begin: `scope` is zero except for `site`. End: called by the
 * compiler when the block is left; never throws. If a scope is left without a call of its end
 * (longjmp, or a C++ exception through C code without unwinding), the next MPI call or scope
 * notices by the scope's address, and ends it. */
void sendwright_batch_begin(struct sendwright_scope *scope);
void sendwright_batch_end(struct sendwright_scope *scope);
void sendwright_mark_begin(struct sendwright_scope *scope);
void sendwright_mark_end(struct sendwright_scope *scope);

/* The same for a loop in a template. `function` is what the compiler calls the instantiation
 * that holds the loop, with its template arguments (Clang's __PRETTY_FUNCTION__); equal text
 * means the same instantiation. The text lives as long as the unit. */
void sendwright_batch_begin_instance(struct sendwright_scope *scope, const char *function);
void sendwright_mark_begin_instance(struct sendwright_scope *scope, const char *function);

/* Says that the innermost open scope's loop is about to call the function at `address`, and
 * returns `address`. If the function is unknown, or may wait outside MPI, the runtime issues
 * everything that the scope holds, and the scope captures nothing more. Costs one test where no
 * scope is open. */
void *sendwright_called(void *address);

/* Says that this thread's next call of MPI is the call at `site`, if it calls the function that
 * the site names; no other call is mistaken for it. Does nothing unless a profile is recorded. */
void sendwright_call(struct sendwright_site *site);

/* A call of a function that may wrap calls of MPI. Strings live as long as the unit. */
struct sendwright_caller {
  const char *file;              /* as the compiler named it */
  const char *callee;            /* qualified name without template arguments */
  unsigned line;                 /* of the call */
  struct sendwright_site *known; /* the runtime's own; a null pointer in the object file */
};

/* Says that this thread's next marked calls of MPI (sendwright_call) that stand in the function
 * `callee` are made for this call of it. A marked call in another function ends this. Does nothing
 * unless a profile is recorded. */
void sendwright_called_from(struct sendwright_caller *caller);

/* The same as sendwright_call() for a call that answers a loop over the ranks from `first` to `end`
 * - 1, as far as this rank knows: the call counts as marked only where these are all ranks of its
 * communicator, with or without the root. */
void sendwright_call_covering(struct sendwright_site *site, long long root, long long first,
                              long long end);

/* A scope in which nothing looks at what calls of MPI_Sendrecv receive: each may be under way with
 * the next; all have finished when the scope ends. Reads: the arguments of later calls are read
 * from this memory, so a call that receives into it runs as written. */
struct sendwright_chain_scope {
  struct sendwright_site *site;
};
void sendwright_chain_begin(struct sendwright_chain_scope *scope);
void sendwright_chain_reads(const void *address, unsigned long size);
void sendwright_chain_end(struct sendwright_chain_scope *scope);

/* Says that a call follows that can begin a super epoch (in a program whose plan synchronises).
 * If it does begin one, waits for the ranks that the plan names. A call without this mark waits
 * when it reaches MPI. `site` may be a null pointer. */
void sendwright_synchronize(struct sendwright_site *site);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

/* The value of CALLEE, a function or a pointer to a function, with its type, evaluated once and
 * passed to sendwright_called(). CALLEE may contain commas outside of parentheses. */
#ifdef __cplusplus
template <typename Function>
#ifdef __clang__
__attribute__((__nodebug__, __always_inline__))
#endif
inline Function
sendwright_checked_function(Function function) {
  sendwright_called(reinterpret_cast<void *>(function));
  return function;
}
#define sendwright_checked(...) ::sendwright_checked_function(__VA_ARGS__)

/* The value of POINTER, which leads to a member function, with its type, evaluated once, after
 * sendwright_called() got the function; null for a virtual function, which depends on the object.
 */
template <typename Member>
#ifdef __clang__
__attribute__((__nodebug__, __always_inline__))
#endif
inline Member
sendwright_checked_member_function(Member member) {
  unsigned long words[2]; /* the address, or the place in the table; the change of the object's */
  __builtin_memcpy(words, &member, sizeof words);
#if defined(__arm__) || defined(__aarch64__)
  const unsigned long isVirtual = words[1] & 1;
#else
  const unsigned long isVirtual = words[0] & 1;
#endif
  sendwright_called(isVirtual ? 0 : reinterpret_cast<void *>(words[0]));
  return member;
}
#define sendwright_checked_member(...) ::sendwright_checked_member_function(__VA_ARGS__)

/* OBJECT, or the value of POINTER, evaluated once, after sendwright_called() got the virtual
 * function in that slot of the object's table. */
template <typename Object>
#ifdef __clang__
__attribute__((__nodebug__, __always_inline__))
#endif
inline Object *
sendwright_checked_slot(unsigned long slot, Object *object) {
  sendwright_called((*reinterpret_cast<void **const *>(object))[slot]);
  return object;
}
#define sendwright_checked_object(SLOT, ...)                                                       \
  (*::sendwright_checked_slot(SLOT, __builtin_addressof(__VA_ARGS__)))
#define sendwright_checked_pointer(SLOT, ...) ::sendwright_checked_slot(SLOT, __VA_ARGS__)
#else
#define sendwright_checked(...)                                                                    \
  ((__typeof__(&*(__VA_ARGS__)))sendwright_called((void *)(__VA_ARGS__)))
#endif

/* Numbers may be of any type. */
#define sendwright_call_where(SITE, ROOT, FIRST, END)                                              \
  sendwright_call_covering((SITE), (long long)(ROOT), (long long)(FIRST), (long long)(END))

/* Debuggers need not show a scope. */
#ifdef __clang__
#define SENDWRIGHT_CLOSED_BY(END) __attribute__((__cleanup__(END), __nodebug__))
#else
#define SENDWRIGHT_CLOSED_BY(END) __attribute__((__cleanup__(END)))
#endif
#define SENDWRIGHT_SCOPE(END) SENDWRIGHT_CLOSED_BY(END) struct sendwright_scope

/* Statements (a declaration and a call) that open a scope until the end of the enclosing block. */
#define sendwright_batch(SITE)                                                                     \
  SENDWRIGHT_SCOPE(sendwright_batch_end) SITE##_scope = {&SITE, 0};                                \
  sendwright_batch_begin(&SITE##_scope)
#define sendwright_mark(SITE)                                                                      \
  SENDWRIGHT_SCOPE(sendwright_mark_end) SITE##_scope = {&SITE, 0};                                 \
  sendwright_mark_begin(&SITE##_scope)

#define sendwright_chain(SITE)                                                                     \
  SENDWRIGHT_CLOSED_BY(sendwright_chain_end) struct sendwright_chain_scope SITE##_chain = {&SITE}; \
  sendwright_chain_begin(&SITE##_chain)

/* The same in a template. The macro itself names the function, so that a warning about the name
 * would be about this header. */
#define sendwright_batch_instance(SITE)                                                            \
  SENDWRIGHT_SCOPE(sendwright_batch_end) SITE##_scope = {&SITE, 0};                                \
  sendwright_batch_begin_instance(&SITE##_scope, __PRETTY_FUNCTION__)
#define sendwright_mark_instance(SITE)                                                             \
  SENDWRIGHT_SCOPE(sendwright_mark_end) SITE##_scope = {&SITE, 0};                                 \
  sendwright_mark_begin_instance(&SITE##_scope, __PRETTY_FUNCTION__)

#endif /* SENDWRIGHT_RUNTIME_H */
