package io.gpuvm.gf100.push;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.ConstantMethods;
import io.gpuvm.gf100.classes.M2mfClass;
import io.gpuvm.gf100.fifo.MethodHeader;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CommandsTest {
    private static final long VA = 0x3_0000_4000L;

    private final Words words = new Words(512);

    @Test
    void givenFence_whenReleased_thenShortReleaseIsWritten() {
        Fences.release(words.push(), VA, 77);
        assertSemaphore(77, 0x0100_0002);
    }

    @Test
    void givenFence_whenReleasedWithTime_thenLongReleaseIsWritten() {
        Fences.releaseWithTime(words.push(), VA, 78);
        assertSemaphore(78, 0x0000_0002);
    }

    @Test
    void givenFence_whenAcquired_thenAcquireWithChannelSwitchIsWritten() {
        Fences.acquire(words.push(), VA, 79);
        assertSemaphore(79, 0x0000_1004);
    }

    @Test
    void givenInterrupt_whenWritten_thenCommandIsOneWord() {
        Fences.interrupt(words.push());
        assertArrayEquals(
                new int[] {MethodHeader.immediate(0, ChannelClass.NON_STALL_INTERRUPT, 0)},
                words.written());
    }

    @Test
    void givenComputeCommands_whenWritten_thenLengthsMatchDeclaredWords() {
        KernelSetup kernel = new KernelSetup(0x200, 20, 1, 16, 0, 0x800);
        GridShape shape = new GridShape(1, 2, 3, 4, 5, 6, 7);
        PushBuffer push = words.push();
        assertWords(ComputeCommands.SETUP_WORDS, () -> ComputeCommands.setup(push, 1, 2));
        assertWords(
                ComputeCommands.TEMPORARY_WORDS,
                () -> ComputeCommands.temporary(push, VA, 1 << 20, 14));
        assertWords(ComputeCommands.CODE_WORDS, () -> ComputeCommands.code(push, VA));
        assertWords(ComputeCommands.BIND_WORDS, () -> ComputeCommands.bind(push, 2, VA, 256));
        assertWords(ComputeCommands.UPDATE_WORDS, () -> ComputeCommands.update(push, 0, 3));
        assertWords(ComputeCommands.KERNEL_WORDS, () -> ComputeCommands.kernel(push, kernel));
        assertWords(ComputeCommands.LAUNCH_WORDS, () -> ComputeCommands.launch(push, shape, true));
    }

    @Test
    void givenTextures_whenBound_thenDeclaredWordsAreWrittenAndSlotsAreInOrder() {
        int[] headers = new int[3 * 8];
        PushBuffer push = words.push();
        assertWords(
                TextureCommands.words(3),
                () -> TextureCommands.textures(push, VA, new int[] {7, 0, 255}, headers));
        int[] written = words.written();
        int[] binds = Arrays.copyOfRange(written, written.length - 4, written.length);
        assertArrayEquals(
                new int[] {
                    MethodHeader.nonIncreasing(1, ComputeClass.BIND_TEXTURE, 3),
                    1 | 7 << 1,
                    1 | 1 << 9,
                    1 | 255 << 1 | 2 << 9
                },
                binds);
    }

    @Test
    void givenConstants_whenUpdated_thenPositionAndDataShareHeader() {
        ComputeCommands.update(words.push(), 0x20, 2);
        words.push().word(5).word(6);
        assertArrayEquals(
                new int[] {MethodHeader.increaseOnce(1, ConstantMethods.POSITION, 3), 0x20, 5, 6},
                words.written());
    }

    @Test
    void givenGridShape_whenKernelIsLaunched_thenCommandsContainShape() {
        ComputeCommands.launch(words.push(), new GridShape(10, 20, 30, 4, 5, 6, 48), false);
        assertArrayEquals(
                new int[] {
                    MethodHeader.immediate(1, ComputeClass.FLUSH, 0x1010),
                    MethodHeader.increasing(1, ComputeClass.SHARED_BYTES, 2),
                    48,
                    120,
                    MethodHeader.increasing(1, ComputeClass.BLOCK_YX, 2),
                    0x0005_0004,
                    6,
                    MethodHeader.increasing(1, ComputeClass.GRID_YX, 2),
                    0x0014_000a,
                    30,
                },
                Arrays.copyOf(words.written(), 10));
    }

    @Test
    void givenFill_whenSeeded_thenBytesAreWrittenAsWords() {
        assertEquals(5, InlineFill.seed(words.push(), VA, 5, 0x9a9b_9a9b));
        assertArrayEquals(
                new int[] {
                    MethodHeader.increasing(2, M2mfClass.OFFSET_OUT_HIGH, 2),
                    3,
                    0x4000,
                    MethodHeader.increasing(2, M2mfClass.LINE_LENGTH, 2),
                    5,
                    1,
                    MethodHeader.immediate(2, M2mfClass.EXEC, 0x101),
                    MethodHeader.nonIncreasing(2, M2mfClass.DATA, 2),
                    0x9a9b_9a9b,
                    0x9a9b_9a9b
                },
                words.written());
        assertWords(InlineFill.SEED_WORDS, () -> InlineFill.seed(words.push(), VA, 1 << 20, 1));
    }

    @Test
    void givenSeededFill_whenExtended_thenFewerThanTwentyCommandsCompleteFill() {
        long done = InlineFill.SEED_BYTES;
        int steps = 0;
        while (done < 1_000_000) {
            words.push().moveTo(0);
            done = InlineFill.extend(words.push(), VA, 1_000_000, done);
            assertEquals(InlineFill.EXTEND_WORDS, words.written().length);
            steps++;
        }
        assertEquals(1_000_000, done);
        assertTrue(steps < 20, "steps=" + steps);
    }

    @Test
    void givenFilledLine_whenLinesAreExtended_thenNumberOfLinesDoubles() {
        FilledLines lines = new FilledLines(VA, 512, 100, 10_000);
        long done = 1;
        for (long expected : new long[] {2, 4, 8}) {
            words.push().moveTo(0);
            done = InlineFill.extendLines(words.push(), lines, done);
            assertEquals(expected, done);
            assertEquals(InlineFill.EXTEND_WORDS, words.written().length);
        }
        words.push().moveTo(0);
        assertEquals(10_000, InlineFill.extendLines(words.push(), lines, 9_000));
        words.push().moveTo(0);
        assertEquals(
                4000 + M2mfClass.USUAL_MAX_LINE_COUNT,
                InlineFill.extendLines(words.push(), lines, 4000));
    }

    private void assertWords(int expected, Runnable writer) {
        words.push().moveTo(0);
        writer.run();
        assertEquals(expected, words.written().length);
    }

    private void assertSemaphore(int value, int trigger) {
        assertArrayEquals(
                new int[] {
                    MethodHeader.increasing(0, ChannelClass.SEMAPHORE_ADDRESS_HIGH, 4),
                    3,
                    0x4000,
                    value,
                    trigger
                },
                words.written());
        assertEquals(Fences.WORDS, words.written().length);
    }
}
