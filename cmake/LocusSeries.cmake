# locus_series_version(dir result): a short name for the patches of the series in `dir`, another for every content and order.
# It becomes a part of clang's version, and PCH and module files are only read by the version that wrote them.
function(locus_series_version dir result)
  file(STRINGS "${dir}/series" patches REGEX "^[^#]")
  set(hashes "")
  foreach(patch IN LISTS patches)
    file(SHA256 "${dir}/${patch}" hash)
    string(APPEND hashes "${hash}\n")
  endforeach()
  string(SHA256 hash "${hashes}")
  string(SUBSTRING "${hash}" 0 12 hash)
  set(${result} "${hash}" PARENT_SCOPE)
endfunction()

# Clang's version says "(task affinity <series>)".
set(LOCUS_CLANG_REPOSITORY "task affinity")
