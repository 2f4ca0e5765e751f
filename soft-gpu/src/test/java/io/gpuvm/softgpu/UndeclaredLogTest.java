package io.gpuvm.softgpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.reg.Register;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UndeclaredLogTest {
    @Test
    void givenScanOfAllRegisters_whenLogged_thenLogEndsWithNotice() {
        List<String> lines = new ArrayList<>();
        UndeclaredLog log = new UndeclaredLog(lines::add);

        for (int offset = 0; offset < 0x10000; offset += Register.BYTES) {
            log.on(offset, false);
        }

        assertEquals(201, lines.size());
        assertTrue(lines.getLast().contains("only counted"), lines.getLast());
    }
}
