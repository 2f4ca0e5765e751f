package io.gpuvm.guests.hostile.cuda;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// Result of a run of hostile CUDA clients. `docs/hostile-guests.md` describes its JSON form.
///
/// @param seed seed of all random choices
/// @param isNegative whether the run was a negative control, in which each part must fail
/// @param isComplete whether all parts ran
/// @param parts results of the parts
/// @param longestMs longest time of a program's call after the end of the backend, in milliseconds
/// @param verified number of verified results of the programs beside the hostile clients
/// @param failures failures of the backend outside of parts
public record HostileCudaReport(
        long seed,
        boolean isNegative,
        boolean isComplete,
        List<Part> parts,
        long longestMs,
        long verified,
        List<String> failures) {
    /// Result of one part.
    ///
    /// @param seconds duration
    /// @param failures permitted attacks, disturbed programs, and other failures
    public record Part(String name, double seconds, List<String> failures) {}

    /// Returns whether no part failed or, in a negative control, whether each part failed.
    public boolean passed() {
        return isNegative
                ? parts.stream().noneMatch(part -> part.failures().isEmpty())
                : failed() == 0;
    }

    private long failed() {
        long parted = parts.stream().filter(part -> !part.failures().isEmpty()).count();
        return parted + (failures.isEmpty() ? 0 : 1);
    }

    /// Returns one line of JSON, whose `result` is `pass`, `partial` or `fail`.
    public JsonNode toJson() {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode json = mapper.createObjectNode();
        json.put("result", !passed() ? "fail" : isComplete ? "pass" : "partial");
        json.put("failed", failed());
        json.put("skipped", 0);
        json.put("negative", isNegative);
        json.put("seed", seed);
        json.put("verified", verified);
        json.put("longestMs", longestMs);
        json.set("parts", mapper.valueToTree(parts));
        json.set("failures", mapper.valueToTree(failures));
        return json;
    }
}
