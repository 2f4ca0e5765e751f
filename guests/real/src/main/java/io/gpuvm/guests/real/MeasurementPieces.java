package io.gpuvm.guests.real;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;

/// Pieces of the JSON file with a program's measurement, which arrive as separate events. One
/// thread.
final class MeasurementPieces {
    /// Maximum length of the file, in bytes.
    static final int LIMIT = 16 << 20;

    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    /// Adds the next piece.
    ///
    /// @param base64 content, encoded separately from other pieces
    /// @throws IllegalArgumentException if the text is not Base64, or the file would become too
    ///   long
    void add(String base64) {
        byte[] piece = Base64.getDecoder().decode(base64);
        int bytes = file.size() + piece.length;
        if (bytes > LIMIT) {
            throw new IllegalArgumentException("bytes=%d, limit=%d".formatted(bytes, LIMIT));
        }
        file.writeBytes(piece);
    }

    /// Returns the measurement, and discards the pieces.
    ///
    /// @return the measurement, or a missing node if there are no pieces
    /// @throws IOException if the pieces together are not JSON
    JsonNode complete() throws IOException {
        byte[] bytes = file.toByteArray();
        file.reset();
        return bytes.length == 0 ? MissingNode.getInstance() : GuestEvent.JSON.readTree(bytes);
    }
}
