//! The cost of stolen tasks, with rayon.

use bench_micro::{steal_loop, steal_main, threads};

fn tree(depth: u32, iterations: u64) -> u64 {
    if depth == 0 {
        return steal_loop(iterations);
    }
    let (a, b) = rayon::join(|| tree(depth - 1, iterations), || tree(depth - 1, iterations));
    a.wrapping_add(b)
}

fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads()).build().unwrap();
    pool.install(|| {
        steal_main("steal-rayon", "rayon", |rounds, depth, iterations| {
            (0..rounds).fold(0, |sum: u64, _| sum.wrapping_add(tree(depth, iterations)))
        })
    });
}
