package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.guests.cuda.ProgramProcess;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.JvmOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Test of `gpuvm cc` with each clang that is set up: programs in CUDA C++ are compiled, and run on
/// the software GPU.
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Tag("commands")
class CcCommandTest {
    private static final Path ROOT = Path.of(System.getProperty("gpuvm.root"));

    /// Exit status if clang is missing.
    private static final int MISSING = 3;

    private static final String HEADER =
            """
            #include <cuda_runtime.h>
            extern __device__ int offset;
            __device__ int scaled(int i);
            int finish();
            """;

    private static final String MAIN =
            """
            #include <cstdio>
            #include "parts.h"
            static __device__ int own;
            __device__ int offset = 7;
            __constant__ int factor = 3;
            __global__ void kernel(int *out) { out[threadIdx.x] = scaled(threadIdx.x) + own; }
            extern "C" int expected(int i);
            int main() {
              int *out, host[32], value = 100;
              if (cudaMalloc(&out, sizeof(host)) != cudaSuccess) return 2;
              cudaMemcpyToSymbol(own, &value, sizeof(value));
              kernel<<<1, 32>>>(out);
              cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
              for (int i = 0; i < 32; i++)
                if (host[i] != expected(i)) return std::printf("[%d]=%d\\n", i, host[i]), 3;
              std::printf("right, finish=%d\\n", finish());
            }
            """;

    private static final String OTHER =
            """
            #include "parts.h"
            extern __constant__ int factor;
            __device__ int scaled(int i) { return factor * i + offset; }
            __global__ void empty() {}
            int finish() { empty<<<1, 1>>>(); return cudaDeviceSynchronize(); }
            """;

    private static final String PLAIN = "int expected(int i) { return 3 * i + 7 + 100; }\n";

    private static final String SHARED_TEXTURES =
            """
            extern texture<int> common;
            __device__ int readOther(int i);
            void bindOther(int *memory);
            """;

    private static final String TEXTURES_MAIN =
            """
            #include <cstdio>
            #include "textures.h"
            texture<int> common;
            static texture<int> own;
            __global__ void kernel(int *out) {
              out[0] = tex1Dfetch(own, 0);
              out[1] = readOther(1);
              out[2] = tex1Dfetch(common, 2);
              out[3] = tex1Dfetch(own, 1);
            }
            int main() {
              int *memory, host[4] = {1, 2, 3, 4};
              if (cudaMalloc(&memory, 2 * sizeof(host)) != cudaSuccess) return 2;
              cudaMemcpy(memory, host, sizeof(host), cudaMemcpyHostToDevice);
              cudaBindTexture(NULL, own, memory, sizeof(int));
              cudaBindTexture(NULL, common, memory, sizeof(host));
              bindOther(memory);
              kernel<<<1, 1>>>(memory + 4);
              if (cudaMemcpy(host, memory + 4, sizeof(host), cudaMemcpyDeviceToHost)) return 3;
              std::printf("%d %d %d %d\\n", host[0], host[1], host[2], host[3]);
            }
            """;

    private static final String TEXTURES_OTHER =
            """
            #include "textures.h"
            static texture<int> others;
            __device__ int readOther(int i) { return tex1Dfetch(others, i); }
            void bindOther(int *memory) { cudaBindTexture(NULL, others, memory, 4 * sizeof(int)); }
            """;

    @TempDir private Path folder;

    /// Result of a command.
    ///
    /// @param said lines of its output and errors
    private record Ended(int status, List<String> said) {
        Ended mustSucceed() {
            assertEquals(0, status, () -> String.join("\n", said));
            return this;
        }
    }

    @BeforeEach
    void librariesAreBuilt() {
        assumeTrue(
                Files.exists(ROOT.resolve("cuda/runtime/target/lib/libcudart.so")),
                "no C compiler is installed");
    }

    private static Path clang(int version) {
        Path program = GuestFiles.locate().cache().resolve("clang-%d/clang".formatted(version));
        assumeTrue(Files.isExecutable(program), "clang " + version + " is not set up");
        return program;
    }

    private static Path anyClang() {
        return Stream.of(19, 22, 16)
                .map(version ->
                        GuestFiles.locate().cache().resolve("clang-%d/clang".formatted(version)))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(() -> clang(19));
    }

