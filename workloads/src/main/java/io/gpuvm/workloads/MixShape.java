package io.gpuvm.workloads;

/// Proportions of the workload `mix`.
///
/// The nominal rates relate bytes to steps. They are those of the software GPU on two processors;
/// on other GPUs, the share of transfers in the duration differs from the nominal share.
///
/// @param sharePercent nominal share of transfers in the duration, in percent
/// @param transferBytes length of each transfer
record MixShape(int sharePercent, int transferBytes) {
    static final int LEAST_SHARE = 10;
    static final int MOST_SHARE = 90;

    /// Minimum length of a transfer, in bytes.
    static final int LEAST_TRANSFER = 4096;

    /// Length of the VRAM buffer that successive transfers use in rotation.
    static final int BUFFER_BYTES = 64 << 20;

    /// Proportions of `mix` without parameters.
    static final MixShape USUAL = new MixShape(50, 1 << 20);

    /// Nominal rate of copies, in bytes per microsecond.
    private static final long BYTES_PER_US = 8000;

    /// Nominal rate of all threads together, in steps per microsecond.
    private static final long STEPS_PER_US = 10_000;

    private static final int PERCENT = 100;
    private static final int DIRECTIONS = 2;
    private static final String SHARE = "share";
    private static final String TRANSFER = "transfer";

    MixShape {
        check(SHARE, sharePercent, LEAST_SHARE, MOST_SHARE);
        check(TRANSFER, transferBytes, LEAST_TRANSFER, BUFFER_BYTES);
        if (transferBytes % Integer.BYTES != 0) {
            throw new IllegalArgumentException(
                    "mix: %s=%d, expected a multiple of %d"
                            .formatted(TRANSFER, transferBytes, Integer.BYTES));
        }
    }

    /// Returns the proportions that a text such as `share=30,transfer=65536` describes. Omitted
    /// parameters have their usual values.
    ///
    /// @throws IllegalArgumentException if a parameter is unknown or has an invalid value
    static MixShape parse(String text) {
        int share = USUAL.sharePercent;
        int transfer = USUAL.transferBytes;
        for (String parameter : text.split(",", -1)) {
            int equals = parameter.indexOf('=');
            String key = equals < 0 ? parameter : parameter.substring(0, equals);
            switch (key) {
                case SHARE -> share = number(parameter, equals);
                case TRANSFER -> transfer = number(parameter, equals);
                default ->
                        throw new IllegalArgumentException(
                                "mix: parameter=%s, expected %s=PERCENT or %s=BYTES"
                                        .formatted(parameter, SHARE, TRANSFER));
            }
        }
        return new MixShape(share, transfer);
    }

    /// Returns the number of transfers in each direction, at least 1.
    ///
    /// @param nominalUs nominal duration of the whole run
    int transfers(int nominalUs) {
        long bytes = nominalUs * BYTES_PER_US * sharePercent / (PERCENT * DIRECTIONS);
        return Math.toIntExact(Math.max(1, (bytes + transferBytes / 2) / transferBytes));
    }

    /// Returns the number of steps of each thread, at least 1.
    ///
    /// @param nominalUs nominal duration of the whole run
    int steps(int nominalUs, int threads) {
        long steps = nominalUs * STEPS_PER_US * (PERCENT - sharePercent) / PERCENT;
        return Math.toIntExact(Math.max(1, steps / threads));
    }

    /// Returns the number of transfers that fit in the buffer.
    int slots() {
        return BUFFER_BYTES / transferBytes;
    }

    /// Returns the parameters in the form that [#parse] accepts.
    String text() {
        return "%s=%d,%s=%d".formatted(SHARE, sharePercent, TRANSFER, transferBytes);
    }

    private static int number(String parameter, int equals) {
        try {
            return Integer.parseInt(parameter.substring(equals + 1));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "mix: parameter=%s, expected a number".formatted(parameter), e);
        }
    }

    private static void check(String key, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "mix: %s=%d, expected %d to %d".formatted(key, value, least, most));
        }
    }
}
