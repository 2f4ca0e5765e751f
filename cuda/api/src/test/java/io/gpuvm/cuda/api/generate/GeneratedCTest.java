package io.gpuvm.cuda.api.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiParameter;
import io.gpuvm.cuda.api.table.ApiStatus;
import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.ApiTypes;
import io.gpuvm.cuda.api.table.ApiVariant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of generated C files, compiled and run with a fake core.
class GeneratedCTest {
    private static final ApiTable TABLE = ApiTable.load();

    /// Header of NVIDIA's toolkit, if one is installed; the test of declarations needs it.
    private static final Path TOOLKIT = Path.of("/usr/local/cuda/include");

    @TempDir private Path folder;
    private CCompiler compiler;

    @BeforeEach
    void generate() throws IOException {
        compiler = new CCompiler(TABLE, folder);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cuda_stubs.c",
                "cuda_refusals.c",
                "cuda_statuses.c",
                "cuda_call_names.c",
                "cuda_proc_address.c"
            })
    void givenGeneratedSource_whenCompiledWithAllWarnings_thenNoWarningOccurs(String source)
            throws Exception {
        compiler.compile(source, "-O2", "-fvisibility=hidden", "-Wmissing-prototypes", "-Wshadow");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpuvm_cuda_types.h", "gpuvm_cuda_api.h", "gpuvm_cuda_senders.h"})
    void givenGeneratedHeader_whenIncludedAlone_thenHeaderIsComplete(String header)
            throws Exception {
        Files.writeString(folder.resolve("alone.c"), "#include \"" + header + "\"\n");

        compiler.compile("alone.c");
    }

    @Test
    void givenLibrary_whenLinkedWithVersionScript_thenOnlyNamesOfTableAreExported()
            throws Exception {
        Files.writeString(folder.resolve(FakeCore.FILE), FakeCore.source(TABLE));
        compiler.run(
                List.of(
                        "-shared",
                        "-fPIC",
                        "-fvisibility=hidden",
                        "-Wl,-Bsymbolic",
                        "-Wl,--version-script=libcuda.map",
                        "-o",
                        "libcuda.so.1",
                        "cuda_stubs.c",
                        "cuda_refusals.c",
                        "cuda_statuses.c",
                        "cuda_call_names.c",
                        "cuda_proc_address.c",
                        FakeCore.FILE));
        Files.writeString(folder.resolve("names.c"), namesProgram());

        Path program = compiler.program("names.c");

        assertEquals(
                List.of("found " + TABLE.symbols().size(), "hidden"), compiler.linesOf(program));
    }

    /// Returns a program that looks up each name of the table, and one name that is hidden.
    private String namesProgram() {
        String names =
                TABLE.symbols().stream()
                        .map(name -> "    \"" + name + "\",\n")
                        .collect(Collectors.joining());
        return """
        #include <dlfcn.h>
        #include <stdio.h>

        static const char *const names[] = {
        %s};

        int main(void)
        {
            void *library = dlopen("%s", RTLD_NOW);
            size_t found = 0;
            if (library == NULL) {
                puts(dlerror());
                return 1;
            }
            for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
                found += dlsym(library, names[i]) != NULL;
            printf("found %%zu\\n", found);
            puts(dlsym(library, "gpuvm_find_symbol") == NULL ? "hidden" : "exported");
            return 0;
        }
        """
                .formatted(names, folder.resolve("libcuda.so.1"));
    }

    @Test
    void givenStubs_whenCalled_thenChecksTwinsAndDefaultStreamsHold() throws Exception {
        List<String> lines =
                run(
                        """
                        #include <stdio.h>
                        #include "gpuvm_cuda_api.h"

                        #define SHOW(call) printf("%d\\n", (int)(call))

                        int main(void)
                        {
                            size_t free_bytes = 0;
                            CUdeviceptr address = 0;
                            SHOW(cuMemsetD16_v2(0x1001, 1, 1));
                            SHOW(cuMemsetD16_v2(0x1002, 0xffff, 3));
                            SHOW(cuMemsetD16_v2_ptds(0x1002, 0xffff, 3));
                            SHOW(cuMemsetD16Async(0x1002, 0xffff, 3, NULL));
                            SHOW(cuMemsetD16Async_ptsz(0x1002, 0xffff, 3, NULL));
                            SHOW(cuStreamWaitEvent(NULL, (CUevent)0x10, 0));
                            SHOW(cuStreamWaitEvent_ptsz(NULL, (CUevent)0x10, 0));
                            SHOW(cuMemGetInfo_v2(&free_bytes, NULL));
                            printf("%zx\\n", free_bytes);
                            SHOW(cuMemAlloc_v2(NULL, 16));
                            SHOW(cuMemAlloc_v2(&address, 0));
                            SHOW(cuMemAlloc_v2(&address, 16));
                            SHOW(cuMemAlloc());
                            SHOW(cuLaunchKernelEx_ptsz(&(CUlaunchConfig){ 0 }, NULL, NULL, NULL));
                            SHOW(cuMemcpyAsync_ptsz(1, 2, 3, NULL));
                            SHOW(cuMemcpyAsync(1, 2, 3, (CUstream)0x77));
                            SHOW(cuEventRecord((CUevent)0x10, NULL));
                            SHOW(cuEventQuery(NULL));
                            return 0;
                        }
                        """);

        assertEquals(
                List.of(
                        "1",
                        "MemsetD16 1",
                        "999",
                        "MemsetD16 2",
                        "999",
                        "MemsetD16Async 1",
                        "999",
                        "MemsetD16Async 2",
                        "999",
                        words(0x706, 1, 1, 0x10, 0, 0, 0, 0),
                        "0",
                        words(0x706, 1, 2, 0x10, 0, 0, 0, 0),
                        "0",
                        words(0x406, 0, 0xc0, 0, 0, 0, 0, 0),
                        "0",
                        "100",
                        "1",
                        "1",
                        "MemAlloc 0",
                        "999",
                        "801",
                        "LaunchKernelEx 2",
                        "999",
                        "MemcpyAsync 2",
                        "999",
                        "MemcpyAsync 77",
                        "999",
                        words(0x803, 1, 0x10, 1, 0, 0, 0, 0),
                        "0",
                        "400"),
                lines);
    }

    @Test
    void givenProcAddressTable_whenQueriedInC_thenAnswersEqualJava() throws Exception {
        List<String> lines =
                run(
                        """
                        #include <stdio.h>
                        #include "gpuvm_cuda_api.h"

                        static void query(const char *name, int version, uint64_t flags, void *expected)
                        {
                            void *function = &function;
                            CUdriverProcAddressQueryResult found = 9;
                            CUresult status = gpuvm_find_symbol(name, version, flags, &function, &found);
                            printf("%s %d %d %u\\n", name, function == expected, (int)status, found);
                        }

                        int main(void)
                        {
                            void *function;
                            query("cuMemAlloc", 3020, 0, (void *)cuMemAlloc_v2);
                            query("cuMemAlloc", 3010, 0, (void *)cuMemAlloc);
                            query("cuMemcpyHtoD", 12000, 2, (void *)cuMemcpyHtoD_v2_ptds);
                            query("cuMemcpyHtoD", 12000, 1, (void *)cuMemcpyHtoD_v2);
                            query("cuGetProcAddress", 11030, 0, (void *)cuGetProcAddress);
                            query("cuGetProcAddress", 12000, 0, (void *)cuGetProcAddress_v2);
                            query("cuStreamGetCaptureInfo", 12030, 0, (void *)cuStreamGetCaptureInfo_v3);
                            query("cuArray3DCreate", 2000, 0, (void *)cuArray3DCreate);
                            query("cuWaitExternalSemaphoresAsync", 12000, 2,
                                  (void *)cuWaitExternalSemaphoresAsync_ptsz);
                            query("cuGetProcAddress", 11020, 0, NULL);
                            query("cuNone", 12000, 0, NULL);
                            query("cuzzz", 12000, 0, NULL);
                            query("", 12000, 0, NULL);
                            printf("%d\\n", (int)gpuvm_find_symbol("cuInit", 2000, 0, &function, NULL));
                            puts(gpuvm_status_name(CUDA_ERROR_NOT_FOUND));
                            puts(gpuvm_status_text(CUDA_SUCCESS));
                            printf("%d\\n", gpuvm_status_name((CUresult)12345) == NULL);
                            puts(gpuvm_call_name(GPUVM_OP_MemAlloc));
                            puts(gpuvm_call_name(GPUVM_OP_Nop));
                            printf("%d\\n", gpuvm_call_name(0) == NULL);
                            return 0;
                        }
                        """);

        assertEquals(
                List.of(
                        "cuMemAlloc 1 0 0",
                        "cuMemAlloc 1 0 0",
                        "cuMemcpyHtoD 1 0 0",
                        "cuMemcpyHtoD 1 0 0",
                        "cuGetProcAddress 1 0 0",
                        "cuGetProcAddress 1 0 0",
                        "cuStreamGetCaptureInfo 1 0 0",
                        "cuArray3DCreate 1 0 0",
                        "cuWaitExternalSemaphoresAsync 1 0 0",
                        "cuGetProcAddress 1 500 2",
                        "cuNone 1 500 1",
                        "cuzzz 1 500 1",
                        " 1 500 1",
                        "0",
                        "CUDA_ERROR_NOT_FOUND",
                        "The call succeeded.",
                        "1",
                        "cuMemAlloc",
                        "Nop",
                        "1"),
                lines);
    }

    /// Compares parameters with the declarations of an installed toolkit. NVIDIA's header is not
    /// part of this project.
    @Test
    void givenHeaderOfToolkit_whenDeclarationsAreCompared_thenParametersAreEqual()
            throws Exception {
        Files.writeString(folder.resolve("declared.c"), comparison(toolkitHeader()));

        compiler.compile("declared.c", "-isystem", TOOLKIT.toString());
    }

    /// Returns a source with a pointer to each function that the header declares.
    private static String comparison(String declared) {
        StringBuilder text =
                new StringBuilder(
                        """
                        #define __CUDA_API_VERSION_INTERNAL
                        #include <cuda.h>
                        #include <cudaProfiler.h>
                        """);
        int compared = 0;
        for (ApiFunction function : TABLE.cudaFunctions()) {
            for (ApiVariant variant : function.variants()) {
                if (variant.support().isLive() && declared.contains(" " + variant.symbol() + "(")) {
                    String parameters =
                            function.parameters().stream()
                                    .map(ApiParameter::type)
                                    .collect(Collectors.joining(", "));
                    text.append(
                            "extern CUresult (*const check_%s)(%s);\n"
                                    .formatted(
                                            variant.symbol(),
                                            parameters.isEmpty() ? "void" : parameters));
                    text.append(
                            "CUresult (*const check_%s)(%s) = %s;\n"
                                    .formatted(
                                            variant.symbol(),
                                            parameters.isEmpty() ? "void" : parameters,
                                            variant.symbol()));
                    compared++;
                }
            }
        }
        assertTrue(compared > 100, "compared=" + compared);
        return text.toString();
    }

    /// Compares values of enumerations, sizes of types, and offsets of fields with those of an
    /// installed toolkit.
    @Test
    void givenHeaderOfToolkit_whenValuesAndSizesAreCompared_thenBothAreEqual() throws Exception {
        String declared = toolkitHeader();
        Files.writeString(folder.resolve("ours.c"), values("\"gpuvm_cuda_types.h\"", declared));
        Files.writeString(folder.resolve("theirs.c"), values("<cuda.h>", declared));
        List<String> ours = compiler.linesOf(compiler.program("ours.c"));

        List<String> theirs =
                compiler.linesOf(compiler.program("-isystem", TOOLKIT.toString(), "theirs.c"));

        assertTrue(ours.size() > 200, "lines=" + ours.size());
        assertEquals(theirs, ours);
    }

    private static String toolkitHeader() throws IOException {
        Path header = TOOLKIT.resolve("cuda.h");
        assumeTrue(Files.exists(header), () -> header + " is not installed");
        return Files.readString(header);
    }

    /// Returns a program that prints values, sizes and offsets which the toolkit's header declares.
    private static String values(String include, String declared) {
        SourceText text = new SourceText();
        text.line("#include <stddef.h>").line("#include <stdio.h>").line("#include " + include);
        text.line("int main(void)").open("{");
        Stream<String> names =
                Stream.concat(
                        TABLE.statuses().stream().map(ApiStatus::name),
                        TABLE.attributes().stream().flatMap(value -> value.names().stream()));
        names.filter(declared::contains)
                .forEach(name -> text.format("printf(\"%s %%d\\n\", (int)%s);", name, name));
        ApiTypes types = TABLE.types();
        Stream.of(types.integers(), types.handles(), types.callbacks(), types.structs())
                .flatMap(map -> map.keySet().stream())
                .forEach(name -> size(text, name));
        types.enums().stream().filter(declared::contains).forEach(name -> size(text, name));
        types.structs()
                .forEach((name, fields) -> fields.forEach(field -> offset(text, name, field)));
        return text.line("return 0;").close("}").toString();
    }

    private static void size(SourceText text, String type) {
        text.format("printf(\"%s %%zu\\n\", sizeof(%s));", type, type);
    }

    private static void offset(SourceText text, String struct, String field) {
        String name = field.replaceFirst("\\[.*", "").replaceFirst(".*[ *]", "");
        text.format("printf(\"%s %%zu\\n\", offsetof(%s, %s));", name, struct, name);
    }

    private List<String> run(String main) throws IOException, InterruptedException {
        Files.writeString(folder.resolve(FakeCore.FILE), FakeCore.source(TABLE));
        Files.writeString(folder.resolve("main.c"), main);
        Path program =
                compiler.program(
                        "main.c",
                        "cuda_stubs.c",
                        "cuda_refusals.c",
                        "cuda_statuses.c",
                        "cuda_call_names.c",
                        "cuda_proc_address.c",
                        FakeCore.FILE);
        return compiler.linesOf(program);
    }

    private static String words(int opcode, int flags, long... operands) {
        return Stream.concat(
                        Stream.of("%08x".formatted(opcode | flags << 16)),
                        java.util.Arrays.stream(operands).mapToObj("%016x"::formatted))
                .collect(Collectors.joining(" "));
    }
}
