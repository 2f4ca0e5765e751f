package io.gpuvm.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoScreenTest {
    private static final String WRAP_OFF = "\033[?7l";
    private static final String WRAP_ON = "\033[?7h";
    private static final String UP_THREE = "\033[3A";

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @Test
    void givenTerminal_whenTableIsUpdated_thenTableIsOverwritten() throws Exception {
        DemoScreen board = board(true);
        board.show(summary());
        assertFalse(text().contains(UP_THREE), text());

        said.reset();
        board.show(summary());

        // An empty line, the header and one virtual machine.
        assertTrue(text().startsWith(UP_THREE), text());
        assertEquals(1, text().split("GPU time", -1).length - 1);
    }

    @Test
    void givenTerminal_whenLineIsPrinted_thenLineIsAboveTable() throws Exception {
        DemoScreen board = board(true);
        board.show(summary());
        said.reset();
        board.say("host", "a line");

        assertTrue(text().indexOf("a line") < text().indexOf("GPU time"), text());
    }

    @Test
    void givenTerminal_whenTableIsPrinted_thenWrappingIsDisabledForTableOnly() throws Exception {
        DemoScreen board = board(true);
        board.show(summary());
        board.say("host", "a line");

        assertTrue(text().endsWith(WRAP_ON), text());
        assertFalse(text().substring(text().indexOf(WRAP_ON)).startsWith(WRAP_ON + WRAP_OFF));
        assertTrue(text().lastIndexOf(WRAP_OFF) > text().indexOf("a line"), text());
    }

    @Test
    void givenScreen_whenClosed_thenTableIsRemovedAndOutputEnds() throws Exception {
        DemoScreen board = board(true);
        board.show(summary());
        said.reset();
        board.close(List.of("the end"));
        board.say("host", "more");
        board.show(summary());
        board.close(List.of("another end"));

        assertTrue(text().startsWith(UP_THREE), text());
        assertTrue(text().endsWith("the end" + System.lineSeparator()), text());
    }

    @Test
    void givenNoTerminal_whenTableIsShown_thenPlainLinesArePrinted() throws Exception {
        DemoScreen board = board(false);
        for (int i = 0; i < 10; i++) {
            board.show(summary());
        }

        assertFalse(text().contains("\033"), text());
        assertEquals(2, text().lines().count(), text());
    }

    private DemoScreen board(boolean terminal) {
        return new DemoScreen(new PrintStream(said, true, StandardCharsets.UTF_8), terminal);
    }

    private String text() {
        return said.toString(StandardCharsets.UTF_8);
    }

    private static JsonNode summary() throws Exception {
        return new ObjectMapper()
                .readTree(
                        """
                        {"vms": [{"name": "pv0", "commands": {"gpuTimeNs": 5, "completed": 1}}]}
                        """);
    }
}
