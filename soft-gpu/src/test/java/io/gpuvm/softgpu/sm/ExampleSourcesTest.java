package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.asm.Listing;
import io.gpuvm.gf100.cubin.CubinFunction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Sources in `docs/examples`, assembled and run.
class ExampleSourcesTest {
    private static final int THREADS = 256;
    private static final int FIRST = 0;
    private static final int SECOND = 0x10000;
    private static final int RESULT = 0x20000;

    private final TestSm sm = new TestSm();

    @AfterEach
    void close() {
        sm.close();
    }

    @Test
    void givenTwoVectors_whenAdded_thenEachElementIsSum() throws IOException {
        int n = 1000;
        for (int i = 0; i < n; i++) {
            sm.setWord(FIRST + 4 * i, Float.floatToRawIntBits(i * 0.5f));
            sm.setWord(SECOND + 4 * i, Float.floatToRawIntBits(i * 0.25f));
        }

        launch("vadd", 4, low(FIRST), HIGH, low(SECOND), HIGH, low(RESULT), HIGH, n);

        for (int i = 0; i < n; i++) {
            assertEquals(i * 0.75f, Float.intBitsToFloat(sm.word(RESULT + 4 * i)), "i=" + i);
        }
        assertEquals(0, sm.word(RESULT + 4 * n));
    }

    @Test
    void givenNumbers_whenSummed_thenBlocksProduceTotal() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int blocks = 3;
        float sum = 0;
        for (int i = 0; i < blocks * THREADS; i++) {
            // With small whole numbers, the order of the additions does not matter.
            int value = random.nextInt(1000);
            sum += value;
            sm.setWord(FIRST + 4 * i, Float.floatToRawIntBits(value));
        }

        launch("sum", blocks, low(FIRST), HIGH, low(RESULT), HIGH);

        assertEquals(sum, Float.intBitsToFloat(sm.word(RESULT)), "seed=" + seed);
    }

    private static final int HIGH = (int) (TestSm.DATA >>> Integer.SIZE);

    private static int low(int offset) {
        return (int) TestSm.DATA + offset;
    }

    private void launch(String name, int blocks, int... parameters) throws IOException {
        String source =
                Files.readString(
                        Path.of(System.getProperty("gpuvm.root"), "docs/examples", name + ".sass"));
        CubinFunction kernel = Assembler.assemble(name, source).function(name);
        int[] bank = new int[(kernel.parameterOffset() + kernel.parameterBytes()) / 4];
        bank[2] = THREADS;
        System.arraycopy(parameters, 0, bank, kernel.parameterOffset() / 4, parameters.length);
        sm.code(Listing.words(kernel.code()))
                .registers(kernel.registers())
                .sharedBytes(kernel.sharedBytes())
                .constants(0, bank)
                .block(THREADS, 1, 1)
                .grid(blocks, 1, 1)
                .run();
    }
}
