package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineReaderTest {
    private static final int LIMIT = 10;

    @Test
    void givenLinesWithEachEnding_whenRead_thenLinesHaveNoEndings() throws IOException {
        assertEquals(List.of("a", "", "b", "c"), lines("a\n\r\nb\r\nc"));
        assertEquals(List.of("a"), lines("a\n"));
        assertEquals(List.of(), lines(""));
    }

    @Test
    void givenLineBeyondLimit_whenRead_thenLineIsTruncatedAndNextLineIsComplete()
            throws IOException {
        String longLine = "0123456789".repeat(5000);

        assertEquals(
                List.of("0123456789", "next", "0123456789"),
                lines(longLine + "\nnext\n" + longLine));
    }

    private static List<String> lines(String text) throws IOException {
        LineReader reader = new LineReader(new StringReader(text), LIMIT);
        List<String> lines = new ArrayList<>();
        for (String line; (line = reader.readLine()) != null; ) {
            lines.add(line);
        }
        return lines;
    }
}
