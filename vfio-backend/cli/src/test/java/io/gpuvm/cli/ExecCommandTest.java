package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of `gpuvm exec`, as called by users.
class ExecCommandTest {
    private static final Path EXAMPLES = Path.of(System.getProperty("gpuvm.root"), "docs/examples");
    private static final int COUNT = 1000;

    /// Option for a small GPU, which opens quickly.
    private static final String GPU = "--gpu=soft,vram=64M";

    private static final String KERNELS =
            """
            .kernel values                  // stores its arguments, in order
                .param out, 8
                .param a, 4
                .param b, 8
                .param c, 4
                .param d, 8
                MOV R2, c[out]
                MOV R3, c[out + 4]
                MOV R4, c[a]
                ST.E [R2], R4
                MOV R4, c[b]
                MOV R5, c[b + 4]
                ST.E.64 [R2 + 8], R4
                MOV R4, c[c]
                ST.E [R2 + 16], R4
                MOV R4, c[d]
                MOV R5, c[d + 4]
                ST.E.64 [R2 + 24], R4
                EXIT

            .kernel packed                  // the same, from one structure
                .param all, 40
                MOV R2, c[all]
                MOV R3, c[all + 4]
                MOV R4, c[all + 8]
                ST.E [R2], R4
                MOV R4, c[all + 16]
                MOV R5, c[all + 20]
                ST.E.64 [R2 + 8], R4
                MOV R4, c[all + 24]
                ST.E [R2 + 16], R4
                MOV R4, c[all + 32]
                MOV R5, c[all + 36]
                ST.E.64 [R2 + 24], R4
                EXIT

            .kernel wild                    // stores to an unmapped address
                .param out, 8
                MOV R2, RZ
                MOV R3, RZ
                ST.E [R2], R2
                EXIT

            .kernel broken
                .param out, 8
                .word 0xffffffffffffffff
                EXIT

            .kernel endless
                .param out, 8
            again: BRA again
                EXIT

            .kernel greedy
                .registers 63
                EXIT
            """;

    private final Shell shell = new Shell();
    @TempDir private Path folder;
    private Path kernels;

    @BeforeEach
    void writeKernels() throws IOException {
        kernels = Files.writeString(folder.resolve("kernels.sass"), KERNELS);
    }

    @Test
    void givenVectorAddition_whenRunFromCubinOrSource_thenFileHasSums() throws IOException {
        Path cubin = folder.resolve("vadd.cubin");
        assertEquals(0, shell.run("asm", EXAMPLES.resolve("vadd.sass"), "-o", cubin));

        for (Path module : List.of(cubin, EXAMPLES.resolve("vadd.sass"))) {
            Path sums = folder.resolve("c.bin");
            Files.deleteIfExists(sums);
            assertEquals(0, run(module, vadd("out:" + sums + ":4000")), shell::err);

            assertArrayEquals(floats(i -> i + 2f * i), Files.readAllBytes(sums));
            assertEquals("", shell.out());
            assertEquals("", shell.err());
        }
    }

    @Test
    void givenPtx_whenRunFromSourceOrCompiled_thenFileHasSums() throws IOException {
        Path source = EXAMPLES.resolve("vadd.ptx");
        Path cubin = folder.resolve("vadd.cubin");
        assertEquals(0, shell.run("ptxas", source, "-o", cubin), shell::err);

        for (Path module : List.of(cubin, source, source)) {
            Path sums = folder.resolve("c.bin");
            Files.deleteIfExists(sums);
            assertEquals(0, run(module, vadd("out:" + sums + ":4000")), shell::err);

            assertArrayEquals(floats(i -> i + 2f * i), Files.readAllBytes(sums));
        }
        assertEquals(0, shell.run("exec", source, "--list"), shell::err);
        assertTrue(shell.out().contains("sm_20, 64-bit addresses, kernels 1"), shell::out);
    }

