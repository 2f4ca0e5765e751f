package io.gpuvm.pv.guest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CopyTest {
    private static final long SEED = 20261122;

    private final TestContext gpu = new TestContext();

    @AfterEach
    void close() {
        gpu.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 4095, 65_536, 262_144, 262_145, 3_000_001})
    void givenBytes_whenCopiedThereAndBack_thenTheyAreTheSame(int bytes) {
        byte[] contents = TestContext.random(bytes, SEED);
        assertArrayEquals(contents, gpu.read(gpu.with(contents)));
    }
}
