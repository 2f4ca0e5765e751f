package io.gpuvm.daemon;

/// Levels of this process's loggers. Any thread.
@FunctionalInterface
public interface LogLevels {
    /// Refuses all changes.
    LogLevels FIXED =
            (_, _) -> {
                throw new IllegalArgumentException("the levels of this process's logs are fixed");
            };

    /// Changes a level.
    ///
    /// @param level name of the level
    /// @param logger class or package; null for all that have no level of their own
    /// @throws IllegalArgumentException if the level or the logger is unknown
    void set(String level, String logger);
}
