package io.gpuvm.guests.hostile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.statistics.Samples;
import java.util.ArrayList;
import java.util.List;

/// Result of a run. `docs/hostile-guests.md` describes its JSON form.
///
/// @param failures failures other than those of cases and floods
/// @param neighbourCopies number of copies by the neighbour during the run
/// @param neighbourSweeps number of complete checks of the neighbour's canaries
public record HostileReport(
        List<CaseResult> cases,
        List<FloodResult> floods,
        List<String> failures,
        long neighbourCopies,
        long neighbourSweeps) {
    /// Result of one case.
    ///
    /// @param attacks number of attacks, the last of which is interrupted by the death of the
    ///   process
    /// @param failures forbidden operations that succeeded, and other failures
    /// @param logged log lines of the backend about the case
    public record CaseResult(
            String name,
            String description,
            int attacks,
            List<String> failures,
            List<String> logged) {}

    /// Result of one flood.
    ///
    /// @param perSecond requests per second
    /// @param guestShare processors used by the flood's process
    /// @param backendShare processors used by the backend's thread for the virtual machine
    /// @param ratios ratios, by turn: the neighbour's copies per second beside the flood, divided
    ///   by its copies per second beside a process that only uses as much processor time
    /// @param failures failures of the flood
    public record FloodResult(
            String name,
            long perSecond,
            double guestShare,
            double backendShare,
            List<Double> ratios,
            List<String> failures,
            List<String> logged) {
        FloodResult withFailure(String failure) {
            return new FloodResult(
                    name, perSecond, guestShare, backendShare, ratios, List.of(failure), logged);
        }

        /// Returns this result with log lines. A flood is legal, so each line is a failure.
        FloodResult withLog(List<String> lines) {
            List<String> all = new ArrayList<>(failures);
            if (!lines.isEmpty()) {
                all.add("logged lines=%d, limit=0".formatted(lines.size()));
            }
            return new FloodResult(name, perSecond, guestShare, backendShare, ratios, all, lines);
        }

        /// Returns the median of the ratios; NaN if there are none.
        public double ratioMedian() {
            return Samples.of(ratios).median();
        }
    }

    public boolean passed() {
        return failures.isEmpty()
                && cases.stream().allMatch(each -> each.failures().isEmpty())
                && floods.stream().allMatch(each -> each.failures().isEmpty());
    }

    public JsonNode toJson() {
        return new ObjectMapper().valueToTree(this);
    }
}
