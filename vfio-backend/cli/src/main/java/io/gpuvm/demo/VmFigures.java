package io.gpuvm.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpuvm.workloads.measure.Figures;
import java.util.ArrayList;
import java.util.List;

/// A backend's figures of one virtual machine.
///
/// @param share part of the GPU time that all virtual machines used since the previous figures, 0
///   to 1; NaN if none was used
/// @param gpuTimeNs GPU time of completed commands
/// @param completed number of completed commands
/// @param waiting number of waiting commands
/// @param waitP50Ns median of the commands' waiting time
/// @param waitP99Ns 99th percentile of the waiting time
/// @param requests commands of a paravirtual guest's ring, or messages of a virtual machine's VMM
record VmFigures(
        String name,
        double share,
        long gpuTimeNs,
        long completed,
        long waiting,
        long waitP50Ns,
        long waitP99Ns,
        long requests) {
    private static final String COLUMNS = "%-4s %-14s %5s %8s %8s %5s %8s %8s %9s";

    static final String HEADER =
            COLUMNS.formatted(
                    "VM",
                    "does",
                    "share",
                    "GPU time",
                    "commands",
                    "queue",
                    "wait p50",
                    "wait p99",
                    "requests");

    private static final String ACTIVITY = "%.14s";
    private static final double PERCENT = 100;

    /// Figures of all virtual machines at one time.
    record Table(List<VmFigures> rows) {
        static final Table EMPTY = new Table(List.of());

        /// Returns the figures at a later time.
        ///
        /// @param summary JSON as in `docs/summary.md`, of the same virtual machines
        Table next(JsonNode summary) {
            List<JsonNode> vms = new ArrayList<>();
            summary.path("vms").forEach(vms::add);
            long[] taken = new long[vms.size()];
            long all = 0;
            for (int i = 0; i < taken.length; i++) {
                long before = i < rows.size() ? rows.get(i).gpuTimeNs : 0;
                taken[i] = vms.get(i).at("/commands/gpuTimeNs").asLong() - before;
                all += taken[i];
            }
            List<VmFigures> next = new ArrayList<>();
            for (int i = 0; i < taken.length; i++) {
                next.add(of(vms.get(i), all == 0 ? Double.NaN : (double) taken[i] / all));
            }
            return new Table(List.copyOf(next));
        }
    }

    private static VmFigures of(JsonNode vm, double share) {
        JsonNode commands = vm.path("commands");
        JsonNode ring = vm.at("/pv/commands");
        return new VmFigures(
                vm.path("name").asText(),
                share,
                commands.path("gpuTimeNs").asLong(),
                commands.path("completed").asLong(),
                commands.path("waiting").asLong(),
                commands.path("waitP50Ns").asLong(),
                commands.path("waitP99Ns").asLong(),
                ring.isNumber() ? ring.asLong() : vm.path("messages").asLong());
    }

    /// Returns a line of the table.
    ///
    /// @param activity present activity, one or two words
    String line(String activity) {
        return COLUMNS.formatted(
                name,
                ACTIVITY.formatted(activity),
                percent(),
                duration(gpuTimeNs),
                completed,
                waiting,
                waited(waitP50Ns),
                waited(waitP99Ns),
                requests);
    }

    /// Returns the figures as one log line.
    String sentence(String activity) {
        return "%s: share=%s gpu-time=%s commands=%d queue=%d wait-p50=%s wait-p99=%s requests=%d"
                .formatted(
                        activity,
                        percent(),
                        duration(gpuTimeNs),
                        completed,
                        waiting,
                        waited(waitP50Ns),
                        waited(waitP99Ns),
                        requests);
    }

    private String percent() {
        return Double.isNaN(share) ? "-" : "%.0f%%".formatted(share * PERCENT);
    }

    /// Returns the waiting time as text: a dash for a virtual machine without commands.
    private String waited(long ns) {
        return completed == 0 ? "-" : duration(ns);
    }

    private static String duration(long ns) {
        return ns == 0 ? "0" : Figures.duration(ns);
    }
}
