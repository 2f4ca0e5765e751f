package io.gpuvm.replay;

/// Speed of a replay.
///
/// @param factor speed relative to the recording; infinite for full speed
public record Pace(double factor) {
    /// Full speed.
    public static final Pace FULL = new Pace(Double.POSITIVE_INFINITY);

    /// Speed of the recording.
    public static final Pace RECORDED = new Pace(1);

    public Pace {
        if (!(factor > 0)) {
            throw new IllegalArgumentException(
                    "pace=%s, expected greater than 0".formatted(factor));
        }
    }

    /// Parses `full`, `recorded` or a number.
    ///
    /// @throws IllegalArgumentException if the text is none of these
    public static Pace parse(String text) {
        return switch (text) {
            case "full" -> FULL;
            case "recorded" -> RECORDED;
            default -> {
                try {
                    yield new Pace(Double.parseDouble(text));
                } catch (NumberFormatException e) {
                    throw new IllegalArgumentException(
                            "pace=%s, expected one of full, recorded, or a number".formatted(text),
                            e);
                }
            }
        };
    }

    /// Returns the time at which a record is due, from the start of the replay.
    ///
    /// @param recordedNs time from the start of the replayed records
    long dueNs(long recordedNs) {
        return (long) (recordedNs / factor);
    }

    @Override
    public String toString() {
        return factor == Double.POSITIVE_INFINITY ? "full" : Double.toString(factor);
    }
}
