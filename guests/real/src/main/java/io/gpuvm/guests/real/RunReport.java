package io.gpuvm.guests.real;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Result of a run. `docs/real-guests.md` describes the keys of its JSON form.
///
/// @param program programs of the run
/// @param vms results of the virtual machines
/// @param failures failures of the run as a whole
/// @param server the server's summary, or a missing node
public record RunReport(String program, List<Vm> vms, List<String> failures, JsonNode server) {

    /// Result of one virtual machine.
    ///
    /// @param seconds seconds from power-on to power-off
    /// @param moments times of the milestones that the guest reached, in seconds since power-on
    public record Vm(
            VmSpec spec, GuestVerdict verdict, double seconds, Map<Moment, Double> moments) {
        public Vm {
            moments = Map.copyOf(moments);
        }
    }

    private static final String ANY_ENGINE = "ANY";
    private static final List<String> ENGINES = List.of("COPY0", "COPY1", "M2MF");

    /// Builds the report. If the server has counters, compares the copies that the guests claim
    /// with the GPU's counters.
    static RunReport of(String program, List<Vm> vms, List<String> failures, JsonNode server) {
        List<String> all = new ArrayList<>(failures);
        JsonNode counters = server.path("gpu").path("counters");
        if (counters.isObject()) {
            all.addAll(missingCopies(vms, counters));
        }
        return new RunReport(program, List.copyOf(vms), List.copyOf(all), server);
    }

    public boolean passed() {
        return failures.isEmpty() && vms.stream().allMatch(vm -> vm.verdict().passed());
    }

    private static List<String> missingCopies(List<Vm> vms, JsonNode counters) {
        List<String> missing = new ArrayList<>();
        long claimed = 0;
        long counted = 0;
        for (String engine : ENGINES) {
            long atLeast = claimedBytes(vms, engine);
            long bytes = counters.path(engine + "_BYTES").asLong();
            claimed += atLeast;
            counted += bytes;
            requireCopied(engine, bytes, atLeast, missing);
        }
        requireCopied("all engines", counted, claimed + claimedBytes(vms, ANY_ENGINE), missing);
        return missing;
    }

    private static long claimedBytes(List<Vm> vms, String engine) {
        return vms.stream().mapToLong(vm -> vm.verdict().moved().getOrDefault(engine, 0L)).sum();
    }

    private static void requireCopied(
            String engine, long bytes, long atLeast, List<String> missing) {
        if (bytes < atLeast) {
            missing.add(
                    "copied by %s: bytes=%d, expected at least %d; the CPU copied the remainder"
                            .formatted(engine, bytes, atLeast));
        }
    }

    /// Returns the report as a JSON object, to be printed on one line.
    public ObjectNode toJson() {
        ObjectNode json = GuestEvent.JSON.createObjectNode();
        json.put("result", passed() ? "pass" : "fail");
        json.put("program", program);
        addAll(json.putArray("failures"), failures);
        ArrayNode machines = json.putArray("vms");
        vms.forEach(vm -> machines.add(toJson(vm)));
        json.set("gpu", server.path("gpu").isObject() ? server.path("gpu") : null);
        return json;
    }

    private ObjectNode toJson(Vm vm) {
        GuestVerdict verdict = vm.verdict();
        ObjectNode json = GuestEvent.JSON.createObjectNode();
        json.put("name", vm.spec().name());
        json.put("mode", vm.spec().mode());
        json.put("kernel", verdict.kernel());
        json.put("result", verdict.passed() ? "pass" : "fail");
        addAll(json.putArray("failures"), verdict.failures());
        json.put("seconds", vm.seconds());
        json.set("moments", momentsOf(vm));
        ArrayNode probes = json.putArray("secondsToProbe");
        verdict.secondsToProbe().forEach(probes::add);
        ArrayNode onCard = json.putArray("secondsOnCard");
        verdict.secondsOnCard().forEach(onCard::add);
        ArrayNode warnings = json.putArray("warnings");
        verdict.warnings().forEach(warning -> warnings.addPOJO(warning));
        json.put("checksPassed", verdict.checksPassed());
        ArrayNode tests = json.putArray("tests");
        verdict.cases().forEach(test -> tests.add(GuestEvent.JSON.valueToTree(test)));
        ArrayNode skipped = json.putArray("skipped");
        verdict.skipped().forEach(what -> skipped.addPOJO(what));
        ObjectNode moved = json.putObject("moved");
        verdict.moved().forEach(moved::put);
        ObjectNode measured = json.putObject("measured");
        verdict.measured().forEach(measured::put);
        json.set(
                "measurement",
                verdict.measurement().isMissingNode() ? null : verdict.measurement());
        addAll(json.putArray("output"), verdict.output());
        json.set("traps", trapsOf(vm.spec().name()));
        return json;
    }

    private static ObjectNode momentsOf(Vm vm) {
        ObjectNode json = GuestEvent.JSON.createObjectNode();
        for (Moment moment : Moment.values()) {
            if (vm.moments().containsKey(moment)) {
                json.put(moment.key(), vm.moments().get(moment));
            }
        }
        return json;
    }

    /// Returns the accesses by region as counted by the server; null if the server has no counters.
    private JsonNode trapsOf(String vm) {
        for (JsonNode entry : server.path("vms")) {
            if (entry.path("name").asText().equals(vm)) {
                return entry.path("traps");
            }
        }
        return null;
    }

    private static void addAll(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }
}
