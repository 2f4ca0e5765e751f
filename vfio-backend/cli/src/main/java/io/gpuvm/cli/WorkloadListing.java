package io.gpuvm.cli;

import io.gpuvm.workloads.Workload;
import io.gpuvm.workloads.WorkloadSize;
import io.gpuvm.workloads.Workloads;
import java.io.PrintWriter;

/// Listing of `gpuvm run --list`.
final class WorkloadListing {
    private WorkloadListing() {}

    static void print(PrintWriter out) {
        for (Workload workload : Workloads.all()) {
            WorkloadSize size = workload.size();
            out.printf("%-10s%s%n", workload.name(), workload.summary());
            out.printf(
                    "%-10s  size: %s; %d to %d, default %d%n",
                    "", size.meaning(), size.least(), size.most(), size.usual());
        }
    }
}
