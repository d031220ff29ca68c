"""Who started this process: MPI or a batch system, by the variables that they set."""

import re


def number(environment, *names):
    """The value of the first of these variables that has one; None if none has."""
    for name in names:
        value = environment.get(name, "")
        if value.isdigit():
            return int(value)
    return None


class Launcher:
    """name: for people, None if there is none. ranks: of this host, None if not known. wider: what gives a rank more processors."""

    def __init__(self, environment):
        self.name = self.rank = self.ranks = None
        self.wider = "allow more processors: taskset, numactl, or the cpuset of the container"
        self.cpus_per_task = number(environment, "SLURM_CPUS_PER_TASK")
        if "OMPI_COMM_WORLD_SIZE" in environment:
            self.name, self.wider = "Open MPI", "mpirun --map-by slot:PE=N --bind-to core, N processors for each rank"
            self.rank = number(environment, "OMPI_COMM_WORLD_RANK")
            self.ranks = number(environment, "OMPI_COMM_WORLD_LOCAL_SIZE")
        elif "SLURM_JOB_ID" in environment:
            self.name, self.wider = (
                "Slurm",
                "srun --cpus-per-task=N --cpu-bind=cores (srun does not take N from sbatch)",
            )
            # A batch script has the variables of the job, a program of srun those of its step, too.
            if "SLURM_STEP_ID" in environment:
                self.rank = number(environment, "SLURM_PROCID")
                self.ranks = self.slurm_ranks(environment)
        elif "PALS_RANKID" in environment:
            self.name, self.wider = "PALS", "mpiexec --depth N --cpu-bind depth, N processors for each rank"
            self.rank = number(environment, "PALS_RANKID")
            self.ranks = number(environment, "PALS_LOCAL_SIZE")
        elif "PMI_RANK" in environment or "PMI_SIZE" in environment:
            self.name, self.wider = (
                "MPICH or Intel MPI",
                "mpiexec -bind-to core:N (I_MPI_PIN_DOMAIN=omp for Intel), N processors for each rank",
            )
            self.rank = number(environment, "PMI_RANK")
            self.ranks = number(environment, "MPI_LOCALNRANKS")

    @staticmethod
    def slurm_ranks(environment):
        """Of this host: the entry of SLURM_STEP_TASKS_PER_NODE, such as 4(x2),3, for this node of the step."""
        entries = []
        for count, times in re.findall(r"(\d+)(?:\(x(\d+)\))?", environment.get("SLURM_STEP_TASKS_PER_NODE", "")):
            entries += [int(count)] * min(int(times or 1), 1 << 20)
        node = number(environment, "SLURM_NODEID") or 0
        return entries[node] if node < len(entries) else None

    def __str__(self):
        if self.name is None:
            return "none"
        return (
            self.name
            + (f", rank {self.rank}" if self.rank is not None else "")
            + (f", {self.ranks} ranks on this host" if self.ranks else "")
        )
