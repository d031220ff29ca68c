! Blocks of memory spread over the NUMA nodes, and tasks that follow them: the routine in Fortran,
! which has no clause. It places the next task that the current task creates.
!
!     gfortran -fopenmp -O2 -I$LOCUS/include/gfortran-$(gfortran -dumpversion) -c blocks.f90
!     gfortran blocks.o -L$LOCUS/lib -lomp -Wl,-rpath,$LOCUS/lib -o blocks
!     OMP_PROC_BIND=close OMP_PLACES=cores ./blocks
program blocks
  use omp_lib
  implicit none
  integer, parameter :: count = 8, length = 65536, steps = 10
  real(8), allocatable :: block(:, :)
  integer :: b, step, home
  allocate (block(length, count))
  home = 0
!$omp parallel
!$omp single
  do b = 1, count ! node after node touches a block first
    call omp_set_task_affinity(omp_affinity_node, int(b, kmp_pointer_kind), 1)
!$omp task firstprivate(b) depend(out: block(1, b))
    block(:, b) = b
!$omp end task
  end do
  do step = 1, steps
    do b = 1, count ! the tasks go to where their block is
      call omp_set_task_affinity(omp_affinity_data, loc(block(length / 2, b)), 1)
!$omp task firstprivate(b) depend(inout: block(1, b))
      block(:, b) = block(:, b) + 1
      if (omp_get_node_num() == omp_get_node_from_data(loc(block(length / 2, b)))) then
!$omp atomic
        home = home + 1
      end if
!$omp end task
    end do
  end do
!$omp end single
!$omp end parallel
  print '(i0, a, i0, a)', home, ' of ', count * steps, ' tasks ran on the node of their block'
  do b = 1, count
    if (block(length, b) /= b + steps) stop 1
  end do
end program
