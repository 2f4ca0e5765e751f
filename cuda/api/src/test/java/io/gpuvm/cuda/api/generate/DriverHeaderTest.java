package io.gpuvm.cuda.api.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.cuda.api.table.ApiTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests that the generated headers of programs are up to date.
class DriverHeaderTest {
    private static final Path HEADERS = Path.of(System.getProperty("gpuvm.root"), "cuda/include");

    @Test
    void givenTable_whenHeadersAreGenerated_thenTextsEqualProgramsHeaders() throws IOException {
        ApiTable table = ApiTable.load();
        List<GeneratedFile> headers =
                GeneratedFile.all().stream()
                        .filter(file ->
                                file.folder().equals("text") && file.fileName().endsWith(".h"))
                        .toList();
        assertEquals(2, headers.size());
        for (GeneratedFile header : headers) {
            Path file = HEADERS.resolve(header.fileName());
            assertEquals(
                    header.generator().generate(table),
                    Files.readString(file),
                    "GenerateMain %s %s".formatted(header.kind(), file));
        }
    }
}
