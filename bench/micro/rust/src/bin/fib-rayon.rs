//! Fibonacci numbers without cut-off, with rayon.

fn fib(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = rayon::join(|| fib(n - 1), || fib(n - 2));
    a + b
}

fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(bench_micro::threads()).build().unwrap();
    pool.install(|| bench_micro::fib_main("fib-rayon", "rayon", fib));
}
