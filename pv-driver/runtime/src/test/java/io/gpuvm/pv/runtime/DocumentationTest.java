package io.gpuvm.pv.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.asm.Assembler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Tests that the example of docs/runtime.md compiles and runs as described.
class DocumentationTest {
    private static final Path ROOT = Path.of(System.getProperty("gpuvm.root"));
    private static final Path SOURCE =
            ROOT.resolve("pv-driver/runtime/src/test/java/io/gpuvm/pv/runtime/Vadd.java");

    @Test
    void givenExample_whenRun_thenResultsEqualSums() throws IOException {
        String text = Files.readString(ROOT.resolve("docs/examples/vadd.sass"));
        byte[] cubin = Assembler.assemble("vadd.sass", text).toBytes();
        float[] a = new float[1000];
        float[] b = new float[a.length];
        float[] expected = new float[a.length];
        for (int i = 0; i < a.length; i++) {
            a[i] = i;
            b[i] = 0.5f * i;
            expected[i] = a[i] + b[i];
        }
        try (TestContext gpu = new TestContext()) {
            assertArrayEquals(expected, Vadd.add(gpu.context(), cubin, a, b));
        }
    }

    @Test
    void givenPage_whenExampleIsCompared_thenExampleEqualsSource() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/runtime.md"));
        int start = page.indexOf("static float[]");
        String shown = page.substring(start, page.indexOf("```", start));
        String source = Files.readString(SOURCE);
        int method = source.indexOf("    static float[]");
        String code = source.substring(method, source.lastIndexOf("}")).stripTrailing();
        assertEquals(code.stripIndent(), shown.stripTrailing());
    }
}
