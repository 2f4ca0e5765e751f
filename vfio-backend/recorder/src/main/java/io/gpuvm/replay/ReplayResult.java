package io.gpuvm.replay;

import java.util.List;
import java.util.Map;

/// Result of a replay. `docs/recorder.md` describes the JSON form.
///
/// @param vm name of the recorded virtual machine
/// @param pace value of [Pace#toString()]
/// @param messages number of messages sent, without repetitions
/// @param seconds duration of the replay, without reading the end state
/// @param recordedSeconds duration of the recording
/// @param polls number of reads that had to return the recorded value
/// @param repetitions number of repetitions of these reads
/// @param unmet number of polls that did not return the recorded value in time
/// @param looks number of other reads that were compared, excluding reads of clocks
/// @param differences number of these reads with another value
/// @param differencesAt number of these differences by register, or by region outside BAR0
/// @param different first differences and first unmet polls, by name
/// @param endState final state of the GPU
public record ReplayResult(
        String vm,
        String pace,
        long messages,
        double seconds,
        double recordedSeconds,
        long polls,
        long repetitions,
        long unmet,
        long looks,
        long differences,
        Map<String, Long> differencesAt,
        List<String> different,
        EndState endState) {}
