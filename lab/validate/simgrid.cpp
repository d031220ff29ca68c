//===- validate/simgrid.cpp - The reference for flows ---------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What SimGrid says of the flows of test/flows.cpp, "EndsWhenSimGridSays".
// No part of the build; packages libsimgrid-dev, g++:
//
//   g++ -O2 -std=c++17 lab/validate/simgrid.cpp -lsimgrid -o reference
//   ./reference 20
//
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>
#include <random>
#include <simgrid/s4u.hpp>

namespace sg = simgrid::s4u;

int main(int Count, char **Words) {
  sg::Engine E(&Count, Words);
  E.set_config("network/model:CM02");
  E.set_config("network/crosstraffic:no");
  const int Times = Count > 1 ? atoi(Words[1]) : 20;
  auto *Root = sg::create_full_zone("machine");
  std::vector<sg::Host *> Cores, Memories;
  std::vector<sg::Link *> Memory, Out;
  for (int C = 0; C < 192; ++C)
    Cores.push_back(Root->create_host("core" + std::to_string(C), 1e9));
  for (int N = 0; N < 24; ++N) {
    const std::string Name = std::to_string(N);
    Memories.push_back(Root->create_host("node" + Name, 1e9));
    Memory.push_back(Root->create_link("memory" + Name, 12.2e9));
    Out.push_back(Root->create_link("out" + Name, 7.5e9));
  }
  for (int N = 0; N < 24; ++N)
    for (int C = 0; C < 192; ++C) {
      const bool IsNear = C / 8 == N;
      auto *Pair = Root->create_link("pair" + std::to_string(N) + "." +
                                         std::to_string(C),
                                     IsNear ? 4.0e9 : 1.4e9);
      std::vector<sg::LinkInRoute> Route{sg::LinkInRoute(Memory[N]),
                                         sg::LinkInRoute(Pair)};
      if (!IsNear)
        Route.push_back(sg::LinkInRoute(Out[N]));
      Root->add_route(Memories[N]->get_netpoint(), Cores[C]->get_netpoint(),
                      nullptr, nullptr, Route, false);
    }
  Root->seal();
  for (int C = 0; C < 192; ++C)
    sg::Actor::create("core" + std::to_string(C), Cores[C], [=] {
      std::mt19937 Random(C);
      for (int I = 0; I < Times; ++I) {
        const auto Node = Random() % 24, Size = 1 + Random() % 8;
        sg::Comm::sendto(Memories[Node], Cores[C], 1e6 * double(Size));
      }
    });
  E.run();
  printf("%.9f s\n", E.get_clock());
}
