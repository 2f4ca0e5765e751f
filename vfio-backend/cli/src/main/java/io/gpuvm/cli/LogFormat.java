package io.gpuvm.cli;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;

/// Form of log lines.
enum LogFormat {
    /// One line of text for each message, and the stacks of exceptions.
    TEXT {
        @Override
        Encoder<ILoggingEvent> encoder(boolean isTimed) {
            PatternLayoutEncoder encoder = new PatternLayoutEncoder();
            encoder.setPattern(
                    (isTimed ? "%d{HH:mm:ss.SSS} %-5level " : "")
                            + "%-14thread %logger{0}: %msg%n%ex");
            return encoder;
        }
    },
    /// One JSON object in one line for each message, with Logback's keys.
    JSON {
        @Override
        Encoder<ILoggingEvent> encoder(boolean isTimed) {
            JsonEncoder encoder = new JsonEncoder();
            encoder.setWithFormattedMessage(true);
            encoder.setWithMessage(false);
            encoder.setWithArguments(false);
            encoder.setWithContext(false);
            encoder.setWithSequenceNumber(false);
            encoder.setWithNanoseconds(false);
            encoder.setWithMDC(false);
            encoder.setWithKVPList(false);
            encoder.setWithMarkers(false);
            return encoder;
        }
    };

    /// Creates an encoder, which is to be started.
    ///
    /// @param isTimed whether text contains time and level, which the journal shows itself
    abstract Encoder<ILoggingEvent> encoder(boolean isTimed);
}
