//! What the programs share: options, timing, the report. The lines are those of bench/lib/driver.c.

use std::hint::black_box;
use std::time::Instant;

/// The numbers that the command line may set, each with its letter.
pub struct Options<const N: usize>(pub [(char, u64); N]);

impl<const N: usize> Options<N> {
    /// Reads the command line; ends the program with a message if it is wrong.
    pub fn parse(mut self) -> Self {
        let mut arguments = std::env::args().skip(1);
        while let Some(name) = arguments.next() {
            let known = self.0.iter_mut().find(|(letter, _)| name == format!("-{letter}"));
            let Some((_, value)) = known else {
                fail(&format!("unknown option {name}"));
            };
            match arguments.next().and_then(|text| text.parse().ok()) {
                Some(number) if number > 0 => *value = number,
                _ => fail(&format!("{name} needs a whole number from 1")),
            }
        }
        self
    }

    pub fn get(&self, letter: char) -> u64 {
        self.0.iter().find(|(known, _)| *known == letter).map_or(0, |(_, value)| *value)
    }
}

pub fn fail(message: &str) -> ! {
    eprintln!("error: {message}");
    std::process::exit(2)
}

/// OMP_NUM_THREADS, so that all programs are started alike.
pub fn threads() -> usize {
    let Ok(text) = std::env::var("OMP_NUM_THREADS") else {
        return processors();
    };
    match text.parse() {
        Ok(number) if number > 0 => number,
        _ => fail(&format!("OMP_NUM_THREADS={text} is not a whole number from 1")),
    }
}

pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, |number| number.get())
}

/// Seconds that `work` takes, and its result.
pub fn timed<R>(work: impl FnOnce() -> R) -> (f64, R) {
    let start = Instant::now();
    let result = black_box(work());
    (start.elapsed().as_secs_f64(), result)
}

pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]) / 2.0
}

/// Seconds of the timed runs.
pub struct Times {
    pub sequential: Vec<f64>,
    pub parallel: Vec<f64>,
}

/// Runs both kernels, checks that they agree, prints the report. Exit status 1 if they do not.
pub fn compare<R: PartialEq>(
    program: &str,
    runtime: &str,
    repetitions: u64,
    mut sequential: impl FnMut() -> R,
    mut parallel: impl FnMut() -> R,
    report: impl FnOnce(&Times),
) {
    let mut times = Times { sequential: vec![], parallel: vec![] };
    let expected = sequential();
    let mut right = parallel() == expected;
    for _ in 0..repetitions {
        times.sequential.push(timed(&mut sequential).0);
    }
    for _ in 0..repetitions {
        let (seconds, result) = timed(&mut parallel);
        times.parallel.push(seconds);
        right &= result == expected;
    }
    let list = |values: &[f64]| values.iter().map(|value| format!(" {value:.6}")).collect::<String>();
    println!("program {program}\ncheck {}", if right { "ok" } else { "FAILED" });
    println!("runtime {runtime}\nthreads {}", threads());
    println!("seconds{}\nseconds_sequential{}", list(&times.parallel), list(&times.sequential));
    report(&times);
    std::process::exit(if right { 0 } else { 1 });
}

#[inline(never)]
pub fn fib_sequential(n: u64) -> u64 {
    if n < 2 {
        n
    } else {
        fib_sequential(n - 1) + fib_sequential(n - 2)
    }
}

/// fib without cut-off: main of both programs.
pub fn fib_main(program: &str, runtime: &str, fib_tasks: impl FnMut(u64) -> u64) {
    let options = Options([('n', 27), ('r', 3)]).parse();
    let n = options.get('n');
    let mut fib_tasks = fib_tasks;
    compare(
        program,
        runtime,
        options.get('r'),
        || fib_sequential(black_box(n)),
        || fib_tasks(n),
        |times| {
            // Per call, as where OpenMP has a task for each.
            let calls = (2 * fib_sequential(n + 1) - 1) as f64;
            println!("tasks {:.0}", (calls - 1.0) / 2.0);
            println!("ns_per_task {:.2}", 1e9 * median(&times.parallel) / (calls - 1.0).max(1.0));
            println!("ns_per_sequential_call {:.2}", 1e9 * median(&times.sequential) / calls);
        },
    );
}

/// The loop of the leaves; see bench/micro/steal/steal.h.
#[inline(never)]
pub fn steal_loop(iterations: u64) -> u64 {
    let mut value = black_box(1u64);
    for _ in 0..iterations {
        value = value.wrapping_mul(0x5851f42d4c957f2d).wrapping_add(0x14057b7ef767814f);
    }
    value
}

/// The cost of stolen tasks: main of both programs. `trees(rounds, depth, iterations)` sums up steal_loop over all leaves.
pub fn steal_main(program: &str, runtime: &str, mut trees: impl FnMut(u64, u32, u64) -> u64) {
    let options = Options([('i', 0), ('m', 200), ('r', 3)]).parse();
    let (threads, processors) = (threads(), processors());
    if threads < 2 || !threads.is_power_of_two() {
        fail(&format!("{threads} threads: the tree needs a power of two from 2 (OMP_NUM_THREADS)"));
    }
    let depth = threads.trailing_zeros();
    let in_sequence = threads.div_ceil(processors) as u64;
    let loops = |rounds: u64, iterations: u64| {
        let mut last = 0;
        for _ in 0..rounds * in_sequence {
            last = steal_loop(iterations);
        }
        last.wrapping_mul(rounds).wrapping_mul(threads as u64)
    };
    let mut iterations = options.get('i');
    if iterations == 0 {
        let mut guess = 2000.0f64;
        for _ in 0..12 {
            iterations = guess as u64;
            let rounds = (0.01 / timed(|| loops(3, iterations)).0 * 3.0) as u64 + 3;
            trees(rounds / 3, depth, iterations);
            let share = timed(|| trees(rounds, depth, iterations)).0 / timed(|| loops(rounds, iterations)).0 - 1.0;
            if (0.10..=0.20).contains(&share) {
                break;
            }
            guess = (guess * (share / 0.15).clamp(0.125, 8.0)).clamp(100.0, 1e7);
        }
    }
    let rounds = (1e-3 * options.get('m') as f64 / timed(|| loops(1, iterations)).0) as u64 + 1;
    compare(
        program,
        runtime,
        options.get('r'),
        || loops(rounds, iterations),
        || trees(rounds, depth, iterations),
        |times| {
            let (parallel, sequential) = (median(&times.parallel), median(&times.sequential));
            println!("processors {processors}\ndepth {depth}\niterations {iterations}\nrounds {rounds}");
            println!("ns_per_tree {:.1}", 1e9 * (parallel - sequential) / rounds as f64);
            println!("difference_percent {:.1}", 100.0 * (parallel / sequential - 1.0));
        },
    );
}
