package io.gpuvm.guests.hostile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.statistics.Samples;
import java.util.ArrayList;
import java.util.List;

/// What became of a run. Its JSON form is described in `docs/hostile-guests.md`.
///
/// @param failures what went wrong beside the cases and floods
/// @param neighbourCopies what the guest beside them did meanwhile
/// @param neighbourSweeps how often it looked at all its canaries
public record HostileReport(
        List<CaseResult> cases,
        List<FloodResult> floods,
        List<String> failures,
        long neighbourCopies,
        long neighbourSweeps) {
    /// The outcome of one case.
    ///
    /// @param attacks how often it was tried, the last time until death
    /// @param failures what succeeded that must not, and what else is wrong
    /// @param logged the lines that the backend wrote about it
    public record CaseResult(
            String name,
            String description,
            int attacks,
            List<String> failures,
            List<String> logged) {}

    /// The outcome of one flood.
    ///
    /// @param perSecond requests
    /// @param guestShare processors that its own process used
    /// @param backendShare processors that the backend's thread of its virtual machine used
    /// @param ratios by turn: the neighbour's copies per second beside the flood, divided by those
    ///   beside a process that only uses as much of the processors
    /// @param failures what is wrong
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

        /// A flood is legal, so there is nothing to say of it.
        FloodResult withLog(List<String> lines) {
            List<String> all = new ArrayList<>(failures);
            if (!lines.isEmpty()) {
                all.add("logged lines=%d, limit=0".formatted(lines.size()));
            }
            return new FloodResult(name, perSecond, guestShare, backendShare, ratios, all, lines);
        }

        /// The median of the ratios; NaN if there are none.
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
