//! The cost of stolen tasks, with chili.

use std::num::NonZero;

use bench_micro::{steal_loop, steal_main, threads};
use chili::{Config, Scope, ThreadPool};

fn tree(scope: &mut Scope<'_>, depth: u32, iterations: u64) -> u64 {
    if depth == 0 {
        return steal_loop(iterations);
    }
    let (a, b) = scope.join(|scope| tree(scope, depth - 1, iterations), |scope| tree(scope, depth - 1, iterations));
    a.wrapping_add(b)
}

fn main() {
    // The calling thread is one of them.
    let config = Config { thread_count: NonZero::new(threads()), ..Config::default() };
    let pool = ThreadPool::with_config(config);
    let mut scope = pool.scope();
    steal_main("steal-chili", "chili", |rounds, depth, iterations| {
        (0..rounds).fold(0, |sum: u64, _| sum.wrapping_add(tree(&mut scope, depth, iterations)))
    });
}
