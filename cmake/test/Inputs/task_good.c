// RUN: %clang_cc1 -fsyntax-only %s
int x;
