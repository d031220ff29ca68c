// Ranks with threads: each rank's hints count within the rank's own processors. The task that
// receives is detached: it keeps no thread while the message is on its way.
//
//     OMPI_CC=$LOCUS/bin/clang MPICH_CC=$LOCUS/bin/clang mpicc -fopenmp -O2 ring.c -o ring
//     OMP_NUM_THREADS=2 mpirun -n 2 ./ring
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { Length = 1000 };

int main(int argc, char **argv) {
  int provided, rank, ranks, wrong = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  if (provided < MPI_THREAD_SERIALIZED)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double mine[Length], theirs[Length];
  const int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task affinity(thread: 1, strict) depend(out: mine)
    for (int i = 0; i < Length; ++i)
      mine[i] = rank;
#pragma omp taskwait
    MPI_Request request[2]; // one thread talks to MPI: this one
    MPI_Irecv(theirs, Length, MPI_DOUBLE, previous, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(mine, Length, MPI_DOUBLE, next, 0, MPI_COMM_WORLD, &request[1]);
    omp_event_handle_t come;
#pragma omp task depend(out: theirs) detach(come)
    ;
#pragma omp task affinity(data: theirs) depend(in: theirs)
    wrong = theirs[Length - 1] != previous;
    for (int done = 0; !done;) {
      MPI_Testall(2, request, &done, MPI_STATUSES_IGNORE);
#pragma omp taskyield // other tasks run here
    }
    omp_fulfill_event(come);
  }
  printf("rank %d of %d: message from %d is %s\n", rank, ranks, previous, wrong ? "wrong" : "right");
  MPI_Finalize();
  return wrong;
}