    @Test
    void givenPtxWithErrors_whenRun_thenErrorsAreListed() throws IOException {
        Path source =
                Files.writeString(
                        folder.resolve("wrong.ptx"),
                        ".version 3.0\n.target sm_20\n.visible .entry k()\n{\nfoo;\nbar;\n}\n");

        assertEquals(2, run(source, List.of("--kernel=k", "--grid=1", "--block=1")));

        assertTrue(shell.err().startsWith("gpuvm: " + source + ", line 5, column 1: error: "));
        assertTrue(shell.err().contains("\n" + source + ", line 6, column 1: error: "));
        Path empty = Files.writeString(folder.resolve("empty.ptx"), "");
        assertEquals(2, shell.run("exec", empty, "--list"));
        assertTrue(shell.err().contains(empty + ", line 1, column 1: error: "), shell::err);
    }

    @Test
    void givenSumsOfBlocks_whenRepeated_thenEachLaunchAddsToPreviousResult() throws IOException {
        Path ones = write("ones", ByteBuffer.wrap(floatsOf(512, _ -> 1)));
        Path sum = write("sum", ByteBuffer.wrap(floatsOf(1, _ -> 0.5f)));

        assertEquals(
                0,
                run(
                        EXAMPLES.resolve("sum.sass"),
                        List.of(
                                "--kernel=sum",
                                "--grid=2",
                                "--block=256",
                                "--arg=in:" + ones,
                                "--arg=inout:" + sum,
                                "--repeat=3")),
                shell::err);

        assertArrayEquals(floatsOf(1, _ -> 3 * 512 + 0.5f), Files.readAllBytes(sum));
    }

    @Test
    void givenFilledMemory_whenAddedToZeros_thenAllBytesHaveFillValue() throws IOException {
        Path sums = folder.resolve("c.bin");

        assertEquals(
                0,
                run(
                        EXAMPLES.resolve("vadd.sass"),
                        List.of(
                                "--kernel=vadd",
                                "--grid=1",
                                "--block=32,2,1",
                                "--arg=fill:128:0x40",
                                "--arg=zero:128",
                                "--arg=out:" + sums + ":128",
                                "--arg=i32:32")),
                shell::err);

        assertArrayEquals(bytesOf(128, 0x40), Files.readAllBytes(sums));
    }

    @Test
    void givenValuesOfEveryKind_whenStored_thenBitsAreEqual() throws IOException {
        Path file = folder.resolve("values");

        assertEquals(
                0,
                run(
                        kernels,
                        launch(
                                "values",
                                "out:" + file + ":32",
                                "u32:0xfffffffe",
                                "i64:-2",
                                "f32:1.5",
                                "f64:-0.1")),
                shell::err);

        assertValues(file);
    }

    @Test
    void givenStructureOfAllKinds_whenStored_thenBitsAreEqual() throws IOException {
        Path file = folder.resolve("values");
        String members = "u32:0xfffffffe;{i64:-2;f32:1.5};f64:-0.1";

        assertEquals(
                0,
                run(kernels, launch("packed", "{out:" + file + ":32;" + members + "}")),
                shell::err);

        assertValues(file);
    }

    private static void assertValues(Path file) throws IOException {
        ByteBuffer expected = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        expected.putInt(0, -2).putLong(8, -2).putFloat(16, 1.5f).putDouble(24, -0.1);
        assertArrayEquals(expected.array(), Files.readAllBytes(file));
    }

    @Test
    void givenKernelThatPrints_whenRun_thenTextIsOnStandardOutput() throws IOException {
        Path hello =
                Files.writeString(
                        folder.resolve("hello.ptx"),
                        """
                        .version 4.3
                        .target sm_20
                        .address_size 64
                        .extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
                        .global .b8 format[10] = {104, 101, 108, 108, 111, 32, 37, 100, 10, 0};
                        .visible .entry hello(.param .u32 n)
                        {
                          .local .align 8 .b8 arguments[8];
                          .reg .b64 %f, %a;
                          .reg .b32 %n, %r;
                          ld.param.u32 %n, [n];
                          st.local.u32 [arguments], %n;
                          mov.u64 %a, arguments;
                          cvta.local.u64 %a, %a;
                          mov.u64 %f, format;
                          cvta.global.u64 %f, %f;
                          call (%r), vprintf, (%f, %a);
                          ret;
                        }
                        """);

        assertEquals(
                0,
                run(hello, List.of("--kernel=hello", "--grid=1", "--block=2", "--arg=i32:-7")),
                shell::err);

        assertEquals("hello -7\nhello -7\n", shell.out());
    }

