package io.gpuvm.evaluation.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpuvm.evaluation.data.Evaluation;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Opens a report in Chromium. Requires `tests/browser/setup`.
@Tag("commands")
final class ReportInBrowserTest {
    private static final int HEIGHT = 900;
    private static final int[] WIDTHS = {1280, 400};
    private static final List<String> SCHEMES = List.of("light", "dark");

    private static final String POINTS = "document.querySelectorAll('#%s [data-point]').length";
    private static final String OVERFLOW =
            "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    private static final String BACKGROUND = "getComputedStyle(document.body).backgroundColor";
    private static final String OPEN_DETAILS =
            "document.querySelectorAll('details').forEach(each => each.open = true)";
    private static final String UNRESOLVED =
            """
            [...document.querySelectorAll('svg [data-point]')].filter(each => {
                const style = getComputedStyle(each);
                return style.fill === 'none' && style.stroke === 'none';
            }).length\
            """;

    @TempDir private Path folder;

    @Test
    void givenReport_whenBrowserOpensPage_thenFiguresAreCompleteOnEachScreen() throws Exception {
        Optional<Path> program = Chromium.program();
        assumeTrue(program.isPresent(), "no browser: tests/browser/setup has not installed it");
        Evaluation data = Fixture.small(7);
        Path page = Report.write(folder, data);
        List<Figure> figures = Report.figures(new Runs(data));
        Set<String> backgrounds = new HashSet<>();
        try (Chromium chromium = Chromium.start(program.get(), folder)) {
            for (String scheme : SCHEMES) {
                for (int width : WIDTHS) {
                    String screen = scheme + ", width=" + width;
                    chromium.screen(width, HEIGHT, scheme);
                    checkEvents(chromium.open(page.toUri()), screen);
                    chromium.evaluate(OPEN_DETAILS);
                    assertEquals(0, chromium.evaluate(OVERFLOW).asInt(), screen);
                    assertEquals(0, chromium.evaluate(UNRESOLVED).asInt(), screen);
                    for (Figure figure : figures) {
                        int points = chromium.evaluate(POINTS.formatted(figure.id())).asInt();
                        assertNotEquals(0, points, figure.id());
                        assertEquals(figure.points(), points, figure.id() + ", " + screen);
                    }
                    backgrounds.add(chromium.evaluate(BACKGROUND).asText());
                }
            }
        }
        assertEquals(SCHEMES.size(), backgrounds.size(), "each scheme has its background");
    }

    /// Verifies that the page is the only request and that the console is empty.
    private static void checkEvents(List<JsonNode> events, String screen) {
        List<String> requests =
                events.stream()
                        .filter(each -> Chromium.isEvent(each, "Network.requestWillBeSent"))
                        .map(each -> each.path("params").path("request").path("url").asText())
                        .filter(url -> !url.startsWith("data:"))
                        .toList();
        assertEquals(1, requests.size(), screen + ": " + requests);
        assertTrue(requests.getFirst().startsWith("file:"), requests.getFirst());
        List<JsonNode> console =
                events.stream()
                        .filter(each ->
                                Chromium.isEvent(each, "Log.entryAdded")
                                        || Chromium.isEvent(each, "Runtime.consoleAPICalled")
                                        || Chromium.isEvent(each, "Runtime.exceptionThrown"))
                        .toList();
        assertEquals(List.of(), console, screen);
    }
}
