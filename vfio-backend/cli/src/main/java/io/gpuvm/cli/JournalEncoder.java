package io.gpuvm.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;

/// Encoder that begins each line with the message's priority, as the journal of systemd expects
/// (sd-daemon(3)): `<3>` for errors, `<4>` for warnings, `<6>` for information, `<7>` for details.
final class JournalEncoder extends EncoderBase<ILoggingEvent> {
    private static final int ERROR = 3;
    private static final int WARNING = 4;
    private static final int INFO = 6;
    private static final int DEBUG = 7;

    private final Encoder<ILoggingEvent> lines;

    /// @param lines encoder of messages, started
    JournalEncoder(Encoder<ILoggingEvent> lines) {
        this.lines = lines;
    }

    @Override
    public byte[] headerBytes() {
        return lines.headerBytes();
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        String prefix = "<%d>".formatted(priority(event.getLevel()));
        String text = new String(lines.encode(event), StandardCharsets.UTF_8);
        StringBuilder prefixed = new StringBuilder();
        text.lines().forEach(line -> prefixed.append(prefix).append(line).append('\n'));
        return prefixed.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] footerBytes() {
        return lines.footerBytes();
    }

    private static int priority(Level level) {
        return switch (level.toInt()) {
            case Level.ERROR_INT -> ERROR;
            case Level.WARN_INT -> WARNING;
            case Level.INFO_INT -> INFO;
            default -> DEBUG;
        };
    }
}
