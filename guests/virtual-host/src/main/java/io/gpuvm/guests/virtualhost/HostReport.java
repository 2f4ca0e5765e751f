package io.gpuvm.guests.virtualhost;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.guests.real.GuestEvent;
import java.util.List;

/// Result of a run. `docs/virtual-host.md` describes the keys of its JSON form.
///
/// @param seed seed of random choices
/// @param seconds seconds from power-on to power-off
/// @param server summary of `gpuvm device`, or a missing node
record HostReport(long seed, HostVerdict verdict, double seconds, JsonNode server) {
    boolean passed() {
        return verdict.passed() && server.isObject();
    }

    /// Returns the report as a JSON object, to be printed on one line.
    ObjectNode toJson() {
        ObjectNode json = GuestEvent.JSON.createObjectNode();
        json.put("result", result(passed()));
        addAll(json.putArray("failures"), verdict.failures());
        if (!server.isObject()) {
            json.withArray("failures").add("the server wrote no summary");
        }
        json.put("kernel", verdict.kernel());
        json.put("seed", seed);
        ObjectNode times = json.putObject("seconds");
        times.put("boot", verdict.secondsToBoot());
        times.put("bind", verdict.secondsToBind());
        times.put("total", seconds);
        json.put("passed", verdict.count(TestOutcome.PASS));
        json.put("failed", verdict.count(TestOutcome.FAIL));
        json.put("skipped", verdict.count(TestOutcome.SKIP));
        ArrayNode tests = json.putArray("tests");
        verdict.tests().forEach(test -> tests.add(toJson(test)));
        ArrayNode warnings = json.putArray("warnings");
        verdict.warnings().forEach(warnings::addPOJO);
        ObjectNode measured = json.putObject("measured");
        verdict.measured().forEach(measured::put);
        addAll(json.putArray("output"), verdict.output());
        json.set("traps", server.path("vms").path(0).get("traps"));
        json.set("dma", server.path("vms").path(0).get("dma"));
        json.set("gpu", server.get("gpu"));
        return json;
    }

    private static ObjectNode toJson(TestOutcome test) {
        ObjectNode json = GuestEvent.JSON.createObjectNode();
        json.put("name", test.name());
        json.put("result", result(test.passed()));
        addAll(json.putArray("failures"), test.failures());
        json.put("seconds", test.seconds());
        json.put("secondsToFirstCase", test.secondsToFirstCase());
        json.put("passed", test.count(TestOutcome.PASS));
        json.put("failed", test.count(TestOutcome.FAIL));
        json.put("skipped", test.count(TestOutcome.SKIP));
        json.put("checksPassed", test.checksPassed());
        ArrayNode cases = json.putArray("cases");
        test.cases().forEach(cases::addPOJO);
        return json;
    }

    private static String result(boolean passed) {
        return passed ? TestOutcome.PASS : TestOutcome.FAIL;
    }

    private static void addAll(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }
}
