package io.gpuvm.guests.cuda;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/// CUDA program that checks its results.
///
/// @param name name on the command line
/// @param part argument of `tests/cuda-clients/setup` that prepares the client
/// @param required whether the run fails if the client cannot be prepared
/// @param effects kinds of calls without whose effects the client's check must fail
/// @param version returns the version of the library that the client uses
/// @param command returns the command line
record CudaClient(
        String name,
        String part,
        boolean required,
        Set<Effect> effects,
        Function<ClientFiles, String> version,
        Function<ClientFiles, List<String>> command) {
    private static final Set<Effect> ALL_EFFECTS = EnumSet.allOf(Effect.class);

    /// Part with the programs in C.
    static final String C = "c";

    /// Versions of JCuda whose binding of the driver API is tested.
    private static final List<String> DRIVER_VERSIONS = List.of("0.8.0", "10.2.0", "12.6.0");

    /// Versions of JCuda whose binding of the runtime API is tested, with the versions of NVIDIA's
    /// runtime in them.
    private static final List<RuntimeVersion> RUNTIME_VERSIONS =
            List.of(
                    new RuntimeVersion("0.8.0", "8.0"),
                    new RuntimeVersion("0.9.2", "9.2"),
                    new RuntimeVersion("10.2.0", "10.2"),
                    new RuntimeVersion("11.1.1", "11.1"));

    private record RuntimeVersion(String jcuda, String cuda) {}

    CudaClient {
        effects = Set.copyOf(effects);
    }

    /// Returns all clients, in the order of their runs.
    static List<CudaClient> all() {
        return Stream.of(
                        programsInC(),
                        DRIVER_VERSIONS.stream().map(CudaClient::jcudaDriver),
                        RUNTIME_VERSIONS.stream().map(CudaClient::jcudaRuntime),
                        Stream.of(
                                lwjgl(), python("numba", true), ffmpeg(), python("pycuda", false)))
                .flatMap(each -> each)
                .toList();
    }

    private static Stream<CudaClient> programsInC() {
        Set<Effect> effects = EnumSet.of(Effect.LAUNCHES, Effect.COPIES);
        return Stream.of(
                inC("c-vectoradd", effects, "vectoradd"),
                inC("c-mmul", effects, "workloads", "mmul=256"),
                inC("c-lud", effects, "workloads", "lud=256"),
                inC("c-cpy", EnumSet.of(Effect.COPIES), "workloads", "cpy=16777216"));
    }

    private static CudaClient inC(
            String name, Set<Effect> effects, String program, String... arguments) {
        return new CudaClient(
                name,
                C,
                true,
                effects,
                _ -> "-",
                files -> {
                    List<String> command = new ArrayList<>();
                    command.add(files.built(C).resolve(program).toString());
                    command.add(files.kernels().toString());
                    command.addAll(Arrays.asList(arguments));
                    return command;
                });
    }

    private static CudaClient jcudaDriver(String version) {
        return inJava("jcuda-driver-" + version, "jcuda-" + version, version, "JCudaDriverClient");
    }

    private static CudaClient jcudaRuntime(RuntimeVersion version) {
        return inJava(
                "jcuda-runtime-" + version.jcuda,
                "jcuda-" + version.jcuda,
                "%s, CUDA %s".formatted(version.jcuda, version.cuda),
                "JCudaRuntimeClient");
    }

    private static CudaClient lwjgl() {
        String version = "3.3.6";
        return inJava("lwjgl-" + version, "lwjgl-" + version, version, "LwjglClient");
    }

    private static CudaClient inJava(String name, String part, String version, String main) {
        return new CudaClient(
                name,
                part,
                true,
                ALL_EFFECTS,
                _ -> version,
                files ->
                        List.of(
                                System.getProperty("java.home") + "/bin/java",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-Djava.io.tmpdir=" + files.temporary(),
                                "-cp",
                                files.built(part) + "/*",
                                main));
    }

    private static CudaClient python(String name, boolean required) {
        return new CudaClient(
                name,
                name,
                required,
                ALL_EFFECTS,
                files -> files.version(name),
                files ->
                        List.of(
                                files.downloaded(name).resolve("python3").toString(),
                                files.sources()
                                        .resolve("programs/python/%s_client.py".formatted(name))
                                        .toString(),
                                files.cubin().toString()));
    }

    private static CudaClient ffmpeg() {
        String name = "ffmpeg";
        return new CudaClient(
                name,
                name,
                true,
                EnumSet.of(Effect.COPIES),
                files -> files.version(name),
                files ->
                        List.of(
                                files.sources().resolve("programs/ffmpeg/compare").toString(),
                                files.downloaded(name).resolve(name).toString()));
    }
}
