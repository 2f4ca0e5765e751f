package io.gpuvm.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.record.Recording;
import io.gpuvm.sched.PolicyKind;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests of the repetition of the decisions of a run of two paravirtual guests.
@Timeout(60)
class DecisionReplayTest {
    @TempDir private Path folder;

    /// Returns policies with periods and intervals that begin often in such a short run.
    static Stream<PolicyKind> policies() {
        return Stream.concat(
                PolicyKind.ALL.stream(),
                Stream.of(PolicyKind.parse("band,period=7ms,window=50ms")));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void givenRealRun_whenReplayed_thenAllDecisionsAreEqual(PolicyKind policy) throws Exception {
        Path recorded = SpinRecording.make(folder, policy);

        try (Recording recording = Recording.open(recorded)) {
            RecordedRun run = RecordedRun.of(recording);
            DecisionReplay replay = DecisionReplay.of(run);
            assertEquals(policy, run.policy());
            assertTrue(run.log().size() > 0 && replay.decisions() >= run.log().size());
            assertNull(replay.firstDifference());
            assertEquals(replay.decisions(), replay.same());
        }
    }
}
