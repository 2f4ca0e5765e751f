package io.gpuvm.cuda.api.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.cuda.api.table.ApiTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Tests that the generated part of the programs' `cuda.h` is up to date.
class DriverHeaderTest {
    private static final Path HEADER =
            Path.of(System.getProperty("gpuvm.root"), "cuda/include/gpuvm_driver_api.h");

    @Test
    void givenTable_whenHeaderIsGenerated_thenTextEqualsProgramsHeader() throws IOException {
        assertEquals(
                new CDriverHeader().generate(ApiTable.load()),
                Files.readString(HEADER),
                "GenerateMain driver-header " + HEADER);
    }
}
