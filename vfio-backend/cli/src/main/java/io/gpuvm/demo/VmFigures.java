package io.gpuvm.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpuvm.workloads.measure.Figures;
import java.util.ArrayList;
import java.util.List;

/// What a backend has counted of one virtual machine.
///
/// @param share its part of the GPU time that all together took since the figures before, 0 to 1;
///   NaN if nobody took any
/// @param gpuTimeNs GPU time of commands that have ended
/// @param completed commands that have ended
/// @param waiting commands that wait now
/// @param waitP50Ns how long one half of the commands waited at most
/// @param waitP99Ns how long 99 of 100 did
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

    /// All virtual machines at one moment.
    record Table(List<VmFigures> rows) {
        static final Table EMPTY = new Table(List.of());

        /// The figures of the next moment.
        ///
        /// @param summary as in `docs/summary.md`, of the same virtual machines
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

    /// A line of a table.
    ///
    /// @param activity what it does, in a word or two
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

    /// The same in words.
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

    /// Who has had no command has not waited.
    private String waited(long ns) {
        return completed == 0 ? "-" : duration(ns);
    }

    private static String duration(long ns) {
        return ns == 0 ? "0" : Figures.duration(ns);
    }
}
