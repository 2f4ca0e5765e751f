package io.gpuvm.replay;

/// How fast a recording is replayed.
///
/// @param factor times as fast as it was recorded; infinite for as fast as possible
public record Pace(double factor) {
    /// As fast as possible.
    public static final Pace FULL = new Pace(Double.POSITIVE_INFINITY);

    /// As it was recorded.
    public static final Pace RECORDED = new Pace(1);

    public Pace {
        if (!(factor > 0)) {
            throw new IllegalArgumentException("pace=%s, limit=greater than 0".formatted(factor));
        }
    }

    /// Reads `full`, `recorded` or a number.
    ///
    /// @throws IllegalArgumentException if it is none of these
    public static Pace parse(String text) {
        return switch (text) {
            case "full" -> FULL;
            case "recorded" -> RECORDED;
            default -> {
                try {
                    yield new Pace(Double.parseDouble(text));
                } catch (NumberFormatException e) {
                    throw new IllegalArgumentException(
                            "pace=%s, limit=full, recorded or a number".formatted(text), e);
                }
            }
        };
    }

    /// When something is due, from the start of the replay.
    ///
    /// @param recordedNs when it was, from the start of what is replayed
    long dueNs(long recordedNs) {
        return (long) (recordedNs / factor);
    }

    @Override
    public String toString() {
        return factor == Double.POSITIVE_INFINITY ? "full" : Double.toString(factor);
    }
}
