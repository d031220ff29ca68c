//===-- exchange.h - Messages that complete tasks -------------------------===//
//
// A detached task starts a message. Its event is fulfilled when MPI_Testsome
// says that the message is there, by whichever thread asks. So no thread waits
// for a message while there are tasks to run.
//
//===----------------------------------------------------------------------===//

#ifndef KASTORS_EXCHANGE_H
#define KASTORS_EXCHANGE_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <mutex>
#include <omp.h>
#include <vector>

namespace kastors {

/// Any thread may call any of its functions. One at a time is in MPI:
/// MPI_THREAD_SERIALIZED is enough.
class Exchange {
public:
  /// \p MostLate: each message is held back for a random time of at most so
  /// many microseconds, both before it is sent and after it has come; 0: none
  /// is.
  Exchange(unsigned MostLate, uint64_t Seed)
      : MostLate(MostLate), RandomState(Seed) {}

  /// Start to send, or to receive, \p Count doubles. \p Done is fulfilled when
  /// the memory may be written, or read.
  void send(const double *From, int Count, int Rank, int Tag,
            omp_event_handle_t Done);
  void receive(double *To, int Count, int Rank, int Tag,
               omp_event_handle_t Done);

  /// Completes what has come, unless another thread is at it. Does not wait.
  /// \returns how many messages are done now.
  size_t poll();

  /// Of all messages so far; call it while none is on its way.
  size_t messages() const { return NextNumber; }
  /// Those that were held back.
  size_t late() const { return NumLate; }
  /// Those that were done while an older one, to or from this rank as they
  /// were, was still on its way.
  size_t overtaking() const { return NumOvertaking; }

private:
  enum class Kind { Send, Receive };
  /// A message is Held, before it is sent; under way, with a request of the
  /// same index in Requests; Held again, if it has come; done.
  struct Message {
    size_t Number;
    Kind What;
    double *Memory;
    int Count, Rank, Tag;
    omp_event_handle_t Done;
    double Due; ///< Held until then.
  };

  Message make(Kind What, double *Memory, int Count, int Rank, int Tag,
               omp_event_handle_t Done);
  void start(const Message &M);
  double dueTime();
  void advance(std::vector<omp_event_handle_t> &Ready);
  void takeOut(int Count, std::vector<omp_event_handle_t> &Ready);
  void finish(const Message &M, std::vector<omp_event_handle_t> &Ready);

  const unsigned MostLate;
  std::mutex Lock; ///< Of all below, and of MPI.
  uint64_t RandomState;
  std::vector<MPI_Request> Requests;
  std::vector<Message> UnderWay;
  std::vector<Message> ToSend, Come;
  std::vector<int> Finished; ///< MPI_Testsome's answer.
  size_t NextNumber = 0, NumLate = 0, NumOvertaking = 0;
};

} // namespace kastors

#endif // KASTORS_EXCHANGE_H
