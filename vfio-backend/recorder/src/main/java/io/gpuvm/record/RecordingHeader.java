package io.gpuvm.record;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Content of `recording.json`: properties of a recording that a reader needs before it opens the
/// queue.
///
/// @param format always [#FORMAT]
/// @param version [RecordLayout#VERSION]
/// @param startedAt start of the recording, in milliseconds since 1970
/// @param vms virtual machines by track: the first has track 1
public record RecordingHeader(
        String format, int version, RecordLevel level, long startedAt, List<RecordedVm> vms) {
    static final String FILE = "recording.json";
    static final String FORMAT = "gpuvm-recording";

    /// Maximum length of the file: more than any backend needs, and short enough to read.
    private static final int MAX_BYTES = 1 << 20;

    public RecordingHeader {
        vms = vms == null ? List.of() : List.copyOf(vms);
    }

    void write(Path folder) throws IOException {
        new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .writeValue(folder.resolve(FILE).toFile(), this);
    }

    /// @throws RecordingException if the file is missing or invalid
    static RecordingHeader read(Path folder) {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            throw new RecordingException("%s is not a recording: no %s".formatted(folder, FILE));
        }
        RecordingHeader header;
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new RecordingException(
                        "%s: bytes=%d, limit=%d".formatted(file, Files.size(file), MAX_BYTES));
            }
            header = new ObjectMapper().readValue(file.toFile(), RecordingHeader.class);
        } catch (JacksonException e) {
            throw new RecordingException(
                    "%s cannot be read: %s".formatted(file, e.getOriginalMessage()), e);
        } catch (IOException e) {
            throw new RecordingException("%s cannot be read: %s".formatted(file, e), e);
        }
        if (header == null || !FORMAT.equals(header.format)) {
            throw new RecordingException(
                    "%s is not a recording: %s has another format".formatted(folder, file));
        }
        if (header.version != RecordLayout.VERSION) {
            throw new RecordingException(
                    "%s: version=%d, expected=%d"
                            .formatted(folder, header.version, RecordLayout.VERSION));
        }
        if (header.level == null || header.vms.stream().anyMatch(vm -> vm.name() == null)) {
            throw new RecordingException(
                    "%s cannot be read: level=%s, vms=%s"
                            .formatted(file, header.level, header.vms));
        }
        return header;
    }
}
