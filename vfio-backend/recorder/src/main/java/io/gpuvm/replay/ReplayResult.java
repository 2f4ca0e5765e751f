package io.gpuvm.replay;

import java.util.List;
import java.util.Map;

/// What came of a replay. Its JSON form is described in `docs/recorder.md`.
///
/// @param vm name of the virtual machine that was recorded
/// @param pace as [Pace#toString()]
/// @param messages what was sent, without repetitions
/// @param seconds how long that took, without reading the end state
/// @param recordedSeconds how long it took when it was recorded
/// @param polls reads that were to answer as recorded
/// @param repetitions of these reads
/// @param unmet polls that did not come to answer as recorded
/// @param looks other reads that were compared, of clocks apart
/// @param differences those of them that answered otherwise
/// @param differencesAt how many of these by register, or by region if it is none
/// @param different the first of these and of the unmet, by name
/// @param endState the state in which it left the GPU
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
