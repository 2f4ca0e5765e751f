package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;

/// Number of blocks or threads in each direction, as given by `--grid` and `--block`.
record LaunchSize(int x, int y, int z) {
    private static final int DIRECTIONS = 3;

    /// Parses `X[,Y[,Z]]`; missing numbers are 1. The launch checks the GPU's limits.
    ///
    /// @param option name of the option, for messages
    /// @throws ConfigException if the text is invalid; the message names option and value
    static LaunchSize parse(String option, String text) {
        String[] parts = text.split(",", -1);
        int[] sizes = {1, 1, 1};
        if (parts.length > DIRECTIONS) {
            throw bad(option, text);
        }
        for (int i = 0; i < parts.length; i++) {
            try {
                sizes[i] = Integer.parseInt(parts[i]);
            } catch (NumberFormatException _) {
                throw bad(option, text);
            }
            if (sizes[i] < 1) {
                throw bad(option, text);
            }
        }
        return new LaunchSize(sizes[0], sizes[1], sizes[2]);
    }

    private static ConfigException bad(String option, String text) {
        return new ConfigException(
                "%s %s: expected X[,Y[,Z]], each 1 to %d"
                        .formatted(option, text, Integer.MAX_VALUE));
    }
}
