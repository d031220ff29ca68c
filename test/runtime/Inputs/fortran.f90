! The routines of our module omp_lib. No firstprivate: flang 19 can't.
program fortran
  use omp_lib
  implicit none
  integer :: i, ran, thread, node, threads, nodes, kind
  integer(kind=omp_lock_kind) :: lock
  integer(kind=omp_sched_kind) :: schedule
  integer(kind=omp_memspace_handle_kind) :: space
  integer :: last(1)
  integer(kind=kmp_pointer_kind) :: address
  integer :: strict
  real :: data(1000)
  ran = 0
  data = 1
  call omp_init_lock(lock)
  call omp_set_schedule(omp_sched_dynamic, 5)
  call omp_get_schedule(schedule, i)
  if (schedule /= omp_sched_dynamic .or. i /= 5) error stop 'schedule'
  last(1) = omp_get_memspace_num_resources(omp_default_mem_space) - 1
  if (last(1) < 0) error stop 'omp_get_memspace_num_resources'
  space = omp_get_submemspace(omp_default_mem_space, 1, last)
  if (space == omp_null_mem_space) error stop 'omp_get_submemspace'
  if (omp_get_memspace_num_resources(space) /= 1) error stop 'resources of a part'
  if (space /= omp_get_submemspace(omp_default_mem_space, 1, last)) error stop 'the same part'
  space = omp_get_devices_all_memspace(omp_default_mem_space)
  if (space /= omp_default_mem_space) error stop 'omp_get_devices_all_memspace'
!$omp parallel
!$omp single
  if (omp_is_free_agent() .or. omp_ancestor_is_free_agent(0)) error stop 'a free agent'
  threads = omp_get_num_threads()
  nodes = omp_get_num_nodes()
  if (nodes < 1) error stop 'omp_get_num_nodes'
  do i = 0, 39
    call omp_set_task_affinity(omp_affinity_thread, int(i, kmp_pointer_kind), 1)
!$omp task shared(ran, thread, lock)
    call omp_set_lock(lock)
    thread = omp_get_thread_num()
    ran = ran + 1
    call omp_unset_lock(lock)
!$omp end task
!$omp taskwait
    if (thread /= mod(i, threads)) error stop 'a strict task of a thread'
    call omp_set_task_affinity(omp_affinity_node, int(i, kmp_pointer_kind), 1)
!$omp task shared(node)
    node = omp_get_node_num()
!$omp end task
!$omp taskwait
    if (node /= mod(i, nodes)) error stop 'a strict task of a node'
    kind = omp_affinity_data
    call omp_set_task_affinity(kind, loc(data), 1)
    call omp_get_task_affinity(kind, address, strict)
    if (kind /= omp_affinity_data .or. address /= loc(data) .or. strict /= 1) error stop 'omp_get_task_affinity'
!$omp task shared(node)
    node = omp_get_node_num()
!$omp end task
!$omp taskwait
    if (node /= omp_get_node_from_data(loc(data))) error stop 'a strict task of data'
  end do
!$omp end single
!$omp end parallel
  if (ran /= 40) error stop 'tasks'
  call omp_destroy_lock(lock)
end program
