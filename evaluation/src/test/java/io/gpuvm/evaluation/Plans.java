package io.gpuvm.evaluation;

import io.gpuvm.evaluation.data.EvaluatedWorkload;
import io.gpuvm.evaluation.data.EvaluationHost;
import io.gpuvm.evaluation.data.EvaluationRounds;
import java.util.List;

/// Plans for tests.
final class Plans {
    private Plans() {}

    /// Returns the header of an evaluation of one workload, with two rounds for each kind of guest.
    static JournalHeader header(double limitSeconds, String... configurations) {
        return new JournalHeader(
                "abc",
                false,
                "2026-01-01T00:00:00Z",
                new EvaluationHost(2, "model", 1, "6.1", "tcg", "none"),
                new EvaluationRounds(true, 2, 2, 1),
                List.of(configurations),
                List.of(new EvaluatedWorkload("mmul", 32, "rows and columns", null)),
                true,
                3,
                limitSeconds);
    }
}
