package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogSettingsTest {
    private static final String NAME = LogSettingsTest.class.getName();

    private final LoggerContext context = new LoggerContext();
    private final Logger logger = (Logger) LoggerFactory.getLogger(NAME);
    private final LogSettings settings = new LogSettings();

    @AfterEach
    void reset() {
        logger.setLevel(null);
    }

    @Test
    void givenLogger_whenLevelIsSet_thenItCountsUntilItIsInherited() {
        settings.set("debug", NAME);
        assertEquals(Level.DEBUG, logger.getLevel());
        settings.set("ERROR", NAME);
        assertEquals(Level.ERROR, logger.getLevel());
        settings.set("inherited", NAME);
        assertNull(logger.getLevel());
    }

    @Test
    void givenWrongLevelOrLogger_whenSet_thenErrorNamesThem() {
        assertEquals(
                "level=loud, expected one of error, warn, info, debug, trace",
                refusal("loud", null));
        assertEquals(
                "level=inherited, expected one of error, warn, info, debug, trace",
                refusal("inherited", null));
        assertTrue(refusal("info", "io.gpuvm.ower").startsWith("logger=io.gpuvm.ower, expected"));
        assertNull(context.exists("io.gpuvm.ower"));
    }

    @Test
    void givenJson_whenEncoded_thenEachMessageIsOneObjectInOneLine() throws Exception {
        String text = encode(LogFormat.JSON.encoder(true), Level.WARN, "a\n\"b\"");
        assertEquals(1, text.lines().count());
        JsonNode object = new ObjectMapper().readTree(text);
        assertEquals("a\n\"b\"", object.get("formattedMessage").asText());
        assertEquals("WARN", object.get("level").asText());
        assertEquals(NAME, object.get("loggerName").asText());
        assertTrue(object.get("timestamp").asLong() > 0);
    }

    @Test
    void givenJournal_whenEncoded_thenEachLineBeginsWithPriority() {
        Encoder<ILoggingEvent> lines = LogFormat.TEXT.encoder(false);
        lines.setContext(context);
        lines.start();
        assertEquals(
                "<3>main           LogSettingsTest: a\n<3>b\n",
                encode(new JournalEncoder(lines), Level.ERROR, "a\nb"));
        assertTrue(encode(new JournalEncoder(lines), Level.WARN, "a").startsWith("<4>"));
        assertTrue(encode(new JournalEncoder(lines), Level.INFO, "a").startsWith("<6>"));
        assertTrue(encode(new JournalEncoder(lines), Level.DEBUG, "a").startsWith("<7>"));
    }

    private String refusal(String level, String name) {
        return assertThrows(IllegalArgumentException.class, () -> settings.set(level, name))
                .getMessage();
    }

    private String encode(Encoder<ILoggingEvent> encoder, Level level, String message) {
        encoder.setContext(context);
        encoder.start();
        LoggingEvent event =
                new LoggingEvent(NAME, context.getLogger(NAME), level, message, null, null);
        event.setThreadName("main");
        return new String(encoder.encode(event), StandardCharsets.UTF_8);
    }
}
