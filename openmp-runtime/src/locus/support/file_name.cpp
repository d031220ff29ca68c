//===- support/file_name.cpp - Names of files for the user ----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/support/file_name.h"

#include <errno.h>
#include <fcntl.h>
#include <initializer_list>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

namespace locus {

/// The process that loaded the library: not a forked child of it.
static const pid_t Loader = getpid();

bool isForked() { return getpid() != Loader; }

bool hasOthersRights() { return getauxval(AT_SECURE) != 0; }

int mpiRank() {
  for (const char *Variable :
       {"PMIX_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    const char *Text = getenv(Variable);
    if (!Text || *Text < '0' || *Text > '9')
      continue;
    char *Rest;
    const long Rank = strtol(Text, &Rest, 10);
    if (*Rest == '\0' && Rank <= 0x7fffffff)
      return int(Rank);
  }
  return -1;
}

bool nameFile(const char *Pattern, FileName &Name) {
  char Number[24], Rank[24];
  snprintf(Number, sizeof(Number), "%ld", long(getpid()));
  const int Mine = mpiRank();
  snprintf(Rank, sizeof(Rank), "%d", Mine >= 0 ? Mine : 0);
  size_t Used = 0;
  bool Fits = true, HasNumber = false;
  auto Append = [&](const char *Text, size_t Length) {
    Fits = Fits && Used + Length <= sizeof(Name);
    if (Fits)
      memcpy(Name + Used, Text, Length);
    Used += Length;
  };
  for (const char *C = Pattern; *C; ++C) {
    const bool IsNumber = C[0] == '%' && C[1] == 'p';
    const bool IsRank = C[0] == '%' && C[1] == 'r';
    HasNumber |= IsNumber;
    if (IsNumber || IsRank) {
      const char *Text = IsNumber ? Number : Rank;
      Append(Text, strlen(Text));
      ++C;
    } else {
      Append(C, 1);
    }
  }
  if (isForked() && !HasNumber) {
    Append(".", 1);
    Append(Number, strlen(Number));
  }
  Append("", 1);
  return Fits;
}

int openForUser(const char *Name, int Flags) {
  const int Number =
      open(Name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | Flags, 0666);
  if (Number < 0 || Number > STDERR_FILENO)
    return Number;
  // The program was started without one of its standard streams. What it and
  // its libraries write there is not for this file.
  const int Higher = fcntl(Number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int Code = errno;
  close(Number);
  errno = Code;
  return Higher;
}

const char *whyNotOpen(int Code) {
  return Code == ELOOP ? "it is a symbolic link" : strerror(Code);
}

} // namespace locus
