// Writes this machine's topology to a file, as `lstopo --of xml` does.
#include <hwloc.h>

int main(int ArgCount, char **Args) {
  hwloc_topology_t Machine;
  return ArgCount != 2 || hwloc_topology_init(&Machine) != 0 ||
         hwloc_topology_load(Machine) != 0 ||
         hwloc_topology_export_xml(Machine, Args[1], 0) != 0;
}