    @Test
    void givenModule_whenListed_thenKernelsAndParametersArePrinted() {
        assertEquals(0, shell.run("exec", EXAMPLES.resolve("sum.sass"), "--list"), shell::err);
        assertEquals(
                """
                sm_20, 64-bit addresses, kernels 1

                sum
                  registers 9, shared 1024 B, local 0 B, barriers 1, threads up to 1024
                  parameter  offset    size
                          0       0       8
                          1       8       8
                """,
                shell.out());

        assertEquals(0, shell.run("exec", kernels, "--list"), shell::err);
        assertTrue(shell.out().contains("kernels 6\n"), shell::out);
        assertTrue(shell.out().endsWith("threads up to 1024\n  parameters 0 B\n"), shell::out);
    }

    @Test
    void givenTexture_whenRun_thenKernelReadsTexelsAndListNamesTexture() throws IOException {
        Path gather =
                Files.writeString(
                        folder.resolve("gather.sass"),
                        """
                        .kernel gather                  // stores texel n, of thread n
                            .texture vector, 1
                            .param out, 8
                            S2R R0, SR_TID.X
                            TLD.LZ.T R4, R0, vector, 1D, 0x2
                            ISCADD R2.CC, R0, c[out], 2
                            IADD.X R3, RZ, c[out + 4]
                            ST.E [R2], R4
                            EXIT
                        """);
        Path pairs = write("pairs", ByteBuffer.wrap(floatsOf(8, i -> i + 0.5f)));
        Path second = folder.resolve("second");

        assertEquals(
                0,
                run(
                        gather,
                        List.of(
                                "--kernel=gather",
                                "--grid=1",
                                "--block=5",
                                "--arg=out:" + second + ":20",
                                "--texture=vector=f32x2:in:" + pairs)),
                shell::err);

        assertArrayEquals(floatsOf(5, i -> i < 4 ? 2 * i + 1.5f : 0), Files.readAllBytes(second));
        assertEquals(0, shell.run("exec", gather, "--list"), shell::err);
        assertTrue(shell.out().contains("\n  texture vector\n"), shell::out);
        assertEquals(2, run(gather, launch("gather", "zero:20")), shell::err);
        assertTrue(shell.err().contains("texture vector: binding=none"), shell::err);
    }

