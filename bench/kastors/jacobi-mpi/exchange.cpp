//===-- exchange.cpp - Messages that complete tasks -----------------------===//

#include "exchange.h"
#include "program.h"
#include "random.h"

#include <algorithm>

using namespace kastors;

double Exchange::dueTime() {
  ++NumLate;
  return benchSeconds() + 1e-6 * randomBelow(&RandomState, MostLate + 1);
}

Exchange::Message Exchange::make(Kind What, double *Memory, int Count, int Rank,
                                 int Tag, omp_event_handle_t Done) {
  return {NextNumber++, What, Memory, Count, Rank, Tag, Done, 0};
}

void Exchange::start(const Message &M) {
  MPI_Request Request;
  if (M.What == Kind::Send)
    MPI_Isend(M.Memory, M.Count, MPI_DOUBLE, M.Rank, M.Tag, MPI_COMM_WORLD,
              &Request);
  else
    MPI_Irecv(M.Memory, M.Count, MPI_DOUBLE, M.Rank, M.Tag, MPI_COMM_WORLD,
              &Request);
  Requests.push_back(Request);
  UnderWay.push_back(M);
}

void Exchange::send(const double *From, int Count, int Rank, int Tag,
                    omp_event_handle_t Done) {
  std::lock_guard<std::mutex> Guard(Lock);
  // MPI does not write what it sends.
  Message M =
      make(Kind::Send, const_cast<double *>(From), Count, Rank, Tag, Done);
  if (MostLate == 0)
    return start(M);
  M.Due = dueTime();
  ToSend.push_back(M);
}

void Exchange::receive(double *To, int Count, int Rank, int Tag,
                       omp_event_handle_t Done) {
  std::lock_guard<std::mutex> Guard(Lock);
  start(make(Kind::Receive, To, Count, Rank, Tag, Done));
}

void Exchange::finish(const Message &M,
                      std::vector<omp_event_handle_t> &Ready) {
  auto IsOlder = [&](const Message &Other) {
    return Other.What == M.What && Other.Number < M.Number;
  };
  NumOvertaking += std::any_of(UnderWay.begin(), UnderWay.end(), IsOlder) ||
                   std::any_of(Come.begin(), Come.end(), IsOlder) ||
                   std::any_of(ToSend.begin(), ToSend.end(), IsOlder);
  Ready.push_back(M.Done);
}

/// Calls \p Do for those of \p Held whose time has come, and takes them out.
template <class List, class Action>
static void forEachDue(List &Held, Action Do) {
  if (Held.empty())
    return;
  const double Now = benchSeconds();
  for (size_t I = 0; I < Held.size();) {
    if (Held[I].Due > Now) {
      ++I;
      continue;
    }
    const auto M = Held[I];
    Held[I] = Held.back();
    Held.pop_back();
    Do(M);
  }
}

/// Finished has the indices of \p Count messages that MPI has done with.
void Exchange::takeOut(int Count, std::vector<omp_event_handle_t> &Ready) {
  const auto End = Finished.begin() + Count;
  std::sort(Finished.begin(), End);
  std::vector<Message> Done;
  size_t Left = 0;
  auto Next = Finished.begin();
  for (size_t I = 0; I < UnderWay.size(); ++I) {
    if (Next != End && I == static_cast<size_t>(*Next)) {
      Done.push_back(UnderWay[I]);
      ++Next;
      continue;
    }
    UnderWay[Left] = UnderWay[I];
    Requests[Left++] = Requests[I];
  }
  UnderWay.resize(Left);
  Requests.resize(Left);
  for (Message &M : Done) {
    if (MostLate == 0 || M.What == Kind::Send) {
      finish(M, Ready);
      continue;
    }
    M.Due = dueTime();
    Come.push_back(M);
  }
}

void Exchange::advance(std::vector<omp_event_handle_t> &Ready) {
  forEachDue(ToSend, [&](const Message &M) { start(M); });
  if (!Requests.empty()) {
    int Count = 0;
    Finished.resize(Requests.size());
    MPI_Testsome(static_cast<int>(Requests.size()), Requests.data(), &Count,
                 Finished.data(), MPI_STATUSES_IGNORE);
    takeOut(Count, Ready);
  }
  forEachDue(Come, [&](const Message &M) { finish(M, Ready); });
}

size_t Exchange::poll() {
  std::vector<omp_event_handle_t> Ready;
  {
    std::unique_lock<std::mutex> Guard(Lock, std::try_to_lock);
    if (!Guard.owns_lock())
      return 0;
    advance(Ready);
  }
  // Without the lock: who waits for these tasks may start a message.
  for (omp_event_handle_t Done : Ready)
    omp_fulfill_event(Done);
  return Ready.size();
}
