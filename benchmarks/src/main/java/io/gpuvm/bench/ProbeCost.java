package io.gpuvm.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.guests.real.GuestEvent;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.RealGuestRun;
import io.gpuvm.guests.real.RunListener;
import io.gpuvm.guests.real.RunOptions;
import io.gpuvm.guests.real.RunReport;
import io.gpuvm.guests.real.VmSpec;
import java.util.LinkedHashMap;
import java.util.Map;

/// Costs of one guest for the backend that provides its virtual GPU.
///
/// @param keys configuration of the backend in addition to `mode=fv`, for instance `shadow=naive`
/// @param traps accesses by region, as in the backend's summary (`docs/summary.md`)
/// @param shadowing counters of shadowing, as in the summary
/// @param mapping counters of direct mapping, as in the summary
/// @param secondsToProbe time from the start of loading the driver until the driver reports its
///   initialization
/// @param secondsOnCard last part of that time, starting with the driver's first message about the
///   card
record ProbeCost(
        Map<String, String> keys,
        JsonNode traps,
        JsonNode shadowing,
        JsonNode mapping,
        double secondsToProbe,
        double secondsOnCard) {

    /// Boots a guest that loads its driver and runs a program, and reads the backend's counts.
    ///
    /// @param kernel Linux version of the guest, whose files are prepared
    /// @throws IllegalStateException if the guest failed; the message contains the guest's report
    static ProbeCost measure(
            String kernel,
            String program,
            Map<String, String> keys,
            GuestFiles files,
            RunListener listener)
            throws InterruptedException {
        Map<String, String> backendKeys = new LinkedHashMap<>();
        backendKeys.put("mode", "fv");
        backendKeys.putAll(keys);
        RunReport report =
                RealGuestRun.run(
                        RunOptions.of(kernel, program)
                                .withVms(new VmSpec("vm0", kernel, backendKeys)),
                        files,
                        listener);
        if (!report.passed()) {
            throw new IllegalStateException("%s: %s".formatted(keys, report.toJson()));
        }
        JsonNode vm = report.server().path("vms").path(0);
        return new ProbeCost(
                keys,
                vm.path("traps"),
                vm.at("/shadow/counters"),
                vm.at("/mapping/counters"),
                report.vms().getFirst().verdict().secondsToProbe().getFirst(),
                report.vms().getFirst().verdict().secondsOnCard().getFirst());
    }

    /// Returns the number of trapped accesses.
    long trapCount() {
        long count = 0;
        for (JsonNode region : traps) {
            count += region.path("reads").asLong() + region.path("writes").asLong();
        }
        return count;
    }

    /// Returns the given counter of shadowing.
    long shadowing(String counter) {
        return shadowing.path(counter).asLong();
    }

    /// Returns the costs as one JSON object.
    ObjectNode toJson() {
        ObjectNode json = GuestEvent.JSON.createObjectNode();
        ObjectNode told = json.putObject("keys");
        keys.forEach(told::put);
        json.set("traps", traps);
        json.set("shadow", shadowing);
        json.set("mapping", mapping);
        json.put("secondsToProbe", secondsToProbe);
        json.put("secondsOnCard", secondsOnCard);
        return json;
    }
}
