package io.gpuvm.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyValuesTest {
    @Test
    void givenHeadAndValues_whenSplit_thenHeadAndValuesAreReturnedInOrder() {
        String text = "soft,vram=512M,a=b=c";

        Map<String, String> values = KeyValues.afterHead(text);

        assertEquals("soft", KeyValues.head(text));
        assertEquals(List.of("vram", "a"), new ArrayList<>(values.keySet()));
        assertEquals("b=c", values.get("a"));
        assertEquals("vram=512M,a=b=c", KeyValues.text(values));
    }

    @Test
    void givenHeadOnly_whenSplit_thenValuesAreEmpty() {
        assertEquals("fifo", KeyValues.head("fifo"));
        assertEquals(Map.of(), KeyValues.afterHead("fifo"));
        assertEquals("", KeyValues.text(Map.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "vram    | 'vram' is not of the form KEY=VALUE",
                "vram=   | 'vram=' is not of the form KEY=VALUE",
                "=1      | '=1' is not of the form KEY=VALUE",
                "a=1,    | '' is not of the form KEY=VALUE",
                "a=1,a=2 | key 'a' is given twice",
            })
    void givenInvalidText_whenParsed_thenMessageNamesPartOrKey(String text, String message) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> KeyValues.parse(text))
                        .getMessage());
    }
}