    @Test
    void givenTimeOption_whenRun_thenOneLinePerPhaseIsPrinted() throws IOException {
        List<String> arguments = new ArrayList<>(vadd("zero:4000"));
        arguments.add("--time");

        assertEquals(0, run(EXAMPLES.resolve("vadd.sass"), arguments), shell::err);

        String time = " +[0-9]+\\.[0-9]{3} ms\n";
        assertTrue(
                shell.out()
                        .matches(String.join(time, "load", "copy in", "launch", "copy out") + time),
                shell::out);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--kernel=vsub --grid=1 --block=1 | vsub | vadd",
                "--kernel=vadd --grid=1 --block=1 --arg=u32:1 | =1 | 4",
                "--kernel=vadd --grid=1 --block=1 --arg=u32:1 --arg=u64:1 --arg=u64:1 --arg=u32:1"
                        + " | =4 | 8",
                "--kernel=vadd --grid=0 --block=1 | --grid 0: | X[,Y[,Z]]",
                "--kernel=vadd --grid=65536 --block=1 --arg=u64:1 --arg=u64:1 --arg=u64:1"
                        + " --arg=u32:1 | 65536 | 65535",
                "--kernel=vadd --grid=1 --block=1025 --arg=u64:1 --arg=u64:1 --arg=u64:1"
                        + " --arg=u32:1 | 1025 | 1024",
                "--kernel=vadd --grid=1 --block=1 --shared=64K --arg=u64:1 --arg=u64:1"
                        + " --arg=u64:1 --arg=u32:1 | 65536 | 49152",
                "--kernel=vadd --grid=1 --block=1 --shared=4G | 4G | 2147483647",
                "--kernel=vadd --grid=1 --block=1 --repeat=0 | --repeat 0 | 1",
                "--kernel=vadd --grid=1 --block=1 --arg=5 | --arg 5: | i32:N",
                "--kernel=vadd --grid=1 --block=1 --texture=t=f32:zero:4 | texture=t | one of []",
                "--kernel=vadd --grid=1 --block=1 --texture=t=f32x3:zero:4 | channels=3 | 4",
                "--kernel=vadd --grid=1 --block=1 --texture=t=f32:in:/nowhere/x | /nowhere/x | no",
                "--kernel=vadd --grid=1 --block=1 --arg=in:/nowhere/x | /nowhere/x | no such file",
                "--kernel=vadd --grid=1 --block=1 --arg=in:/dev/zero | /dev/zero | regular file",
                "--kernel=vadd --grid=1 --block=1 --arg=out:/nowhere/x:4 | /nowhere/x | no such",
                "--kernel=vadd --grid=1 --block=1 --gpu=soft,vram=3 | vram=3 | a multiple of 1048576",
                "--kernel=vadd --grid=1 --block=1 --gpu=hard | hard | soft",
                "--kernel=vadd --grid=1 | --block | missing",
                "--kernel=vadd --block=1 | --grid | missing",
                "--grid=1 --block=1 | --kernel | missing",
                "--kernel=vadd --grid=1 --block=1 --fast | --fast | Unknown option",
                "--kernel=vadd --grid=1 --block=1 --repeat=few | --repeat | few",
            })
    void givenInvalidArguments_whenRun_thenStatusIs2AndErrorNamesValueAndLimit(
            String arguments, String value, String limit) {
        List<String> words = Arrays.asList(arguments.split(" "));

        assertEquals(2, run(EXAMPLES.resolve("vadd.sass"), words), shell::err);
        assertTrue(shell.err().startsWith("gpuvm: "), shell::err);
        assertTrue(shell.err().contains(value), shell::err);
        assertTrue(shell.err().contains(limit), shell::err);
        assertEquals("", shell.out());
    }

    @Test
    void givenFileOtherThanModule_whenRun_thenStatusIs2AndErrorNamesFile() throws IOException {
        Path cubin = folder.resolve("vadd.cubin");
        shell.run("asm", EXAMPLES.resolve("vadd.sass"), "-o", cubin);
        byte[] good = Files.readAllBytes(cubin);
        byte[] kepler = good.clone();
        ByteBuffer flags = ByteBuffer.wrap(kepler).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(20, flags.get(ELF_FLAGS));
        flags.put(ELF_FLAGS, (byte) 35);

        assertRefused(
                write("kepler.cubin", ByteBuffer.wrap(kepler)),
                "architecture=35, expected 20 or 21");
        assertRefused(write("cut.cubin", ByteBuffer.wrap(good, 0, good.length / 2)), "limit=");
        assertRefused(
                write("text", ByteBuffer.wrap("hello".getBytes())), "neither a cubin nor PTX");
        assertRefused(folder.resolve("nothing"), "no such file");
        assertRefused(write("bad.sass", ByteBuffer.wrap("FOO".getBytes())), "bad.sass:1:1");
    }

    @Test
    void givenFailingKernel_whenRun_thenStatusIs1WithGpuReportAndNoResult() throws IOException {
        Path result = Files.writeString(folder.resolve("result"), "before");

        for (String kernel : List.of("wild", "broken")) {
            assertEquals(1, run(kernels, launch(kernel, "out:" + result + ":16")), shell::err);

            assertTrue(shell.err().startsWith("gpuvm: "), shell::err);
            assertEquals(1, shell.err().lines().count(), shell::err);
            assertEquals("", shell.out());
            assertEquals("before", Files.readString(result));
        }
        assertNothingLeft();
        assertEquals(0, run(EXAMPLES.resolve("vadd.sass"), vadd("zero:4000")), shell::err);
    }

    @Test
    void givenEndlessKernel_whenWatchdogExpires_thenStatusIs1AndErrorNamesTimeout() {
        List<String> arguments = new ArrayList<>(launch("endless", "zero:4"));
        arguments.add("--gpu=soft,vram=64M,watchdog=0.1");

        assertEquals(1, shell.run(words(kernels, arguments)), shell::err);
        assertTrue(shell.err().startsWith("gpuvm: "), shell::err);
        assertTrue(shell.err().toLowerCase(Locale.ROOT).contains("timeout"), shell::err);
    }

    @Test
    void givenOneFileForTwoResults_whenRun_thenRunIsRefused() throws IOException {
        Path result = folder.resolve("result");
        Path same = folder.resolve(".").resolve("result");

        assertEquals(2, run(kernels, launch("wild", "out:" + result + ":4", "out:" + same + ":4")));
        assertEquals("gpuvm: " + same + ": results=2, limit=1 for each file\n", shell.err());
        assertNothingLeft();
    }

    @Test
    void givenMoreMemoryThanGpuHas_whenRun_thenStatusIs1AndErrorNamesSize() {
        assertEquals(1, run(kernels, launch("wild", "zero:65M")), shell::err);
        assertTrue(shell.err().contains(Integer.toString(65 << 20)), shell::err);
    }

    /// Offset of `e_flags` in a 64-bit ELF file.
    private static final int ELF_FLAGS = 48;

    private void assertRefused(Path module, String reason) {
        assertEquals(2, run(module, launch("vadd")), shell::err);
        assertTrue(shell.err().startsWith("gpuvm: " + module), shell::err);
        assertTrue(shell.err().contains(reason), shell::err);
        assertEquals(2, shell.run("exec", module, "--list"));
        assertTrue(shell.err().contains(reason), shell::err);
    }

    private void assertNothingLeft() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            assertFalse(files.anyMatch(file -> file.toString().endsWith(".part")));
        }
    }

    private List<String> vadd(String result) throws IOException {
        Path a = write("a.bin", ByteBuffer.wrap(floats(i -> i)));
        Path b = write("b.bin", ByteBuffer.wrap(floats(i -> 2f * i)));
        return List.of(
                "--kernel=vadd",
                "--grid=4",
                "--block=256",
                "--arg=in:" + a,
                "--arg=in:" + b,
                "--arg=" + result,
                "--arg=u32:" + COUNT);
    }

    private static List<String> launch(String kernel, String... arguments) {
        List<String> words = new ArrayList<>();
        words.addAll(List.of("--kernel=" + kernel, "--grid=1", "--block=1"));
        Arrays.stream(arguments).map(argument -> "--arg=" + argument).forEach(words::add);
        return words;
    }

    private int run(Path module, List<String> arguments) {
        List<String> all = new ArrayList<>(arguments);
        if (arguments.stream().noneMatch(word -> word.startsWith("--gpu"))) {
            all.add(GPU);
        }
        return shell.run(words(module, all));
    }

    private static Object[] words(Path module, List<String> arguments) {
        List<Object> words = new ArrayList<>();
        words.add("exec");
        words.add(module);
        words.addAll(arguments);
        return words.toArray();
    }

    private Path write(String name, ByteBuffer bytes) throws IOException {
        byte[] contents = new byte[bytes.remaining()];
        bytes.get(contents);
        return Files.write(folder.resolve(name), contents);
    }

    private interface FloatAt {
        float at(int index);
    }

    private static byte[] floats(FloatAt value) {
        return floatsOf(COUNT, value);
    }

    private static byte[] floatsOf(int count, FloatAt value) {
        ByteBuffer bytes = ByteBuffer.allocate(count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            bytes.putFloat(value.at(i));
        }
        return bytes.array();
    }

    private static byte[] bytesOf(int count, int value) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }
}
