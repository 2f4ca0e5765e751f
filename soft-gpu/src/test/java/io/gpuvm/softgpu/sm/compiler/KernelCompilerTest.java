package io.gpuvm.softgpu.sm.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.softgpu.sm.code.Decoder;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KernelCompilerTest {
    /// Size of a method that the JVM considers huge and does not compile (`-XX:HugeMethodLimit`).
    private static final int HUGE_METHOD_BYTES = 8000;

    private static final int REGISTERS = 63;

    @Test
    void givenManyShortBlocks_whenCompiled_thenNoMethodExceedsJvmLimit() {
        String branches =
                IntStream.range(0, 500)
                        .mapToObj(n -> "l%d: @P%d BRA l%d".formatted(n, n % 6, n * 37 % 500))
                        .collect(Collectors.joining("\n"));
        KernelClass kernel = compile(branches + "\nEXIT");
        for (MethodModel method : methods(kernel)) {
            String name = method.methodName().stringValue();
            int bytes = ((CodeAttribute) method.code().orElseThrow()).codeLength();
            assertTrue(
                    bytes <= HUGE_METHOD_BYTES, () -> "method=%s, bytes=%d".formatted(name, bytes));
        }
    }

    @Test
    void givenLongBlock_whenCompiled_thenEveryInstructionOccursOnce() {
        String sums = "IADD R1, R2, R1\n".repeat(3000);
        assertEquals(3001, compile(sums + "EXIT").instructions().length);
    }

    private static KernelClass compile(String source) {
        long[] words = Assembler.code("test", source);
        return KernelCompiler.compile(
                KernelCode.of(
                        pc -> Decoder.decode(words[pc / Long.BYTES], pc, REGISTERS), 0, 1 << 14));
    }

    private static List<MethodModel> methods(KernelClass kernel) {
        return ClassFile.of().parse(kernel.bytes()).methods();
    }
}
