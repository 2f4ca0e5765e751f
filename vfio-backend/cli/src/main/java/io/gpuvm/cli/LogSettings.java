package io.gpuvm.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import io.gpuvm.daemon.LogLevels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/// Settings of this process's logs, which `logback.xml` has configured: their form, and the levels
/// of loggers. Any thread.
final class LogSettings implements LogLevels {
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");
    private static final List<String> LEVELS = List.of("error", "warn", "info", "debug", "trace");

    /// Word for the level of the loggers above.
    private static final String INHERITED = "inherited";

    /// Sets the form of all following lines.
    ///
    /// @param environment variables of the process
    void useFormat(LogFormat format, Map<String, String> environment) {
        boolean isJournal = isJournal(environment.get("JOURNAL_STREAM"));
        if (format == LogFormat.TEXT && !isJournal) {
            return;
        }
        LoggerContext context = context();
        Iterator<Appender<ILoggingEvent>> appenders =
                context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).iteratorForAppenders();
        while (appenders.hasNext()) {
            if (appenders.next() instanceof ConsoleAppender<ILoggingEvent> console) {
                Encoder<ILoggingEvent> encoder = started(format.encoder(!isJournal), context);
                console.setEncoder(
                        isJournal ? started(new JournalEncoder(encoder), context) : encoder);
            }
        }
    }

    private static Encoder<ILoggingEvent> started(
            Encoder<ILoggingEvent> encoder, LoggerContext context) {
        encoder.setContext(context);
        encoder.start();
        return encoder;
    }

    /// Returns whether standard error leads to the journal.
    ///
    /// @param stream device and inode of the journal's socket, with a colon between them
    ///   (sd-daemon(3)); null without a journal
    private static boolean isJournal(String stream) {
        if (stream == null) {
            return false;
        }
        try {
            Map<String, Object> file = Files.readAttributes(STANDARD_ERROR, "unix:dev,ino");
            return stream.equals(file.get("dev") + ":" + file.get("ino"));
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void set(String level, String logger) {
        String wanted = level.toLowerCase(Locale.ROOT);
        boolean isInherited = wanted.equals(INHERITED) && logger != null;
        if (!LEVELS.contains(wanted) && !isInherited) {
            throw new IllegalArgumentException(
                    "level=%s, expected one of %s%s"
                            .formatted(
                                    level,
                                    String.join(", ", LEVELS),
                                    logger == null ? "" : ", " + INHERITED));
        }
        find(logger).setLevel(isInherited ? null : Level.toLevel(wanted));
    }

    /// Returns the logger with a name, without creating loggers that nothing uses.
    private static Logger find(String name) {
        LoggerContext context = context();
        if (name == null) {
            return context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        }
        Logger found = context.exists(name);
        if (found == null || name.isEmpty()) {
            throw new IllegalArgumentException(
                    "logger=%s, expected a class or package that has written to the log, such as io.gpuvm.owner"
                            .formatted(name));
        }
        return found;
    }

    private static LoggerContext context() {
        ILoggerFactory factory = LoggerFactory.getILoggerFactory();
        return (LoggerContext) factory;
    }
}
