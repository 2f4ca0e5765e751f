package io.gpuvm.pv.module;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests that damaged files are loaded or refused, without other effects.
class HostileModuleTest {
    private static final long VA = 0x1234_5000L;
    private static final int[] BYTES = {0, 0x7f, 0xff};
    private static final int[] WORDS = {
        0, 1, 2, 3, 8, 9, 0x100, 0xff00, 0xfff1, 0xfff2, 0xffff, 1 << 24, 1 << 30, 1 << 31, -1, -8
    };
    private static final int QUICK_FILES = 10_000;
    private static final int LONG_FILES = 500_000;

    /// Maximum number of bytes of an image per byte of the file. The smallest part of a file that
    /// defines a function is a section header of 40 bytes; a function has 256 bytes of code and 512
    /// of stack bank.
    private static final int BYTES_PER_BYTE = 32;

    private int loaded;

    /// Asserts that a file is loaded within the memory limit, or refused.
    private void load(byte[] file, Object what) {
        try {
            ModuleImage image = ModuleImage.of(Cubin.read(file));
            int bytes = image.contentsAt(VA).length;
            assertTrue(bytes <= image.bytes() && bytes <= BYTES_PER_BYTE * file.length + 8192);
            loaded++;
        } catch (CubinException | ModuleException _) {
            // A refusal is one of the two permitted results.
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(what.toString(), e);
        }
    }

    private static byte[] file(boolean wide) {
        return ForeignCubinTest.everything(wide).build();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void givenTruncatedFile_whenLoaded_thenFileIsRefused(boolean wide) {
        byte[] whole = file(wide);
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThrows(CubinException.class, () -> Cubin.read(part), "length=" + length);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void givenAnyByteChanged_whenLoaded_thenFileIsLoadedOrRefused(boolean wide) {
        byte[] whole = file(wide);
        for (int at = 0; at < whole.length; at++) {
            for (int value : BYTES) {
                byte[] changed = whole.clone();
                changed[at] = (byte) value;
                load(changed, "byte " + at + "=" + value);
            }
        }
        assertTrue(loaded > 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void givenAnyWordChanged_whenLoaded_thenFileIsLoadedOrRefused(boolean wide) {
        byte[] whole = file(wide);
        for (int at = 0; at <= whole.length - Integer.BYTES; at += Integer.BYTES) {
            for (int value : WORDS) {
                byte[] changed = whole.clone();
                put(changed, at, value);
                load(changed, "word at " + at + "=" + value);
            }
        }
        assertTrue(loaded > 0);
    }

    @Test
    void givenManyChanges_whenLoaded_thenFileIsLoadedOrRefused() {
        change(QUICK_FILES);
    }

    @Test
    @Tag("long")
    void givenFiftyTimesAsManyChanges_whenLoaded_thenFileIsLoadedOrRefused() {
        change(LONG_FILES);
    }

    private void change(int files) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[][] whole = {
            file(false), file(true), ForeignCubinTest.everything(true).explicitAddends().build()
        };
        for (int i = 0; i < files; i++) {
            byte[] changed = whole[random.nextInt(whole.length)].clone();
            for (int n = 1 + random.nextInt(4); n > 0; n--) {
                int at = random.nextInt(changed.length - Integer.BYTES);
                switch (random.nextInt(3)) {
                    case 0 -> changed[at] = (byte) random.nextInt();
                    case 1 -> put(changed, at & -2, WORDS[random.nextInt(WORDS.length)]);
                    default -> copy(changed, random, at);
                }
            }
            load(changed, "seed=" + seed + ", file=" + i);
        }
        assertTrue(loaded > 0 && loaded < files, "seed=" + seed + ", loaded=" + loaded);
    }

    private static void copy(byte[] file, Random random, int at) {
        int length = 1 + random.nextInt(Math.min(64, file.length - at));
        System.arraycopy(file, random.nextInt(file.length - length), file, at, length);
    }

    private static void put(byte[] file, int at, int value) {
        for (int i = 0; i < Integer.BYTES; i++) {
            file[at + i] = (byte) (value >> i * Byte.SIZE);
        }
    }

    /// If the message of each possible error were built in advance, long names would need much
    /// memory.
    @Test
    void givenManyRelocationsOfFunctionWithLongName_whenLoaded_thenMemoryUseIsLimited() {
        ElfBytes file = new ElfBytes(true);
        String name = "k".repeat(60_000);
        ElfBytes.Section text =
                file.section(".text." + name, ElfBytes.PROGBITS, new byte[8]).info(9 << 24);
        int symbol =
                file.symbol(
                        name,
                        ElfBytes.FUNC,
                        ElfBytes.GLOBAL,
                        ElfBytes.ENTRY,
                        file.index(text),
                        0,
                        8);
        for (int i = 0; i < 20_000; i++) {
            file.relocate(text, 0, symbol, 5, 0);
        }
        load(file.build(), name.length());
        assertTrue(loaded == 1);
    }
}
