package io.gpuvm.cuda.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClangCommandsTest {
    private static final Path SOURCE = Path.of("a.cu");

    private static ClangCommands commands(String line) {
        CcArguments arguments = CcParser.parse(List.of(line.split(" ")));
        return new ClangCommands(
                new Clang(Path.of("/usr/bin/clang"), "19.1.7"),
                new Toolkit(Path.of("/gpuvm")),
                arguments,
                Architecture.oldest(arguments.architectures()));
    }

    private static String device(String line) {
        return String.join(" ", commands(line).device(SOURCE, Path.of("a.ptx")));
    }

    private static String host(String line) {
        return String.join(
                " ",
                commands(line).host(SOURCE, SourceKind.CUDA, Path.of("a.fatbin"), Path.of("a.o")));
    }

    private static void assertHas(String command, String words) {
        assertTrue((" " + command + " ").contains(" " + words + " "), command);
    }

    private static void assertLacks(String command, String words) {
        assertFalse((" " + command + " ").contains(" " + words + " "), command);
    }

    @Test
    void givenOptionsOfSources_whenCompiled_thenBothPassesHaveThem() {
        String line = "-Iinc -DN=1 -UM -std=c++14 -include x.h -w a.cu";
        for (String command : List.of(device(line), host(line))) {
            assertHas(command, "-Iinc -DN=1 -UM -include x.h -std=c++14 -w");
            assertHas(command, "-isystem /gpuvm/cuda/include -include gpuvm_cuda.h");
        }
    }

    @Test
    void givenMacrosBehindStrings_whenCompiled_thenTheyAreNoErrors() {
        for (String command : List.of(device("a.cu"), host("a.cu"))) {
            assertHas(command, "-Wno-error=reserved-user-defined-literal");
        }
    }

    @Test
    void givenLevels_whenCompiled_thenHostsLevelIsUsersAndGpusIsHighest() {
        assertHas(device("-O1 a.cu"), "-O3");
        assertLacks(device("-O1 a.cu"), "-O1");
        assertHas(host("-O1 a.cu"), "-O1");
        assertHas(device("-G a.cu"), "-O0 -gline-tables-only");
        assertHas(host("-g a.cu"), "-g");
    }

    @Test
    void givenOptionsOfHostCompiler_whenCompiled_thenGpuGetsMacrosOnly() {
        String line = "-Xcompiler -fPIC,-DX a.cu";
        assertHas(host(line), "-fPIC -DX");
        assertHas(device(line), "-DX");
        assertLacks(device(line), "-fPIC");
    }

    @Test
    void givenFastMath_whenCompiled_thenUsersExceptionsHavePrecedence() {
        assertLacks(device("a.cu"), "-fcuda-flush-denormals-to-zero");
        String fast = device("-use_fast_math -prec-div=true a.cu");
        assertHas(fast, "-fcuda-approx-transcendentals -fcuda-flush-denormals-to-zero");
        assertHas(fast, "-mllvm -nvptx-prec-sqrtf32=0");
        assertLacks(fast, "-nvptx-prec-divf32=0");
        assertHas(device("-fmad=false a.cu"), "-ffp-contract=off");
    }

    @Test
    void givenTwoPasses_whenCompiled_thenUnitAndGpuAreEqual() {
        String line = "-dc -arch=sm_35 a.cu";
        for (String command : List.of(device(line), host(line))) {
            assertHas(command, "--cuda-gpu-arch=sm_35");
            assertHas(command, "-fgpu-rdc");
        }
        String unit = device(line).replaceFirst(".*(-cuid=\\S+).*", "$1");
        assertHas(host(line), unit);
    }

    @Test
    void givenLibraries_whenLinked_thenTheyFollowObjects() {
        String link =
                String.join(
                        " ",
                        commands("-lfoo -Llib -lcudart_static -lcudadevrt a.cu -Xlinker -s")
                                .link(List.of(Path.of("a.o"), Path.of("b.a")), Path.of("prog")));

        assertHas(
                link,
                "a.o b.a -L/gpuvm/cuda/runtime/target/lib -L/gpuvm/cuda/client/target/lib -Llib"
                        + " -Xlinker -s -lfoo -lcudart -Xlinker --as-needed -lcudart -lpthread -ldl -lrt -o prog");
    }

    @Test
    void givenNoRuntime_whenLinked_thenRuntimeIsAbsent() {
        List<String> link =
                commands("-cudart none -shared a.o").link(List.of(Path.of("a.o")), Path.of("a.so"));

        assertEquals(
                List.of("/usr/bin/clang", "--driver-mode=g++", "-shared", "a.o", "-o", "a.so"),
                link);
    }

    @Test
    void givenDependencies_whenCompiled_thenRuleIsForResult() {
        assertHas(host("-MMD -c a.cu -o out/x.o"), "-MMD -MF out/x.d -MT out/x.o");
        assertHas(host("-MD -MF f.d -MT t -c a.cu"), "-MD -MF f.d -MT t");
    }
}
