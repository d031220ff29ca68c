//===- kmp/stamp.h - Whether a Team still fits ------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A field of libomp's task team. kmp.h includes this header; it must stay plain
// C++ without any include of libomp. places.h makes stamps.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_STAMP_H
#define LOCUS_KMP_STAMP_H

#include <stdint.h>

namespace locus {

class NodePool;

/// What a team was like when its Team was found to fit. Only compared: as long
/// as the stamp is the same, nobody has to look at the team's threads.
struct TeamStamp {
  uint64_t Team;   ///< of the list of threads and their places
  uint64_t Places; ///< of all threads' own wishes
  int NumThreads;
  int Bind;       ///< the policy that the places come from
  int FirstPlace; ///< of thread 0, which may have moved in another team

  bool operator==(const TeamStamp &Other) const {
    return Team == Other.Team && Places == Other.Places &&
           NumThreads == Other.NumThreads && Bind == Other.Bind &&
           FirstPlace == Other.FirstPlace;
  }
};

} // namespace locus

#endif // LOCUS_KMP_STAMP_H
