package io.gpuvm.evaluation.data;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/// All data of an evaluation, the content of `evaluation.json`.
///
/// @param version version of the format, [#VERSION]
/// @param commit commit of the sources, or `unknown`
/// @param dirty whether the sources differ from the commit
/// @param started start of the evaluation in UTC, in the format of ISO 8601
/// @param seconds duration in seconds, without the time between an interruption and the resumption
/// @param machine host of the evaluation
/// @param plan numbers of rounds, and the seed
/// @param configurations configurations in the order of the report
/// @param workloads workloads with their sizes
/// @param samples runs of workloads
/// @param starts starts of guests
/// @param gaps missing results, each with its reason
/// @param transfers runs of the synthetic program with a given share of transfers
/// @param copies single copies of pinned memory
/// @param queueDelays times from the submission of an empty kernel until the program sees the
///   completion
/// @param scaling runs of a workload in several guests at once
/// @param shares shares of the GPU's time under each policy
/// @param memory memory of backends with several guests
public record Evaluation(
        int version,
        String commit,
        boolean dirty,
        String started,
        double seconds,
        EvaluationHost machine,
        EvaluationRounds plan,
        List<EvaluatedConfiguration> configurations,
        List<EvaluatedWorkload> workloads,
        List<WorkloadSample> samples,
        List<GuestStart> starts,
        List<ResultGap> gaps,
        List<TransferSample> transfers,
        List<CopySample> copies,
        List<QueueDelay> queueDelays,
        List<ScalingSample> scaling,
        List<ShareSeries> shares,
        List<MemorySample> memory) {
    /// Version of the format.
    public static final int VERSION = 1;

    /// @throws IllegalArgumentException if the version is unknown
    public Evaluation {
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "version=%d, expected=%d".formatted(version, VERSION));
        }
        configurations = List.copyOf(configurations);
        workloads = List.copyOf(workloads);
        samples = List.copyOf(samples);
        starts = List.copyOf(starts);
        gaps = List.copyOf(gaps);
        transfers = List.copyOf(transfers);
        copies = List.copyOf(copies);
        queueDelays = List.copyOf(queueDelays);
        scaling = List.copyOf(scaling);
        shares = List.copyOf(shares);
        memory = List.copyOf(memory);
    }

    /// Returns `pass` if no result is missing, `fail` if there is no valid sample, else `partial`.
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public String result() {
        if (samples.stream().noneMatch(WorkloadSample::valid)) {
            return "fail";
        }
        return gaps.isEmpty() ? "pass" : "partial";
    }

    /// Returns the number of results that are missing because of a failure.
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public long failed() {
        return gaps.stream().filter(gap -> !gap.skipped()).count();
    }

    /// Returns the number of results that were not attempted.
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public long skipped() {
        return gaps.stream().filter(ResultGap::skipped).count();
    }
}
