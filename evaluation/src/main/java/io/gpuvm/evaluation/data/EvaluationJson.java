package io.gpuvm.evaluation.data;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Conversion of an evaluation to JSON and back. Readers ignore unknown keys, which later minor
/// versions may add. Any thread.
public final class EvaluationJson {
    /// Mapper for records of sections.
    static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private EvaluationJson() {}

    /// Writes a file, which replaces an existing file only when it is complete.
    public static void write(Path file, Evaluation evaluation) {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            JSON.writer()
                    .with(SerializationFeature.INDENT_OUTPUT)
                    .writeValue(part.toFile(), evaluation);
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Reads a file.
    ///
    /// @throws UncheckedIOException if the file is not an evaluation of a known version
    public static Evaluation read(Path file) {
        try {
            return JSON.readValue(file.toFile(), Evaluation.class);
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": " + e.getMessage(), e);
        }
    }

    /// Returns a record as one line of JSON.
    public static String line(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Parses one line of JSON.
    ///
    /// @throws UncheckedIOException if the line is not a record of this type
    public static <T> T parse(String line, Class<T> type) {
        try {
            return JSON.readValue(line, type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