    private Ended run(Map<String, String> environment, String... words) throws Exception {
        List<String> command = new ArrayList<>(ProgramProcess.starterOf(words[0]));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JvmOptions.opening());
        command.addAll(
                List.of(
                        "-Dgpuvm.root=" + ROOT,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.gpuvm.cli.Main"));
        command.addAll(List.of(words));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), said.lines().toList());
    }

    private Ended gpuvm(String... words) throws Exception {
        return run(Map.of(), words);
    }

    private void writeProject() throws IOException {
        Files.writeString(folder.resolve("parts.h"), HEADER);
        Files.writeString(folder.resolve("main.cu"), MAIN);
        Files.writeString(folder.resolve("other.cu"), OTHER);
        Files.writeString(folder.resolve("plain.c"), PLAIN);
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 19, 22})
    void givenSeveralSources_whenLinkedOnGpuAndHost_thenProgramComputes(int version)
            throws Exception {
        String clang = clang(version).toString();
        writeProject();

        gpuvm("cc", "--clang", clang, "-dc", "-O2", "main.cu", "other.cu").mustSucceed();
        gpuvm("cc", "--clang", clang, "-lib", "other.o", "-o", "libother.a").mustSucceed();
        gpuvm("cc", "--clang", clang, "-rdc=true", "main.o", "libother.a", "plain.c", "-o", "p")
                .mustSucceed();

        Ended ended = gpuvm("exec-cuda", "--gpu", "soft,vram=64M", "./p").mustSucceed();
        assertEquals(List.of("right, finish=0"), ended.said);
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 19, 22})
    void givenTextures_whenProgramRuns_thenFetchesReadLinearMemory(int version) throws Exception {
        compileTextures(clang(version));

        Ended ended = gpuvm("exec-cuda", "--gpu", "soft,vram=64M", "./p").mustSucceed();
        assertEquals(List.of("failures=0"), ended.said);
        Ended control = gpuvm("exec-cuda", "--gpu", "soft,vram=64M", "./p", "control");
        assertEquals(1, control.status, "texels that the host does not expect");
    }

    @Test
    @Tag("long")
    void givenTexturesAndNoOptimization_whenProgramRuns_thenFetchesReadLinearMemory()
            throws Exception {
        compileTextures(anyClang(), "-G");

        Ended ended = gpuvm("exec-cuda", "--gpu", "soft,vram=64M", "./p").mustSucceed();
        assertEquals(List.of("failures=0"), ended.said);
    }

    @Test
    @Tag("long")
    void givenTexturesInSeveralSources_whenLinked_thenEachReadsItsOwn() throws Exception {
        String clang = anyClang().toString();
        Files.writeString(folder.resolve("textures.h"), SHARED_TEXTURES);
        Files.writeString(folder.resolve("main.cu"), TEXTURES_MAIN);
        Files.writeString(folder.resolve("other.cu"), TEXTURES_OTHER);
        gpuvm("cc", "--clang", clang, "-dc", "main.cu", "other.cu").mustSucceed();
        gpuvm("cc", "--clang", clang, "-rdc=true", "main.o", "other.o", "-o", "p").mustSucceed();

        Ended ended = gpuvm("exec-cuda", "--gpu", "soft,vram=64M", "./p").mustSucceed();
        assertEquals(List.of("1 2 3 0"), ended.said);
    }

    @Test
    void givenTextureOfTwoDimensions_whenCompiled_thenErrorNamesTheLimit() throws Exception {
        Files.writeString(
                folder.resolve("a.cu"),
                """
                texture<float, 2> t;
                __global__ void k(float *out) {
                  *out = tex2D(t, 1.0f, 2.0f);
                }
                """);

        Ended ended = gpuvm("cc", "--clang", anyClang().toString(), "-c", "a.cu");

        assertEquals(1, ended.status);
        assertTrue(
                ended.said.stream()
                        .anyMatch(line ->
                                line.startsWith("a.cu:3:10: error:")
                                        && line.contains(
                                                "textures of arrays, and those of several dimensions, are not supported")),
                () -> String.join("\n", ended.said));
    }

    private void compileTextures(Path clang, String... options) throws Exception {
        String source = ROOT.resolve("cuda/runtime/src/test/c/textures.cu").toString();
        List<String> words = new ArrayList<>(List.of("cc", "--clang", clang.toString()));
        words.addAll(List.of(options));
        words.addAll(List.of(source, "-o", "p"));
        gpuvm(words.toArray(String[]::new)).mustSucceed();
    }

    @Test
    void givenFailedAssertion_whenProgramRuns_thenMessageNamesThreadAndCallsReturnError()
            throws Exception {
        Files.writeString(
                folder.resolve("check.cu"),
                """
                #include <cassert>
                #include <cstdio>
                __global__ void check(int limit) {
                  assert(threadIdx.x < limit);
                }
                int main() {
                  check<<<dim3(1, 2), 40>>>(38);
                  cudaError_t first = cudaDeviceSynchronize();
                  void *memory;
                  std::printf("%d %d\\n", first, cudaMalloc(&memory, 4));
                }
                """);
        gpuvm("cc", "--clang", anyClang().toString(), "check.cu", "-o", "check").mustSucceed();

        Ended ended = gpuvm("exec-cuda", "--gpu", "soft,vram=64M,workers=1", "./check");

        assertEquals(
                List.of(
                        "check.cu:4: void check(int): block: [0,0,0], thread: [38,0,0] Assertion"
                                + " `threadIdx.x < limit` failed.",
                        "check.cu:4: void check(int): block: [0,0,0], thread: [39,0,0] Assertion"
                                + " `threadIdx.x < limit` failed.",
                        "710 710"),
                ended.said);
    }

    /// Program whose kernel fails: an argument selects the failure.
    private static final String FAULTS =
            """
            #include <cstdio>
            #include <cstdlib>
            __device__ int counter; __device__ void store(int *p) {
              *p = 1;
            }
            __global__ void fault(int *p, int kind) {
              if (blockIdx.y != 1 || threadIdx.x != 5) return;
              if (kind == 0)
                store(p);
              else if (kind == 1)
                __trap();
              else
                for (;;) atomicAdd(&counter, 1);
            }
            int main(int, char **words) {
              fault<<<dim3(1, 2), 32>>>((int *)16, std::atoi(words[1]));
              std::printf("%d\\n", cudaDeviceSynchronize());
            }
            """;

    @Test
    void givenLines_whenKernelFails_thenReportNamesKernelThreadAndLine() throws Exception {
        Files.writeString(folder.resolve("fault.cu"), FAULTS);
        gpuvm("cc", "--clang", anyClang().toString(), "-g", "fault.cu", "-o", "p").mustSucceed();
        String file = folder.resolve("fault.cu").toString();
        String kernel = ": kernel _Z5faultPii: block: [0,1,0], thread: [5,0,0] ";

        assertFault("0", file + ":4" + kernel + "write to address=0x10: ", 700);
        assertFault("1", file + ":11" + kernel + "ILLEGAL_INSTR_PARAM on ", 719);
        assertFault("2", file + ":13" + kernel + "work exceeds its time limit: ", 702);
    }

    private void assertFault(String kind, String report, int error) throws Exception {
        Ended ended = gpuvm("exec-cuda", "--gpu", "soft,vram=64M,watchdog=2", "./p", kind);

        assertEquals(2, ended.said.size(), ended.said::toString);
        assertTrue(ended.said.getFirst().startsWith(report), ended.said::toString);
        assertEquals(Integer.toString(error), ended.said.getLast());
    }

    /// Program that prints whether a launch without a stream waits for work of another thread.
    private static final String STREAMS =
            """
            #include <atomic>
            #include <cstdio>
            #include <thread>
            #include <unistd.h>
            static std::atomic<bool> isLaunched(false), isReleased(false);
            static void wait(void *) { while (!isReleased) usleep(1000); }
            __global__ void set(int *out) { *out = 1; }
            int main() {
              volatile int *flag;
              cudaHostAlloc((void **)&flag, sizeof(int), cudaHostAllocMapped);
              *flag = 0;
              std::thread other([] {
                cudaLaunchHostFunc(0, wait, nullptr);
                isLaunched = true;
                cudaStreamSynchronize(0);
              });
              while (!isLaunched) usleep(1000);
              set<<<1, 1>>>((int *)flag);
              for (int i = 0; i < 3000 && *flag == 0; i++) usleep(1000);
              std::puts(*flag != 0 ? "per-thread" : "legacy");
              isReleased = true;
              other.join();
              return cudaDeviceSynchronize();
            }
            """;

    @ParameterizedTest
    @ValueSource(ints = {16, 19, 22})
    void givenDefaultStream_whenThreadsLaunch_thenStreamsAreThoseOfOption(int version)
            throws Exception {
        String clang = clang(version).toString();
        Files.writeString(folder.resolve("streams.cu"), STREAMS);
        for (String stream : List.of("legacy", "per-thread")) {
            gpuvm("cc", "--clang", clang, "-default-stream", stream, "streams.cu", "-o", "p")
                    .mustSucceed();

            Ended ended = gpuvm("exec-cuda", "--gpu", "soft,vram=64M", "./p").mustSucceed();

            assertEquals(List.of(stream), ended.said);
        }
    }

    @Test
    void givenErrorsOnGpuOrHost_whenCompiled_thenStatusIsOneAndLineIsNamed() throws Exception {
        String clang = anyClang().toString();
        Files.writeString(
                folder.resolve("wrong.cu"), "__global__ void k() {\n  undeclared();\n}\n");

        Ended ended = gpuvm("cc", "--clang", clang, "-c", "wrong.cu");

        assertEquals(1, ended.status);
        assertTrue(ended.said.stream().anyMatch(line -> line.startsWith("wrong.cu:2:3: error:")));
        assertFalse(Files.exists(folder.resolve("wrong.o")));
    }

    @Test
    void givenDryRun_whenCalled_thenStepsArePrintedAndNothingIsMade() throws Exception {
        Files.writeString(folder.resolve("a.cu"), "__global__ void k() {}\n");

        Ended ended =
                gpuvm("cc", "--clang", anyClang().toString(), "-dryrun", "a.cu", "-o", "prog")
                        .mustSucceed();

        assertEquals(4, ended.said.stream().filter(line -> line.startsWith("#$ ")).count());
        assertFalse(Files.exists(folder.resolve("prog")));
    }

    @Test
    void givenNoClang_whenCalled_thenErrorSaysWhatToInstall() throws Exception {
        Ended ended =
                run(
                        Map.of("PATH", "/nowhere", "GPUVM_GUEST_CACHE", folder.toString()),
                        "cc",
                        "a.cu");

        assertEquals(MISSING, ended.status);
        assertEquals(
                List.of(
                        "gpuvm cc: no clang 16 or newer on $PATH or in "
                                + folder
                                + "; on Debian: apt-get install clang-19, or without root: tests/clang/setup"),
                ended.said);
    }
}
