package io.gpuvm.cuda.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.cuda.api.generate.GeneratedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the command, except its exit status.
class GenerateMainTest {
    @TempDir private Path folder;

    @Test
    void givenGroups_whenGenerated_thenAllFilesExist() throws IOException {
        for (String group : Set.of("c", "java", "runtime", "text")) {
            assertTrue(GenerateMain.generate(group, folder.resolve(group)));
        }

        assertEquals(
                GeneratedFile.all().stream()
                        .map(file -> file.folder() + "/" + file.fileName())
                        .collect(Collectors.toSet()),
                files());
    }

    @Test
    void givenKind_whenGenerated_thenFileHasText() throws IOException {
        Path out = folder.resolve("a/b.md");

        assertTrue(GenerateMain.generate("functions-page", out));

        String text = Files.readString(out);
        assertTrue(text.contains("| cuMemFree | `cuMemFree_v2` (3.2) | no-reply |"), text);
        assertTrue(text.endsWith("\n"));
    }

    @Test
    void givenFileWithSameText_whenGenerated_thenFileIsNotWritten() throws IOException {
        Path out = folder.resolve("out");
        GenerateMain.generate("exports", out);
        FileTime before = FileTime.fromMillis(1_000_000_000_000L);
        Files.setLastModifiedTime(out, before);

        GenerateMain.generate("exports", out);

        assertEquals(before, Files.getLastModifiedTime(out));
    }

    @Test
    void givenUnknownKind_whenGenerated_thenNothingIsWritten() throws IOException {
        assertFalse(GenerateMain.generate("rust", folder.resolve("x")));

        assertEquals(Set.of(), files());
    }

    private Set<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .collect(Collectors.toSet());
        }
    }
}
