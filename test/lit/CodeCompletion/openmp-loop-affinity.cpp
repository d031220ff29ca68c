// The line and column numbers matter: completion points are below.
void body(int);
void test(int locator, int *pointer) {
#pragma omp taskloop affinity(node: locator, strict)
  for (int iteration = 0; iteration < 8; ++iteration)
    body(iteration);
#pragma omp taskloop
  for (int iteration = 0; iteration < 8; ++iteration) {
#pragma omp task_iteration affinity(pointer[iteration])
    body(iteration);
  }
}
// Where it completes, clang parses the clause of a loop at its own place and not in the
// loop's body, and reports it as one that a loop does not take; editors do not show what
// is reported then.
// RUN: not %clang_cc1 -fopenmp -fsyntax-only -code-completion-patterns -code-completion-at=%s:4:31 %s -o - 2>/dev/null | FileCheck %s --check-prefix=BEGIN
// RUN: not %clang_cc1 -fopenmp -fsyntax-only -code-completion-patterns -code-completion-at=%s:4:37 %s -o - 2>/dev/null | FileCheck %s --check-prefix=PLACE
// RUN: not %clang_cc1 -fopenmp -fsyntax-only -code-completion-patterns -code-completion-at=%s:4:46 %s -o - 2>/dev/null | FileCheck %s --check-prefix=STRICT
// RUN: not %clang_cc1 -fopenmp -fsyntax-only -code-completion-patterns -code-completion-at=%s:9:37 %s -o - 2>/dev/null | FileCheck %s --check-prefix=INNER
// RUN: not %clang_cc1 -fopenmp -fsyntax-only -code-completion-patterns -code-completion-at=%s:9:45 %s -o - 2>/dev/null | FileCheck %s --check-prefix=INDEX

// The clause of a loop: the kinds, and what a locator can begin with.
// BEGIN-DAG: COMPLETION: Pattern : thread: <#expression#>
// BEGIN-DAG: COMPLETION: Pattern : node: <#expression#>
// BEGIN-DAG: COMPLETION: Pattern : data: <#expression#>
// BEGIN-DAG: COMPLETION: Pattern : iterator(<#iterators-definition#>): <#locator-list#>
// BEGIN-DAG: COMPLETION: pointer : [#int *#]pointer

// Behind ':' an expression, behind ',' the mark or an expression. The loop's
// variables are not declared yet.
// PLACE-NOT: {{iteration|strict}}
// PLACE: COMPLETION: locator : [#int#]locator
// PLACE-NOT: {{iteration|strict}}
// STRICT-DAG: COMPLETION: strict
// STRICT-DAG: COMPLETION: locator : [#int#]locator

// In the loop they are.
// INNER-DAG: COMPLETION: iteration : [#int#]iteration
// INNER-DAG: COMPLETION: Pattern : data: <#expression#>
// INNER-DAG: COMPLETION: pointer : [#int *#]pointer
// INDEX-NOT: Pattern : data:
// INDEX: COMPLETION: iteration : [#int#]iteration
// INDEX-NOT: Pattern : data:
