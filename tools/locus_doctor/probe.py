"""Run as a program of its own, probe.py LIBOMP: loads the runtime with the settings of the environment, starts a team, and prints
what came of it as JSON. The runtime warns on standard error."""

import ctypes
import json
import os
import re
import sys

BLACKLIST = 1  # HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST


def hwloc_view():
    """How many objects hwloc finds, by type; of the library that libomp has loaded."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as file:
        paths = re.findall(r"(/\S*libhwloc\.so\S*)$", file.read(), re.MULTILINE)
    if not paths:
        return None
    hwloc = ctypes.CDLL(paths[0])
    topology = ctypes.c_void_p()
    if hwloc.hwloc_topology_init(ctypes.byref(topology)) != 0:
        return None
    # As the runtime asks: the kernel's files, without a visit to each processor.
    hwloc.hwloc_topology_set_components(topology, ctypes.c_ulong(BLACKLIST), b"x86")
    if hwloc.hwloc_topology_load(topology) != 0:
        return None
    found = {"this_system": bool(hwloc.hwloc_topology_is_thissystem(topology))}
    for name in ("numa", "core", "pu"):
        kind = ctypes.c_int()
        if hwloc.hwloc_type_sscanf(name.encode(), ctypes.byref(kind), None, ctypes.c_size_t(0)) == 0:
            depth = hwloc.hwloc_get_type_depth(topology, kind)
            found[name] = hwloc.hwloc_get_nbobjs_by_depth(topology, depth)
    return found


def places(omp):
    found = []
    for place in range(omp.omp_get_num_places()):
        cpus = (ctypes.c_int * max(1, omp.omp_get_place_num_procs(place)))()
        omp.omp_get_place_proc_ids(place, cpus)
        found.append(list(cpus)[: omp.omp_get_place_num_procs(place)])
    return found


def team(omp):
    """The OS CPUs that each thread of a parallel region may run on."""
    found = {}

    def body(_):
        found[omp.omp_get_thread_num()] = sorted(os.sched_getaffinity(0))

    # The entry of gcc's programs: one function, one argument, as many threads as the settings say.
    omp.GOMP_parallel(ctypes.CFUNCTYPE(None, ctypes.c_void_p)(body), None, ctypes.c_uint(0), ctypes.c_uint(0))
    return [found[thread] for thread in sorted(found)]


def main():
    omp = ctypes.CDLL(sys.argv[1])
    result = {"bind": omp.omp_get_proc_bind(), "max_threads": omp.omp_get_max_threads(), "places": places(omp)}
    result["threads"] = team(omp)
    result["hwloc"] = hwloc_view()
    json.dump(result, sys.stdout)


main()
