//===- support/file_name.h - Names of files for the user --------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files that environment variables name: KMP_TASK_STATS, KMP_TASK_TRACE.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SUPPORT_FILE_NAME_H
#define LOCUS_SUPPORT_FILE_NAME_H

#include <stddef.h>

namespace locus {

/// A user's name for a file, with the end of the string.
constexpr size_t MaxPattern = 1024;
/// The name that comes of it.
using FileName = char[MaxPattern + 64];

/// Writes to \p Name what \p Pattern stands for in this process: %p is the
/// process' number, %r its rank, see mpiRank(), or 0. The number comes behind
/// the name of a forked child's file that has no %p. False if it is too long.
bool nameFile(const char *Pattern, FileName &Name);

/// Opens \p Name for writing. -1, with errno, if that cannot be. Not through a
/// link: in a folder that others may write to it may lead anywhere. Never as
/// one of the standard streams. \p Flags are more flags of open().
int openForUser(const char *Name, int Flags);

/// What errno \p Code, of openForUser(), means.
const char *whyNotOpen(int Code);

/// Whether the program runs with other rights than its user's. They are not
/// for files of the user's choice.
bool hasOthersRights();

/// The process' rank by the environment of the MPI launcher; -1 if it has none.
int mpiRank();

/// Whether the process is a forked child of the one that loaded the library.
bool isForked();

} // namespace locus

#endif // LOCUS_SUPPORT_FILE_NAME_H
