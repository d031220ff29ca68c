! fixed.c in Fortran: the matrix is spread over the nodes, and each task follows its block. Fortran
! stores columns, so a block has whole columns.
!
!     gfortran -fopenmp -O2 -g -I$LOCUS/include/gfortran-$(gfortran -dumpversion) -c fixed.f90
!     gfortran fixed.o -L$LOCUS/lib -lomp -Wl,-rpath,$LOCUS/lib -o fixed
!     OMP_PROC_BIND=close OMP_PLACES=cores ./fixed
program fixed
  use omp_lib
  implicit none
  integer, parameter :: n = 1024, columns = 32, blocks = n / columns, steps = 10
  real(8), allocatable :: a(:, :, :), u(:)
  integer :: b, i, j, step, error
  logical :: right
  allocate (a(n, columns, blocks), u(n))
  ! Each node gets a part. The result is 0, or says why the pages stay where they are.
  error = omp_set_data_nodes(loc(a), 8_kmp_size_t_kind * size(a), omp_data_blocked, &
                             0_kmp_size_t_kind, 1)
  a = 0
  u = [(1 + mod(i, 3), i = 1, n)]
!$omp parallel
!$omp single
  do step = 1, steps
    do b = 1, blocks ! a task runs where its block is
      call omp_set_task_affinity(omp_affinity_data, loc(a(n / 2, columns / 2, b)), 0)
!$omp task firstprivate(b) private(j) depend(inout: a(1, 1, b))
      do j = 1, columns
        a(:, j, b) = a(:, j, b) + u((b - 1) * columns + j) * u
      end do
!$omp end task
    end do
  end do
!$omp end single
!$omp end parallel
  right = .true.
  do b = 1, blocks
    do j = 1, columns
      right = right .and. all(a(:, j, b) == steps * u((b - 1) * columns + j) * u)
    end do
  end do
  print '(a)', merge('right', 'WRONG', right)
  if (.not. right) stop 1
end program
