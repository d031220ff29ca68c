# Fails unless the file VERSION names the present series of the project ROOT.
include(${ROOT}/cmake/LocusSeries.cmake)
locus_series_version(${ROOT}/clang-patches series)
file(READ ${VERSION} version)
if(NOT version MATCHES "[(]task affinity ${series}(-full)?[)]")
  message(FATAL_ERROR "The series is ${series}, but clang says: ${version}Build it again: cmake --build build")
endif()
