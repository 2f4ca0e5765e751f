package io.gpuvm.pv.module;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.pv.bare.NativeTransport;
import io.gpuvm.pv.module.ElfBytes.Section;
import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuModule;
import io.gpuvm.pv.runtime.GpuStream;
import io.gpuvm.pv.runtime.LaunchShape;
import io.gpuvm.tests.gpu.RunningGpu;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of the results of kernels from files that this project's assembler does not write.
class ForeignLaunchTest {
    private static final int THREADS = 32;

    /// Kernel whose threads each store sum(own number) + a literal + a variable + the previous
    /// value of a counter.
    private static final String MAIN =
            """
            MOV R1, c[1][0x100]
            S2R R0, SR_TID.X
            MOV R4, R0
            JCAL 0                      // sum
            JCAL c[14][8]               // addLiteral
            MOV32I R8, 0                // address of start
            MOV32I R9, 0
            LD.E R10, [R8]
            IADD R4, R4, R10
            MOV R8, c[14][0]            // address of counter
            MOV R9, c[14][4]
            LD.E R10, [R8]
            IADD R4, R4, R10
            MOV R7, c[0][0x24]
            ISCADD R6, R0, c[0][0x20], 2
            ST.E [R6], R4
            EXIT
            """;

    private static final int SUM_CALL = 3 * Long.BYTES;
    private static final int START_LOW = 5 * Long.BYTES;
    private static final int START_HIGH = 6 * Long.BYTES;

    /// Recursive function that sets R4 to R4 + (R4 - 1) + ... + 0.
    private static final String SUM =
            """
            ISETP.EQ P0, R4, RZ
            @P0 RET
            IADD R1, R1, -8
            STL [R1], R4
            IADD R4, R4, -1
            JCAL 0
            LDL R5, [R1]
            IADD R1, R1, 8
            IADD R4, R4, R5
            RET
            """;

    private static final int SELF_CALL = 5 * Long.BYTES;

    private final RunningGpu gpu = new RunningGpu();
    private final GpuContext context = GpuContext.open(NativeTransport.open(gpu.device()));

    @AfterEach
    void close() {
        context.close();
        gpu.close();
    }

    static ElfBytes file() {
        ElfBytes file = new ElfBytes(true).flags(20 | 20 << 16 | 0x500);
        Section literals = file.words(".nv.constant16", ElfBytes.PROGBITS, 0, 6000);
        Section addresses = file.words(".nv.constant14", ElfBytes.PROGBITS, 0, 0, 0, 0);
        Section init = file.words(".nv.global.init", ElfBytes.PROGBITS, 1, 500_000);
        Section zeros = file.empty(".nv.global", 64).alignment(64);
        Section main = text(file, "main", MAIN);
        Section sum = text(file, "sum", SUM);
        Section add = text(file, "addLiteral", "IADD R4, R4, c[0][0]\nRET");
        int sumSymbol = function(file, sum, "sum", 0);
        int mainSymbol = function(file, main, "main", ElfBytes.ENTRY);
        int addSymbol = function(file, add, "addLiteral", 0);
        int literal = object(file, literals, "literal", 4);
        int start = object(file, init, "start", 4);
        int counter = object(file, zeros, "counter", 16);
        file.relocate(main, SUM_CALL, sumSymbol, 5, 0);
        file.relocate(main, START_LOW, start, 10, 0);
        file.relocate(main, START_HIGH, start, 11, 0);
        file.relocate(sum, SELF_CALL, sumSymbol, 5, 0);
        file.relocate(addresses, 0, counter, 2, 0);
        file.relocate(addresses, 8, addSymbol, 35, 0);
        file.relocate(add, 0, literal, 24, 0);
        file.words(".nv.info", ElfBytes.PROGBITS, 0x0008_1204, mainSymbol, -1);
        file.words(".nv.info.main", ElfBytes.PROGBITS, 0x0008_0a04, 0, 0x20 | 8 << 16);
        return file;
    }

    private static Section text(ElfBytes file, String name, String source) {
        byte[] code = ElfBytes.bytes(Assembler.code(name, source));
        return file.section(".text." + name, ElfBytes.PROGBITS, code).info(12 << 24);
    }

    private static int function(ElfBytes file, Section text, String name, int other) {
        return file.symbol(name, ElfBytes.FUNC, ElfBytes.GLOBAL, other, file.index(text), 0, 0);
    }

    private static int object(ElfBytes file, Section section, String name, long value) {
        return file.symbol(
                name, ElfBytes.OBJECT, ElfBytes.GLOBAL, 0, file.index(section), value, 4);
    }

    private int[] run(GpuModule module) {
        GpuStream stream = context.defaultStream();
        int[] results = new int[THREADS];
        try (DeviceMemory out = context.allocate(THREADS * Integer.BYTES)) {
            stream.launch(
                    module.kernel("main"),
                    LaunchShape.of(1, THREADS),
                    new Arguments().pointer(out));
            stream.copyToHost(MemorySegment.ofArray(results), out, 0);
        }
        return results;
    }

    private static int[] expected(int added) {
        int[] results = new int[THREADS];
        for (int i = 0; i < THREADS; i++) {
            results[i] = i * (i + 1) / 2 + added;
        }
        return results;
    }

    @ParameterizedTest
    @CsvSource({"0, false", "1, false", "2, true"})
    void givenCallsRecursionPointersAndVariables_whenLaunched_thenResultsEqualExpectedSums(
            long seed, boolean explicitAddends) {
        ElfBytes file = seed == 0 ? file() : file().scattered(seed);
        GpuModule module = context.load((explicitAddends ? file.explicitAddends() : file).build());

        assertArrayEquals(expected(506_000), run(module));
    }

    @Test
    void givenVariablesWrittenByProgram_whenLaunched_thenKernelsSeeValues() {
        GpuModule module = context.load(file().build());
        GpuStream stream = context.defaultStream();
        int[] seven = {7};
        int[] thousand = {1000};

        stream.copyToDevice(module.variable("counter"), 0, MemorySegment.ofArray(seven));
        stream.copyToDevice(module.variable("literal"), 0, MemorySegment.ofArray(thousand));

        assertArrayEquals(expected(501_007), run(module));
        assertEquals(4, module.variable("counter").bytes());
    }

    @Test
    void givenModuleLoadedTwice_whenVariableOfFirstModuleIsChanged_thenSecondModuleIsUnchanged() {
        GpuModule one = context.load(file().build());
        GpuModule other = context.load(file().build());
        int[] seven = {7};

        context.defaultStream()
                .copyToDevice(one.variable("counter"), 0, MemorySegment.ofArray(seven));

        assertArrayEquals(expected(506_007), run(one));
        assertArrayEquals(expected(506_000), run(other));
    }
}
