package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionListTest {
    @Test
    void givenHeadAndValues_whenParsed_thenHeadAndValuesAreReturned() {
        OptionList options = OptionList.parse("--gpu", "soft,vram=512M,display=off");

        assertEquals("soft", options.head());
        assertEquals(Map.of("vram", "512M", "display", "off"), options.values());
        assertEquals("vram=512M,display=off", options.valuesText());
    }

    @Test
    void givenNoValues_whenParsed_thenTextOfValuesIsEmpty() {
        assertEquals("", OptionList.parse("--gpu", "soft").valuesText());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "vram=1M          | first word must be a name, not 'vram=1M'",
                ",vram=1M         | first word must be a name, not ''",
                "soft,vram        | 'vram' is not of the form KEY=VALUE",
                "soft,vram=       | 'vram=' is not of the form KEY=VALUE",
                "soft,=1          | '=1' is not of the form KEY=VALUE",
                "soft,            | '' is not of the form KEY=VALUE",
                "soft,a=1,a=2     | key 'a' is given twice",
            })
    void givenInvalidText_whenParsed_thenMessageNamesPartOrKey(String text, String message) {
        ConfigException e =
                assertThrows(ConfigException.class, () -> OptionList.parse("--gpu", text));

        assertTrue(e.getMessage().contains(message), e::getMessage);
    }
}
