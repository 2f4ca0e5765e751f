package io.gpuvm.evaluation.data;

import java.util.List;
import java.util.function.Function;

/// Section of an evaluation: a list of records, each of which has its own line in the section's
/// journal and its own rows in the section's CSV file.
///
/// @param name key in `evaluation.json`, and name of the section's files
/// @param type type of the records
/// @param records returns the records of the section in an evaluation
public record EvaluationSection<T>(
        String name, Class<T> type, Function<Evaluation, List<T>> records) {
    public static final EvaluationSection<WorkloadSample> SAMPLES =
            new EvaluationSection<>("samples", WorkloadSample.class, Evaluation::samples);
    public static final EvaluationSection<GuestStart> STARTS =
            new EvaluationSection<>("starts", GuestStart.class, Evaluation::starts);
    public static final EvaluationSection<ResultGap> GAPS =
            new EvaluationSection<>("gaps", ResultGap.class, Evaluation::gaps);
    public static final EvaluationSection<TransferSample> TRANSFERS =
            new EvaluationSection<>("transfers", TransferSample.class, Evaluation::transfers);
    public static final EvaluationSection<CopySample> COPIES =
            new EvaluationSection<>("copies", CopySample.class, Evaluation::copies);
    public static final EvaluationSection<QueueDelay> QUEUE_DELAYS =
            new EvaluationSection<>("queueDelays", QueueDelay.class, Evaluation::queueDelays);
    public static final EvaluationSection<ScalingSample> SCALING =
            new EvaluationSection<>("scaling", ScalingSample.class, Evaluation::scaling);
    public static final EvaluationSection<ShareSeries> SHARES =
            new EvaluationSection<>("shares", ShareSeries.class, Evaluation::shares);
    public static final EvaluationSection<MemorySample> MEMORY =
            new EvaluationSection<>("memory", MemorySample.class, Evaluation::memory);

    /// All sections, in the order of `evaluation.json`.
    public static final List<EvaluationSection<?>> ALL =
            List.of(
                    SAMPLES,
                    STARTS,
                    GAPS,
                    TRANSFERS,
                    COPIES,
                    QUEUE_DELAYS,
                    SCALING,
                    SHARES,
                    MEMORY);
}
