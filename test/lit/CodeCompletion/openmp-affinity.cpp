// The line and column numbers matter: completion points are below.
void body();
void test(int locator, int *pointer) {
#pragma omp task affinity(node: locator, strict) affinity(locator)
  body();
#pragma omp task affinity(node: locator, 1)
  body();
#pragma omp task affinity(no)
  body();
}

// Behind '(': the kinds, an iterator, and what a locator can begin with.
// RUN: %clang_cc1 -fopenmp -fsyntax-only -code-completion-patterns -code-completion-at=%s:4:27 %s -o - | FileCheck %s --check-prefix=BEGIN
// RUN: %clang_cc1 -fopenmp -fsyntax-only -code-completion-patterns -code-completion-at=%s:4:59 %s -o - | FileCheck %s --check-prefix=BEGIN
// RUN: %clang_cc1 -fopenmp -fsyntax-only -x c -code-completion-patterns -code-completion-at=%s:4:27 %s -o - | FileCheck %s --check-prefix=BEGIN
// BEGIN-DAG: COMPLETION: Pattern : thread: <#expression#>
// BEGIN-DAG: COMPLETION: Pattern : node: <#expression#>
// BEGIN-DAG: COMPLETION: Pattern : data: <#expression#>
// BEGIN-DAG: COMPLETION: Pattern : iterator(<#iterators-definition#>): <#locator-list#>
// BEGIN-DAG: COMPLETION: locator : [#int#]locator
// BEGIN-DAG: COMPLETION: pointer : [#int *#]pointer

// Without the extension there are no kinds.
// RUN: %clang_cc1 -fopenmp -fno-openmp-extensions -fsyntax-only -code-completion-patterns -code-completion-at=%s:4:27 %s -o - | FileCheck %s --check-prefix=NOEXT
// NOEXT-NOT: : node:
// NOEXT: COMPLETION: Pattern : iterator(<#iterators-definition#>): <#locator-list#>
// NOEXT: COMPLETION: locator : [#int#]locator
// NOEXT-NOT: : thread:

// Behind the beginning of a kind.
// RUN: %clang_cc1 -fopenmp -fsyntax-only -code-completion-patterns -code-completion-at=%s:8:29 %s -o - | FileCheck %s --check-prefix=PREFIX
// PREFIX-NOT: locator
// PREFIX: COMPLETION: Pattern : node: <#expression#>
// PREFIX-NOT: thread

// Behind ':': an expression.
// RUN: %clang_cc1 -fopenmp -fsyntax-only -code-completion-patterns -code-completion-at=%s:4:33 %s -o - | FileCheck %s --check-prefix=PLACE
// PLACE-NOT: : strict
// PLACE: COMPLETION: locator : [#int#]locator
// PLACE-NOT: : strict

// Behind ',': the mark, or an expression.
// RUN: %clang_cc1 -fopenmp -fsyntax-only -code-completion-patterns -code-completion-at=%s:4:42 %s -o - | FileCheck %s --check-prefix=STRICT
// RUN: %clang_cc1 -fopenmp -fsyntax-only -code-completion-patterns -code-completion-at=%s:6:42 %s -o - | FileCheck %s --check-prefix=STRICT
// STRICT-DAG: COMPLETION: strict
// STRICT-DAG: COMPLETION: locator : [#int#]locator
// STRICT-NOT: iterator
