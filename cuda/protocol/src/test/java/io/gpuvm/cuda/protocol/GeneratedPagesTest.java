package io.gpuvm.cuda.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.gpuvm.cuda.api.generate.GeneratedFile;
import io.gpuvm.cuda.api.table.ApiTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests that the pages of the documentation that are generated from the table of `cuda/api` are up
/// to date.
class GeneratedPagesTest {
    private static final Path DOCS = Path.of(System.getProperty("gpuvm.root"), "docs");

    @Test
    void givenTable_whenPagesAreGenerated_thenPagesEqualDocumentation() throws IOException {
        ApiTable table = ApiTable.load();
        List<GeneratedFile> pages =
                GeneratedFile.all().stream()
                        .filter(file -> file.fileName().endsWith(".md"))
                        .toList();
        assertFalse(pages.isEmpty());
        for (GeneratedFile page : pages) {
            assertEquals(
                    page.generator().generate(table),
                    Files.readString(DOCS.resolve(page.fileName())),
                    "GenerateMain %s docs/%s".formatted(page.kind(), page.fileName()));
        }
    }
}
