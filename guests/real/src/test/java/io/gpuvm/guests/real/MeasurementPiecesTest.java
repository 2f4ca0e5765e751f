package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Base64;
import org.junit.jupiter.api.Test;

class MeasurementPiecesTest {
    @Test
    void givenPiecesBeyondLimit_whenAdded_thenLastPieceIsRefused() {
        MeasurementPieces pieces = new MeasurementPieces();
        String half = Base64.getEncoder().encodeToString(new byte[MeasurementPieces.LIMIT / 2]);
        pieces.add(half);
        pieces.add(half);

        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> pieces.add("AA=="));

        assertEquals("bytes=16777217, limit=16777216", e.getMessage());
    }
}
