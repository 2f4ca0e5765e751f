package io.gpuvm.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.counters.BackendSnapshot.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the text of frames. The files `top-*.txt` contain the expected text.
class TopScreenTest {
    private static final TopView USUAL = TopView.of(TopSort.SHARE, "");

    @ParameterizedTest
    @ValueSource(ints = {80, 200})
    void givenBusyBackend_whenRendered_thenTextIsExpected(int columns) throws IOException {
        List<String> lines = render(List.of(Frames.busy(State.SERVING)), USUAL, columns, 0);
        assertEquals(expected("busy-" + columns), String.join("\n", lines) + "\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 200})
    void givenDeadAndEmptyBackends_whenRendered_thenTextIsExpected(int columns) throws IOException {
        List<String> lines =
                render(List.of(Frames.busy(State.DEAD), Frames.empty()), USUAL, columns, 0);
        assertEquals(expected("dead-" + columns), String.join("\n", lines) + "\n");
    }

    @Test
    void givenStates_whenRendered_thenLineNamesStateAndAge() {
        assertTrue(text(State.HUNG).contains("HUNG: a loop has not proceeded for 12s"));
        assertTrue(text(State.STOPPED).contains("STOPPED: ended 12s ago"));
        assertFalse(text(State.SERVING).contains("HUNG"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 40, 79, 80, 81, 186, 187, 200, 1000})
    void givenAnyWidth_whenRendered_thenNoLineIsLonger(int columns) {
        TopView view = USUAL.withHelp(true);
        for (State state : State.values()) {
            for (String line : render(List.of(Frames.busy(state)), view, columns, 24)) {
                assertTrue(line.length() <= Math.max(40, columns), line);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 8, 24, 100})
    void givenHeight_whenRendered_thenLinesFillItAndSelectedVmIsVisible(int rows) {
        List<TopBackend> frame = List.of(Frames.busy(State.SERVING), Frames.busy(State.SERVING));
        for (int selected = 0; selected < 8; selected++) {
            TopView view = TopView.of(TopSort.NAME, "").withSelected(selected);
            List<String> lines = render(frame, view, 80, rows);
            assertEquals(rows, lines.size());
            String name = view.selection(frame).vm().name().substring(0, 3);
            assertTrue(lines.stream().anyMatch(line -> line.startsWith(name)), "" + lines);
        }
    }

    @Test
    void givenPromptAndMessage_whenRendered_thenLastLineShowsThem() {
        TopView asked =
                USUAL.withPrompt(new TopPrompt(TopPrompt.Kind.FILTER, null, null, "show: ", "we"));
        List<TopBackend> frame = List.of(Frames.busy(State.SERVING));
        assertEquals("show: we", render(frame, asked, 80, 24).getLast());
        assertEquals("done", render(frame, USUAL.withMessage("done"), 80, 24).getLast());
        assertTrue(render(frame, USUAL, 80, 24).getLast().startsWith("q quit"));
    }

    @Test
    void givenFilter_whenNoNameMatches_thenLineSaysSo() {
        List<TopBackend> frame = List.of(Frames.busy(State.SERVING));
        List<String> lines = render(frame, TopView.of(TopSort.NAME, "zzz"), 80, 0);
        assertEquals("no name contains zzz", lines.getLast());
    }

    @Test
    void givenPlainTerminal_whenRendered_thenTextIsAsciiWithoutEscapes() {
        List<TopBackend> frame = List.of(Frames.busy(State.SERVING));
        TopScreen.Size size = new TopScreen.Size(80, 0, false, false);
        String text = String.join("", TopScreen.render(frame, USUAL, size));
        assertTrue(text.chars().allMatch(c -> c >= ' ' && c < 0x7f), text);
        TopScreen.Size styled = new TopScreen.Size(80, 24, true, false);
        assertTrue(String.join("", TopScreen.render(frame, USUAL, styled)).contains("\u001b[1;7m"));
    }

    private static String text(State state) {
        return String.join("\n", render(List.of(Frames.busy(state)), USUAL, 80, 0));
    }

    private static List<String> render(
            List<TopBackend> frame, TopView view, int columns, int rows) {
        return TopScreen.render(frame, view, new TopScreen.Size(columns, rows, false, true));
    }

    private static String expected(String name) throws IOException {
        try (var in = TopScreenTest.class.getResourceAsStream("top-" + name + ".txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
