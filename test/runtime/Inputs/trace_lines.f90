program lines
  integer :: i, ran
  ran = 0
!$omp parallel
!$omp single
  do i = 1, 100
!$omp task shared(ran)
!$omp atomic
    ran = ran + 1
!$omp end task
  end do
!$omp end single
!$omp end parallel
  if (ran /= 100) stop 1
end program
