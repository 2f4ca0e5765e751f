package io.gpuvm.cuda.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CcParserTest {
    private static CcArguments parse(String line) {
        return CcParser.parse(List.of(line.split(" ")));
    }

    private static String errorOf(String line) {
        CcException e = assertThrows(CcException.class, () -> Phase.of(parse(line)), line);
        assertEquals(CcException.USAGE, e.status());
        return e.getMessage();
    }

    @ParameterizedTest
    @CsvSource({
        "-o prog, OUTPUT, prog",
        "--output-file=prog, OUTPUT, prog",
        "-arch=sm_35, ARCHITECTURE, sm_35",
        "-arch sm_35, ARCHITECTURE, sm_35",
        "--gpu-architecture=sm_35, ARCHITECTURE, sm_35",
        "-Iinclude, INCLUDE_PATH, include",
        "-I include, INCLUDE_PATH, include",
        "-I=include, INCLUDE_PATH, include",
        "-DN=4, DEFINE, N=4",
        "-O3, OPTIMIZE, 3",
        "-O, OPTIMIZE, 1",
        "-m64, MACHINE, 64",
        "-std=c++14, STANDARD, c++14",
        "--std c++14, STANDARD, c++14",
        "-lm, LIBRARY, m",
        "-x cu, LANGUAGE, cu",
        "-maxrregcount=32, MAX_REGISTERS, 32",
        "--ptxas-options=-v, TO_PTXAS, -v",
        "-ccbin g++, HOST_COMPILER, g++",
        "-t4, THREADS, 4",
    })
    void givenOptionWithValue_whenParsed_thenAllSpellingsAreEqual(
            String line, CcOption option, String value) {
        CcArguments arguments = parse(line);

        assertEquals(List.of(value), arguments.all(option));
        assertEquals(List.of(), arguments.inputs());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-c",
                "-dc",
                "-g",
                "-G",
                "-lineinfo",
                "-keep",
                "-dryrun",
                "-v",
                "-ptx",
                "-shared",
                "-use_fast_math",
                "--use_fast_math",
                "--expt-extended-lambda",
                "-MMD",
                "-w"
            })
    void givenFlag_whenParsed_thenNextWordIsInput(String flag) {
        CcArguments arguments = parse(flag + " a.cu");

        assertTrue(arguments.has(CcOption.named(flag)));
        assertEquals(List.of("a.cu"), arguments.inputs());
    }

    @Test
    void givenListsOfOptions_whenParsed_thenCommasAndBlanksDivide() {
        CcArguments arguments =
                CcParser.parse(List.of("-Xcompiler", "-Wall,-O2", "-Xcompiler=-fPIC -g", "a.cu"));

        assertEquals(List.of("-Wall", "-O2", "-fPIC", "-g"), arguments.words(CcOption.TO_COMPILER));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Wall", "-march=native", "-fopenmp", "--unheard-of", "-Ofoo"})
    void givenUnknownOption_whenParsed_thenErrorNamesIt(String option) {
        assertEquals(
                "unknown option '%s'; options of the host's compiler follow -Xcompiler, those of its linker -Xlinker"
                        .formatted(option),
                errorOf("a.cu " + option));
        assertEquals(
                List.of(option),
                parse("-forward-unknown-to-host-compiler a.cu " + option).forwarded());
    }

    @Test
    void givenMissingOrWrongValues_whenParsed_thenErrorNamesExpectation() {
        assertEquals("-o: expected FILE", errorOf("a.cu -o"));
        assertEquals("-c and -ptx exclude each other", errorOf("-c -ptx a.cu"));
        CcArguments wrong = parse("-rdc=yes a.cu");
        assertEquals(
                "-rdc=yes, expected true or false",
                assertThrows(CcException.class, wrong::isRelocatable).getMessage());
    }

    @Test
    void givenWaysToRelocatableCode_whenParsed_thenCodeIsRelocatable() {
        assertFalse(parse("-c a.cu").isRelocatable());
        assertFalse(parse("-rdc=true -dw a.cu").isRelocatable());
        assertTrue(parse("-dc a.cu").isRelocatable());
        assertTrue(parse("-rdc=true -c a.cu").isRelocatable());
        assertTrue(parse("--relocatable-device-code true a.cu").isRelocatable());
        assertEquals(Phase.OBJECT, Phase.of(parse("-dc a.cu")));
        assertEquals(Phase.OBJECT, Phase.of(parse("-dc -c a.cu")));
        assertEquals(Phase.PROGRAM, Phase.of(parse("-rdc=true a.cu")));
    }

    @Test
    void givenFileWithOptions_whenParsed_thenOptionsReplaceIt(@TempDir Path folder)
            throws IOException {
        Path file = Files.writeString(folder.resolve("options"), "-DA\n -O2 b.cu\n");

        CcArguments arguments =
                CcParser.parse(List.of("--options-file", file.toString(), "-DB", "c.cu"));

        assertEquals(List.of("A", "B"), arguments.all(CcOption.DEFINE));
        assertEquals(List.of("b.cu", "c.cu"), arguments.inputs());
    }

    @Test
    void givenFileThatNamesItself_whenParsed_thenErrorNamesLimit(@TempDir Path folder)
            throws IOException {
        Path file = folder.resolve("options");
        Files.writeString(file, "--options-file " + file);

        assertEquals("files of options=17, limit=16", errorOf("-optf " + file));
    }

    @ParameterizedTest
    @CsvSource({
        "a.cu, 20",
        "-arch=sm_13 a.cu, 20",
        "-arch=compute_35 a.cu, 35",
        "-arch=sm_90a a.cu, 60",
        "-arch=sm_61 a.cu, 60",
        "-arch=native a.cu, 20",
        "-gencode arch=compute_50;code=sm_50 -gencode=arch=compute_30;code=sm_30 a.cu, 30",
    })
    void givenGpus_whenParsed_thenOldestKnownOneIsChosen(String line, int number) {
        CcArguments arguments = parse(line.replace(';', ','));

        assertEquals(number, Architecture.oldest(arguments.architectures()).number());
    }

    @Test
    void givenNoGpu_whenParsed_thenErrorNamesIt() {
        List<String> names = parse("-arch=fermi a.cu").architectures();

        assertEquals(
                "GPU=fermi, expected for instance sm_20 or compute_35",
                assertThrows(CcException.class, () -> Architecture.oldest(names)).getMessage());
    }

    @Test
    void givenFileNames_whenKindIsDetermined_thenSuffixOrLanguageDecides() {
        assertEquals(SourceKind.CUDA, SourceKind.of("a.b.cu", ""));
        assertEquals(SourceKind.CUDA, SourceKind.of("a.cpp", "cu"));
        assertEquals(SourceKind.CPP, SourceKind.of("a.C", ""));
        assertEquals(SourceKind.OBJECT, SourceKind.of("a.o", "cu"));
        assertEquals(SourceKind.SHARED_LIBRARY, SourceKind.of("liba.so.1.2", ""));
        assertThrows(CcException.class, () -> SourceKind.of("README", ""));
        assertThrows(CcException.class, () -> SourceKind.of("a.cpp", "fortran"));
    }

    @Test
    void givenAllOptions_whenNamesAreCompared_thenNoneOccursTwice() {
        List<String> names =
                Arrays.stream(CcOption.values()).flatMap(each -> each.names().stream()).toList();

        assertEquals(names.stream().distinct().toList(), names);
    }
}
