/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* What Sendwright's compiler plugin writes into a program, and its runtime library defines.
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
 *      In a template it says in which instantiation: sendwright_batch_instance(site) and
 *      sendwright_mark_instance(site).
 *
 *      The scope ends with the block, however it is left: the compiler calls the end function
 *      (attribute cleanup). Scopes nest. They may be entered before MPI_Init, after
 *      MPI_Finalize, or on any thread; they do nothing then.
 *   3. In such a loop of a program rebuilt with a plan, what a call through a pointer leads to goes
 *      through the runtime before it is called:
 *
 *          sendwright_checked(table->send)(row, to);
 *
 *      Where it is not known to end and not to wait outside MPI, the rest of the scope runs as
 *      written.
 *   4. In front of an MPI call that can begin a super epoch (docs/transformations/epochs.md):
 *
 *          (sendwright_call(&site), MPI_Send(...))           in a program built to be profiled
 *          sendwright_synchronize(&site); MPI_Send(...);     in a program rebuilt with a plan
 *
 *   5. MPI_Finalize ends what is open and writes the profile.
 *
 * No function here reports an error to the program: what cannot be done is given up, the program
 * goes on as written, and rank 0 says so once on standard error.
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

/* The layout of the structures below. A unit of another version is ignored, with a line that says
 * which file to compile again. */
#define SENDWRIGHT_RUNTIME_VERSION 4

/* sendwright_site.flags */
#define SENDWRIGHT_SITE_STABLE_BUFFERS 1u /* proved: the loop overwrites no send buffer */
#define SENDWRIGHT_SITE_DEFERRABLE                                                                 \
  2u /* a marked loop; proved: it ends, waits for nothing outside MPI and calls through no         \
        pointer, but for what functions of other units do */
/* The upper half, of a call: the number of its MPI function (its line in MpiFunctions.def). */
#define SENDWRIGHT_SITE_FUNCTION_SHIFT 16

/* A place in the source that communicates. Identity: file, function, hash, ordinal; the same site
 * may be registered by several units (a loop in a header). All instantiations of a template share
 * it: which one a scope is in, the scope says. Strings live as long as the unit. */
struct sendwright_site {
  const char *file;        /* as the compiler named it */
  const char *function;    /* qualified name, template arguments left out */
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

/* What one translation unit brings. */
struct sendwright_unit {
  unsigned version; /* SENDWRIGHT_RUNTIME_VERSION */
  unsigned mode;    /* SENDWRIGHT_UNIT_... */
  const char *file; /* the main source file, as the compiler named it */
  struct sendwright_site **sites;
  unsigned long site_count;
  const char *functions;      /* generate: JSON, what each function of the unit calls; or null */
  const unsigned char *plan;  /* use: a whole plan file; or null */
  unsigned long plan_size;    /* bytes */
  const unsigned char *facts; /* use: facts of functions that the plan names; and what the sites
                                 need of those of other units; or null */
  unsigned long facts_size;   /* bytes */
  /* use: the addresses of the functions that pointers may lead to, and of virtual ones, in the
   * order of the facts, null where the program does not have one; or a null pointer. */
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

/* Called through the macros below. Begin: `scope` is zero but for `site`. End: called by the
 * compiler when the block is left; never throws. A scope that was left without its end being called
 * (longjmp, or a C++ exception through C code without unwinding) is noticed by its address at the
 * next MPI call or scope, and ended there. */
void sendwright_batch_begin(struct sendwright_scope *scope);
void sendwright_batch_end(struct sendwright_scope *scope);
void sendwright_mark_begin(struct sendwright_scope *scope);
void sendwright_mark_end(struct sendwright_scope *scope);

/* The same begins for a loop in a template. `function` is what the compiler calls the instantiation
 * that holds the loop, with the arguments of the template (Clang's __PRETTY_FUNCTION__); equal text
 * means the same instantiation. It lives as long as the unit. */
void sendwright_batch_begin_instance(struct sendwright_scope *scope, const char *function);
void sendwright_mark_begin_instance(struct sendwright_scope *scope, const char *function);

/* The innermost open scope's loop is about to call the function at `address`, which is returned.
 * Where nothing is known of it, or it may wait outside MPI, everything that the scope holds is
 * issued, and it captures nothing more. One test where no scope is open. */
void *sendwright_called(void *address);

/* The call of MPI that this thread makes next is the one at `site`, if it is of the function that
 * the site names; no other call is taken for it. Does nothing unless a profile is recorded. */
void sendwright_call(struct sendwright_site *site);

/* The same of a call that answers a loop over the ranks from `first` to `end` - 1, as far as this
 * rank knows: it counts as marked only where these are all ranks of its communicator, the root left
 * out or not. */
void sendwright_call_covering(struct sendwright_site *site, long long root, long long first,
                              long long end);

/* A call that can begin a super epoch follows (in a program whose plan synchronises): waits, if it
 * does, for the ranks that the plan says. Where a call is not marked so, it is done when the call
 * reaches MPI. `site` may be a null pointer. */
void sendwright_synchronize(struct sendwright_site *site);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

/* The value of CALLEE, a pointer to a function or a function, with its type, evaluated once, after
 * sendwright_called() had a look at it. There may be commas in it that are not in parentheses. */
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

/* OBJECT, or the value of POINTER, evaluated once, after sendwright_called() had a look at the
 * virtual function in that slot of the object's table. */
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

/* A scope is nothing that a person wants to see in a debugger. */
#ifdef __clang__
#define SENDWRIGHT_SCOPE(END) __attribute__((__cleanup__(END), __nodebug__)) struct sendwright_scope
#else
#define SENDWRIGHT_SCOPE(END) __attribute__((__cleanup__(END))) struct sendwright_scope
#endif

/* Statements (a declaration and a call) that open a scope up to the end of the enclosing block. */
#define sendwright_batch(SITE)                                                                     \
  SENDWRIGHT_SCOPE(sendwright_batch_end) SITE##_scope = {&SITE, 0};                                \
  sendwright_batch_begin(&SITE##_scope)
#define sendwright_mark(SITE)                                                                      \
  SENDWRIGHT_SCOPE(sendwright_mark_end) SITE##_scope = {&SITE, 0};                                 \
  sendwright_mark_begin(&SITE##_scope)

/* The same in a template. The name of the function is no argument of the user's, so that a warning
 * about it would be about this header. */
#define sendwright_batch_instance(SITE)                                                            \
  SENDWRIGHT_SCOPE(sendwright_batch_end) SITE##_scope = {&SITE, 0};                                \
  sendwright_batch_begin_instance(&SITE##_scope, __PRETTY_FUNCTION__)
#define sendwright_mark_instance(SITE)                                                             \
  SENDWRIGHT_SCOPE(sendwright_mark_end) SITE##_scope = {&SITE, 0};                                 \
  sendwright_mark_begin_instance(&SITE##_scope, __PRETTY_FUNCTION__)

#endif /* SENDWRIGHT_RUNTIME_H */
