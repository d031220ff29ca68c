program main
  use omp_lib
  use iso_c_binding, only: c_int
  implicit none
  interface
    integer(c_int) function count() bind(c)
      import c_int
    end function
  end interface
  integer :: threads
  threads = 0
  !$omp parallel num_threads(3) reduction(+:threads)
  threads = threads + 1
  !$omp end parallel
  print '(a,i0,a,i0)', 'threads ', threads, ', tasks ', count()
end program
