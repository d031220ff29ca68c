// RUN: %clang_cc1 -fsyntax-only -DTYPE=int %s
TYPE x;
