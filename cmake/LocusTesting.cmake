# Functions for the CMakeLists.txt files under test/. Every ctest test may leave the results of its single cases as JUnit XML in
# ${LOCUS_TEST_RESULTS}/<test name>.xml: scripts/test counts them. A test without such a file counts as one case. Exit status
# 77 of a plain test is a skip; its output says why.

file(MAKE_DIRECTORY "${LOCUS_TEST_RESULTS}")
set(LOCUS_SKIP_STATUS 77)

# locus_add_lit_suite(name [TIMEOUT seconds] [JOBS n] [ARGS lit-argument...])
# Runs lit on the current folder. Its lit.site.cfg.py.in, if there is one, is configured into the build folder and may use
# @LOCUS_INSTALL_DIR@, @LOCUS_STOCK_DIR@, @LOCUS_CHECKED_DIR@, @LOCUS_LLVM_TOOLS_DIR@, @LOCUS_LLVM_SRC@ and
# @CMAKE_CURRENT_SOURCE_DIR@.
# TIMEOUT is for one lit test (default 120).
function(locus_add_lit_suite name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT;JOBS" "ARGS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set(jobs "")
  if(arg_JOBS)
    set(jobs "-j${arg_JOBS}")
  endif()
  set(dir "${CMAKE_CURRENT_SOURCE_DIR}")
  if(EXISTS "${dir}/lit.site.cfg.py.in")
    configure_file("${dir}/lit.site.cfg.py.in" "${CMAKE_CURRENT_BINARY_DIR}/lit.site.cfg.py" @ONLY)
    set(dir "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  add_test(NAME ${name}
    COMMAND "${LOCUS_PYTHON}" "${LOCUS_LIT}" -v ${jobs} --timeout=${arg_TIMEOUT}
            "--xunit-xml-output=${LOCUS_TEST_RESULTS}/${name}.xml" ${arg_ARGS} "${dir}")
  set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
endfunction()

# locus_add_gtest(target) registers an executable linked with GoogleTest under its own name. Threads of a test that wait for
# each other want all processors: no other test runs beside it, but where locus_run_beside() says so.
function(locus_add_gtest target)
  add_test(NAME ${target} COMMAND ${target} "--gtest_output=xml:${LOCUS_TEST_RESULTS}/${target}.xml")
  set_tests_properties(${target} PROPERTIES TIMEOUT 300 RUN_SERIAL ON)
endfunction()

# locus_run_beside(name...): tests of one thread, which ctest -j may run beside others of this kind: simulations, checkers of files,
# guests whose processors take turns.
function(locus_run_beside)
  set_tests_properties(${ARGN} PROPERTIES RUN_SERIAL OFF TIMEOUT 900)
endfunction()

# locus_add_test(NAME name COMMAND command...) registers a plain test: exit status 0 passed, 77 skipped, else failed.
function(locus_add_test)
  # PARSE_ARGV keeps a semicolon within an argument, as in sh -c "...; exit 77".
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "COMMAND")
  add_test(NAME ${arg_NAME} COMMAND ${arg_COMMAND})
  set_tests_properties(${arg_NAME} PROPERTIES SKIP_RETURN_CODE ${LOCUS_SKIP_STATUS})
endfunction()
