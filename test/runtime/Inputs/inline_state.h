#ifndef LOCUS_TEST_INLINE_STATE_H
#define LOCUS_TEST_INLINE_STATE_H

#ifdef __cplusplus
extern "C" {
#endif

/// How many tasks in place this thread is in that the runtime does not know of.
int inlineDepth(void);
/// Whether the next task will run in place.
int isOffered(void);
/// Lets this thread's next tasks run in place, until it pushes a real one.
/// False if it has never pushed one.
int nextInPlace(void);
/// Has the runtime believe that it does not know of the current task.
void pretendUnknown(void);
/// Makes this thread's next task a real one.
void nextReal(void);

#ifdef __cplusplus
}
#endif

#endif
