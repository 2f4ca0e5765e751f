package io.gpuvm.gf100.cubin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.airlift.compress.Compressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.zstd.ZstdCompressor;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FatbinTest {
    private static final int PTX = 1;
    private static final int CUBIN = 2;
    private static final int PLAIN = 0x15;
    private static final int LZ4 = 0x2015;
    private static final int ZSTD = 0x8015;

    private final ByteArrayOutputStream entries = new ByteArrayOutputStream();

    private FatbinTest entry(int kind, int architecture, int flags, byte... payload) {
        return entry(kind, architecture, flags, payload.length, 0, payload);
    }

    private FatbinTest entry(
            int kind,
            int architecture,
            int flags,
            int compressedBytes,
            long uncompressedBytes,
            byte... payload) {
        ByteBuffer entry = ByteBuffer.allocate(64 + payload.length).order(ByteOrder.LITTLE_ENDIAN);
        entry.putShort((short) kind).putShort((short) 0x101).putInt(64).putLong(payload.length);
        entry.putInt(16, compressedBytes).putInt(28, architecture).putInt(40, flags);
        entry.putLong(56, uncompressedBytes);
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

    /// Returns data padded with zeros to a multiple of 8 bytes.
    private static byte[] padded(byte[] data) {
        return Arrays.copyOf(data, (data.length + 7) / 8 * 8);
    }

    private static byte[] compressed(Compressor compressor, byte[] data) {
        byte[] output = new byte[compressor.maxCompressedLength(data.length)];
        int bytes = compressor.compress(data, 0, data.length, output, 0, output.length);
        return Arrays.copyOf(output, bytes);
    }

    private void assertRefused(CubinException.Kind kind, String message) {
        byte[] file = file();
        CubinException e = assertThrows(CubinException.class, () -> Cubin.read(file));
        assertEquals(message, e.getMessage());
        assertEquals(kind, e.kind());
    }

    @Test
    void givenSeveralArchitectures_whenRead_thenCubinIsForSm20() {
        entry(CUBIN, 35, PLAIN, (byte) 1).entry(PTX, 20, LZ4, (byte) 1, (byte) 2);
        entry(CUBIN, 21, PLAIN, (byte) 1).entry(CUBIN, 20, PLAIN, cubin());

        assertEquals(2, Cubin.read(file()).kernels().size());
    }

    @Test
    void givenUnsupportedArchitecturesOnly_whenRead_thenErrorNamesImages() {
        entry(CUBIN, 30, PLAIN, cubin()).entry(CUBIN, 35, PLAIN, cubin());

        assertRefused(
                CubinException.Kind.OTHER_ARCHITECTURE,
                "fatbin: images=[sm_30, sm_35], expected sm_20, sm_21 or PTX");
    }

    @Test
    void givenPtxForSm20_whenRead_thenKindIsOnlyPtx() {
        entry(CUBIN, 30, PLAIN, cubin()).entry(PTX, 20, PLAIN);

        assertRefused(
                CubinException.Kind.ONLY_PTX,
                "fatbin: images=[sm_30, PTX for sm_20], expected sm_20 or sm_21");
    }

    @Test
    void givenEmptyFatbin_whenRead_thenErrorNamesNoImage() {
        assertRefused(
                CubinException.Kind.OTHER_ARCHITECTURE,
                "fatbin: images=[], expected sm_20, sm_21 or PTX");
    }

    @Test
    void givenCubinAndPtx_whenContentIsChosen_thenCubinWins() {
        entry(PTX, 20, PLAIN, ptx("first")).entry(CUBIN, 21, PLAIN, cubin());

        ModuleContent.Code code =
                assertInstanceOf(ModuleContent.Code.class, ModuleContent.of(file()));
        assertArrayEquals(cubin(), code.elf());
    }

    @Test
    void givenPtxForSeveralGpus_whenContentIsChosen_thenPtxIsForNewestUpToSm21() {
        entry(PTX, 13, PLAIN, ptx("old")).entry(PTX, 20, PLAIN, ptx("own"));
        entry(PTX, 30, PLAIN, ptx("new")).entry(CUBIN, 35, PLAIN, cubin());

        assertEquals(new ModuleContent.Ptx("own"), ModuleContent.of(file()));
    }

    @Test
    void givenPtxForNewerGpus_whenContentIsChosen_thenPtxIsForOldest() {
        entry(PTX, 52, PLAIN, ptx("newer")).entry(PTX, 30, PLAIN, ptx("new"));
        entry(PTX, 70, PLAIN, ptx("newest"));

        assertEquals(new ModuleContent.Ptx("new"), ModuleContent.of(file()));
    }

    @Test
    void givenCompressedPtxWithZeros_whenContentIsChosen_thenTextEndsBeforeZeros() {
        byte[] text = ptx("// some text, some text, some text, some text\n");
        byte[] lz4 = compressed(new Lz4Compressor(), text);
        entry(PTX, 20, LZ4, lz4.length, text.length, padded(lz4));

        assertEquals(
                new ModuleContent.Ptx("// some text, some text, some text, some text\n"),
                ModuleContent.of(file()));
    }

    @Test
    void givenPtxText_whenContentIsChosen_thenContentIsText() {
        String text = "// a comment\n.version 3.0\n";

        assertTrue(ModuleContent.isModule(text.getBytes(StandardCharsets.UTF_8)));
        assertFalse(ModuleContent.isModule("hello".getBytes(StandardCharsets.UTF_8)));
        assertEquals(new ModuleContent.Ptx(text), ModuleContent.of(ptx(text)));
    }

    /// Returns a text as it is in fatbins: with a zero at its end.
    private static byte[] ptx(String text) {
        return (text + "\0").getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void givenCompressedCubin_whenRead_thenContentsAreDecompressed() {
        byte[] lz4 = compressed(new Lz4Compressor(), cubin());
        byte[] zstd = compressed(new ZstdCompressor(), cubin());
        entry(CUBIN, 20, LZ4, lz4.length, cubin().length, padded(lz4));
        byte[] first = file();
        entries.reset();
        entry(CUBIN, 21, ZSTD, zstd.length, cubin().length, padded(zstd));

        assertArrayEquals(cubin(), Cubin.read(first).toBytes());
        assertArrayEquals(cubin(), Cubin.read(file()).toBytes());
    }

    @Test
    void givenWrongSizeOfCompressedCubin_whenRead_thenErrorNamesSizes() {
        byte[] image = cubin();
        byte[] lz4 = compressed(new Lz4Compressor(), image);
        entry(CUBIN, 20, LZ4, lz4.length, image.length + 1, padded(lz4));

        assertRefused(
                CubinException.Kind.MALFORMED,
                "fatbin entry at 0: uncompressed bytes=%d, expected=%d"
                        .formatted(image.length, image.length + 1));
    }

    @Test
    void givenSizesBeyondLimits_whenRead_thenErrorNamesLimit() {
        entry(CUBIN, 20, LZ4, 8, (32 << 20) + 1L, new byte[8]);
        assertRefused(
                CubinException.Kind.MALFORMED,
                "fatbin entry at 0: uncompressed bytes=33554433, limit=33554432");
        entries.reset();
        entry(CUBIN, 20, ZSTD, 9, 100, new byte[8]);
        assertRefused(
                CubinException.Kind.MALFORMED, "fatbin entry at 0: offset=0, bytes=9, limit=8");
    }

    @Test
    void givenCompressionBomb_whenRead_thenDeclaredSizeBoundsOutput() {
        byte[] zeros = new byte[16 << 20];
        byte[] zstd = compressed(new ZstdCompressor(), zeros);
        entry(CUBIN, 20, ZSTD, zstd.length, 1000, padded(zstd));
        byte[] file = file();

        CubinException e = assertThrows(CubinException.class, () -> Cubin.read(file));
        assertTrue(e.getMessage().contains("ZSTD data is damaged"), e.getMessage());
    }

    @Test
    void givenManyEntries_whenRead_thenErrorNamesLimit() {
        for (int i = 0; i <= 1024; i++) {
            entry(CUBIN, 35, PLAIN);
        }

        assertRefused(CubinException.Kind.MALFORMED, "fatbin: entries=1025, limit=1024");
    }

    @Test
    void givenUnknownCompression_whenRead_thenErrorNamesKnownMethods() {
        entry(CUBIN, 20, 0x1015, cubin());

        assertRefused(
                CubinException.Kind.MALFORMED,
                "fatbin: sm_20 has compression=0x1000, expected LZ4 (0x2000) or ZSTD (0x8000)");
    }

    @Test
    void givenDamagedCompressedCubin_whenRead_thenOnlyCubinExceptionIsThrown() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int flags : new int[] {LZ4, ZSTD}) {
            byte[] data =
                    compressed(flags == LZ4 ? new Lz4Compressor() : new ZstdCompressor(), cubin());
            entries.reset();
            entry(CUBIN, 20, flags, data.length, cubin().length, padded(data));
            byte[] whole = file();
            for (int i = 0; i < 10_000; i++) {
                byte[] changed = whole.clone();
                for (int n = random.nextInt(4); n >= 0; n--) {
                    changed[80 + random.nextInt(data.length)] = (byte) random.nextInt();
                }
                try {
                    Cubin.read(changed);
                } catch (CubinException _) {
                    // Refused, as most damaged files are.
                } catch (RuntimeException e) {
                    throw new AssertionError("seed=" + seed + ", file=" + i, e);
                }
            }
        }
    }

    @Test
    void givenPtx_whenRead_thenKindIsOnlyPtx() {
        String ptx = " // a comment\n/* another */\n.version 7.5\n.target sm_20\n";
        byte[] file = ptx.getBytes(StandardCharsets.US_ASCII);

        CubinException e = assertThrows(CubinException.class, () -> Cubin.read(file));

        assertEquals(CubinException.Kind.ONLY_PTX, e.kind());
        for (String other : new String[] {"", "/*", "/* .version", "// .version", ".versio"}) {
            byte[] text = other.getBytes(StandardCharsets.US_ASCII);
            CubinException malformed = assertThrows(CubinException.class, () -> Cubin.read(text));
            assertEquals(CubinException.Kind.MALFORMED, malformed.kind(), other);
        }
    }

    @Test
    void givenCubinForOtherArchitecture_whenRead_thenKindIsOtherArchitecture() {
        byte[] file = cubin();
        // The lowest byte of the flags of an ELF64 file.
        file[48] = 35;

        CubinException e = assertThrows(CubinException.class, () -> Cubin.read(file));

        assertEquals(CubinException.Kind.OTHER_ARCHITECTURE, e.kind());
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
