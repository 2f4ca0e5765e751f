package io.gpuvm.cuda.api.table;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Texts of the files of the table.
///
/// @param types text of `types.txt`
/// @param functions text of `functions.txt`
/// @param unsupported text of `unsupported.txt`
/// @param results text of `results.txt`
/// @param attributes text of `attributes.txt`
/// @param runtime text of `runtime.txt`
/// @param runtimeUnsupported text of `runtime-unsupported.txt`
/// @param runtimeErrors text of `runtime-errors.txt`
public record TableSources(
        String types,
        String functions,
        String unsupported,
        String results,
        String attributes,
        String runtime,
        String runtimeUnsupported,
        String runtimeErrors) {
    private static final String FOLDER = "/io/gpuvm/cuda/api/";

    /// Reads the files on the class path.
    static TableSources ofResources() {
        return new TableSources(
                resource("types.txt"),
                resource("functions.txt"),
                resource("unsupported.txt"),
                resource("results.txt"),
                resource("attributes.txt"),
                resource("runtime.txt"),
                resource("runtime-unsupported.txt"),
                resource("runtime-errors.txt"));
    }

    private static String resource(String name) {
        try (InputStream in = TableSources.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw new IllegalStateException("resource=" + FOLDER + name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
