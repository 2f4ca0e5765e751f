package io.gpuvm.tests.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpuvm.tests.realguest.GuestEvent;
import io.gpuvm.tests.realguest.RunListener;
import io.gpuvm.tests.realguest.RunReport;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/// Tells a reader what guest, backend and GPU are doing.
///
/// Guest events and counters come on different threads; lines are printed whole.
final class Narrator implements RunListener {
    private static final double MIB = 1 << 20;

    private final PrintStream out;
    private final long startNs = System.nanoTime();
    private final Map<String, Long> trapsBefore = new LinkedHashMap<>();

    Narrator(PrintStream out) {
        this.out = out;
    }

    @Override
    public void onProgress(String text) {
        say("host", text);
    }

    @Override
    public void onEvent(String vm, GuestEvent event) {
        switch (event) {
            case GuestEvent.Booted booted -> say(vm, "Linux " + booted.kernel() + " is up");
            case GuestEvent.Log log when isDriver(log.text()) -> say(vm, "kernel: " + log.text());
            case GuestEvent.Loaded _ -> say(vm, "the nouveau driver is loaded");
            case GuestEvent.Check check ->
                    say(vm, (check.ok() ? "verified: " : "WRONG: ") + check.text());
            case GuestEvent.Note note -> say(vm, note.text());
            case GuestEvent.Finished _ -> say(vm, "powering off");
            default -> {}
        }
    }

    /// Prints the accesses of the last second, if there were any.
    @Override
    public void onCounters(JsonNode summary) {
        for (JsonNode vm : summary.path("vms")) {
            StringJoiner rates = new StringJoiner(", ");
            vm.path("traps")
                    .properties()
                    .forEach(region -> addRate(rates, region.getKey(), region.getValue()));
            if (rates.length() > 0) {
                say(vm.path("name").asText(), "traps per second: " + rates);
            }
        }
    }

    /// Prints the end of the story.
    void summarize(RunReport report) {
        out.println();
        for (RunReport.Vm vm : report.vms()) {
            List<Double> probes = vm.verdict().secondsToProbe();
            out.printf(
                    "%s: Linux %s, %.1f s from power-on to power-off, nouveau up in %.1f s,"
                            + " %d checks ok%n",
                    vm.spec().name(),
                    vm.verdict().kernel(),
                    vm.seconds(),
                    probes.isEmpty() ? Double.NaN : probes.getFirst(),
                    vm.verdict().checksPassed());
            vm.verdict().failures().forEach(failure -> out.println("  failed: " + failure));
        }
        printTraps(report.server());
        printEngines(report.server().path("gpu").path("counters"));
        report.failures().forEach(failure -> out.println("failed: " + failure));
        out.println(report.passed() ? "The demo passed." : "The demo FAILED.");
    }

    private void printTraps(JsonNode summary) {
        for (JsonNode vm : summary.path("vms")) {
            out.printf("%s: accesses trapped%n", vm.path("name").asText());
            vm.path("traps")
                    .properties()
                    .forEach(region ->
                            out.printf(
                                    "  %-7s %,12d reads %,12d writes%n",
                                    region.getKey(),
                                    region.getValue().path("reads").asLong(),
                                    region.getValue().path("writes").asLong()));
        }
    }

    private void printEngines(JsonNode counters) {
        out.println("GPU: work done");
        for (String engine : List.of("M2MF", "COPY0", "COPY1")) {
            out.printf(
                    "  %-7s %,12d copies %,10.1f MiB%n",
                    engine,
                    counters.path(engine + "_LAUNCHES").asLong(),
                    counters.path(engine + "_BYTES").asLong() / MIB);
        }
        out.printf(
                "  %,d doorbells, %,d methods, %,d semaphore releases, %,d interrupts%n",
                counters.path("DOORBELLS").asLong(),
                counters.path("METHODS").asLong(),
                counters.path("SEMAPHORE_RELEASES").asLong(),
                counters.path("INTERRUPTS_SIGNALLED").asLong());
    }

    private void addRate(StringJoiner rates, String region, JsonNode traps) {
        long now = traps.path("reads").asLong() + traps.path("writes").asLong();
        Long before = trapsBefore.put(region, now);
        long rate = now - (before == null ? 0 : before);
        if (rate > 0) {
            rates.add("%s %,d".formatted(region, rate));
        }
    }

    private static boolean isDriver(String text) {
        return text.startsWith("nouveau") || text.startsWith("[drm]");
    }

    private synchronized void say(String who, String text) {
        out.printf("%6.1f s  %-5s %s%n", (System.nanoTime() - startNs) / 1e9, who, text);
    }
}
