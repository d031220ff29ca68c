! gfortran -fdefault-integer-8 with its own module: names that end in _8_.
program eight
  use omp_lib
  use iso_c_binding
  implicit none
  integer :: ids(64), places(64), chunk, i
  integer(kind=omp_sched_kind) :: schedule
  integer(kind=omp_allocator_handle_kind) :: allocator
  type(omp_alloctrait) :: traits(1)
  logical :: ok
  if (kind(i) /= 8) error stop 'not compiled for integers of 8 bytes'
  call omp_set_num_threads(3)
  call omp_set_dynamic(.true.)
  if (.not. omp_get_dynamic()) error stop 'omp_set_dynamic'
  call omp_set_dynamic(.false.)
  if (omp_get_dynamic()) error stop 'omp_set_dynamic'
  call omp_set_max_active_levels(2)
  if (omp_get_max_active_levels() /= 2) error stop 'omp_set_max_active_levels'
  call omp_set_nested(.false.)
  if (omp_get_max_active_levels() /= 1) error stop 'omp_set_nested'
  call omp_set_schedule(omp_sched_guided, 7)
  call omp_get_schedule(schedule, chunk)
  if (schedule /= omp_sched_guided .or. chunk /= 7) error stop 'omp_set_schedule'
  call omp_set_default_device(5)
  if (omp_get_default_device() /= 5) error stop 'omp_set_default_device'
  call omp_set_num_teams(4)
  if (omp_get_max_teams() /= 4) error stop 'omp_set_num_teams'
  call omp_set_teams_thread_limit(6)
  if (omp_get_teams_thread_limit() /= 6) error stop 'omp_set_teams_thread_limit'
  traits(1) = omp_alloctrait(omp_atk_alignment, 64)
  allocator = omp_init_allocator(omp_default_mem_space, 1, traits)
  if (allocator == omp_null_allocator) error stop 'omp_init_allocator'
  if (.not. c_associated(omp_alloc(100_c_size_t, allocator))) error stop 'omp_alloc'
  ids = -1
  places = -1
  do i = 0, omp_get_num_places() - 1
    if (omp_get_place_num_procs(i) /= 1) error stop 'omp_get_place_num_procs'
    call omp_get_place_proc_ids(i, ids)
    if (ids(1) /= 0 .or. ids(2) /= -1) error stop 'omp_get_place_proc_ids'
  end do
  call omp_get_partition_place_nums(places)
  do i = 1, omp_get_partition_num_places()
    if (places(i) /= i - 1) error stop 'omp_get_partition_place_nums'
  end do
  if (places(omp_get_partition_num_places() + 1) /= -1) error stop 'too many places'
  ok = .true.
!$omp parallel reduction(.and.: ok)
  ok = omp_get_num_threads() == 3 .and. omp_get_team_size(1) == 3 .and. &
    omp_get_ancestor_thread_num(1) == omp_get_thread_num()
!$omp end parallel
  if (.not. ok) error stop 'in the parallel region'
  call omp_display_env(.false.)
  print '(a)', 'right'
end program
