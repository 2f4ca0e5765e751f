package io.gpuvm.gf100.cubin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FatbinTest {
    private static final int PTX = 1;
    private static final int CUBIN = 2;
    private static final int PLAIN = 0x15;
    private static final int COMPRESSED = 0x2015;

    private final ByteArrayOutputStream entries = new ByteArrayOutputStream();

    private FatbinTest entry(int kind, int architecture, int flags, byte... payload) {
        ByteBuffer entry = ByteBuffer.allocate(64 + payload.length).order(ByteOrder.LITTLE_ENDIAN);
        entry.putShort((short) kind).putShort((short) 0x101).putInt(64).putLong(payload.length);
        entry.putInt(28, architecture).putInt(40, flags);
        entry.put(64, payload);
        entries.writeBytes(entry.array());
        return this;
    }

    private byte[] file() {
        ByteBuffer file = ByteBuffer.allocate(16 + entries.size()).order(ByteOrder.LITTLE_ENDIAN);
        file.putInt(0xba55ed50).putShort((short) 1).putShort((short) 16);
        return file.putLong(entries.size()).put(entries.toByteArray()).array();
    }

    private static byte[] cubin() {
        return Cubins.everything(ElfClass.ELF64).toBytes();
    }

    private void assertRefused(String message) {
        byte[] file = file();
        assertEquals(
                message, assertThrows(CubinException.class, () -> Cubin.read(file)).getMessage());
    }

    @Test
    void givenSeveralArchitectures_whenRead_thenCubinIsForSm20() {
        entry(CUBIN, 35, PLAIN, (byte) 1).entry(PTX, 20, COMPRESSED, (byte) 1, (byte) 2);
        entry(CUBIN, 21, PLAIN, (byte) 1).entry(CUBIN, 20, PLAIN, cubin());

        assertEquals(2, Cubin.read(file()).kernels().size());
    }

    @Test
    void givenUnsupportedArchitecturesOnly_whenRead_thenErrorNamesArchitectures() {
        entry(CUBIN, 30, PLAIN, cubin()).entry(PTX, 20, PLAIN).entry(CUBIN, 35, PLAIN, cubin());

        assertRefused("fatbin: architectures=[30, 35], expected 20 or 21");
    }

    @Test
    void givenCompressedCubin_whenRead_thenErrorReportsCompression() {
        entry(CUBIN, 20, COMPRESSED, cubin());

        assertRefused("fatbin: cubin for sm_20 is compressed, expected uncompressed");
    }

    @Test
    void givenEntryBeyondEnd_whenRead_thenErrorHasOffset() {
        entry(CUBIN, 20, PLAIN, cubin());
        byte[] file = file();
        ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putLong(16 + 8, file.length);

        assertEquals(
                "fatbin entry at 0: offset=64, bytes="
                        + file.length
                        + ", limit="
                        + (file.length - 16),
                assertThrows(CubinException.class, () -> Cubin.read(file)).getMessage());
    }

    @Test
    void givenDamagedFile_whenRead_thenOnlyCubinExceptionIsThrown() {
        entry(CUBIN, 35, PLAIN, (byte) 1).entry(CUBIN, 20, PLAIN, cubin());
        byte[] whole = file();
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThrows(CubinException.class, () -> Cubin.read(part), "length=" + length);
        }
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < 10_000; i++) {
            byte[] changed = whole.clone();
            changed[random.nextInt(200)] = (byte) random.nextInt();
            try {
                Cubin.read(changed);
            } catch (CubinException _) {
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError("seed=" + seed + ", file=" + i, e);
            }
        }
        assertTrue(refused > 0, "seed=" + seed);
    }
}
