//! Fibonacci numbers without cut-off, with chili.

use std::num::NonZero;

use chili::{Config, Scope, ThreadPool};

fn fib(scope: &mut Scope<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = scope.join(|scope| fib(scope, n - 1), |scope| fib(scope, n - 2));
    a + b
}

fn main() {
    // The calling thread is one of them.
    let config = Config { thread_count: NonZero::new(bench_micro::threads()), ..Config::default() };
    let pool = ThreadPool::with_config(config);
    let mut scope = pool.scope();
    bench_micro::fib_main("fib-chili", "chili", |n| fib(&mut scope, n));
}
