package io.gpuvm.cuda.compiler;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Command lines of clang for the steps of a call. Each has one step, since clang of
/// `tests/clang/setup` cannot start itself.
///
/// @param arguments the user's options
record ClangCommands(Clang clang, Toolkit toolkit, CcArguments arguments, Architecture gpu) {
    /// Version of CUDA whose registration of kernels the host's code uses, the newest that clang 16
    /// knows.
    private static final String SDK = "11.8";

    private static final String DEVICE_LEVEL = "-O3";

    /// Returns the command that compiles a source to PTX.
    List<String> device(Path source, Path ptx) {
        List<String> command = cuda(source, "--cuda-device-only");
        command.add(arguments.isDeviceDebug() ? "-O0" : DEVICE_LEVEL);
        if (arguments.hasLines()) {
            command.add("-gline-tables-only");
        }
        addArithmetic(command);
        arguments.words(CcOption.TO_COMPILER).stream()
                .filter(ClangCommands::isOfPreprocessor)
                .forEach(command::add);
        addOutput(command, "-S", source, ptx);
        return command;
    }

    private void addArithmetic(List<String> command) {
        boolean fast = arguments.has(CcOption.FAST_MATH);
        if (fast) {
            command.add("-fcuda-approx-transcendentals");
        }
        if (arguments.isTrue(CcOption.FLUSH, fast)) {
            command.add("-fcuda-flush-denormals-to-zero");
        }
        if (!arguments.isTrue(CcOption.PRECISE_DIVISION, !fast)) {
            command.addAll(List.of("-mllvm", "-nvptx-prec-divf32=0"));
        }
        if (!arguments.isTrue(CcOption.PRECISE_ROOT, !fast)) {
            command.addAll(List.of("-mllvm", "-nvptx-prec-sqrtf32=0"));
        }
        command.add(
                arguments.isTrue(CcOption.FUSE, true) ? "-ffp-contract=fast" : "-ffp-contract=off");
    }

    /// Returns whether an option for the host's compiler changes the text of a source.
    private static boolean isOfPreprocessor(String option) {
        return option.startsWith("-D") || option.startsWith("-U") || option.startsWith("-I");
    }

    /// Returns the command that compiles the host's code of a source to an object.
    ///
    /// @param fatbin code for the GPU; null if the source is not CUDA
    List<String> host(Path source, SourceKind kind, Path fatbin, Path object) {
        List<String> command =
                kind == SourceKind.CUDA ? cuda(source, "--cuda-host-only") : plain(kind);
        if (fatbin != null) {
            addToFrontEnd(command, "-target-sdk-version=" + SDK);
            addToFrontEnd(command, "-fcuda-include-gpubinary", fatbin.toString());
        }
        addHostOptions(command);
        addDependencies(command, source, object);
        addOutput(command, "-c", source, object);
        return command;
    }

    /// Returns the command that preprocesses a source, or prints its dependencies.
    ///
    /// @param output file, or null for the standard output
    List<String> preprocess(Path source, SourceKind kind, Phase phase, Path output) {
        List<String> command =
                kind == SourceKind.CUDA ? cuda(source, "--cuda-host-only") : plain(kind);
        addHostOptions(command);
        String option =
                switch (phase) {
                    case DEPENDENCIES -> "-M";
                    case OWN_DEPENDENCIES -> "-MM";
                    default -> "-E";
                };
        if (phase != Phase.PREPROCESSED) {
            addDependencyNames(command);
        }
        command.addAll(List.of(option, source.toString()));
        if (output != null) {
            command.addAll(List.of("-o", output.toString()));
        }
        return command;
    }

    /// Returns the command that compiles the C source that registers linked code for the GPU.
    List<String> registration(Path source, Path object) {
        List<String> command = new ArrayList<>(List.of(clang.program().toString(), "-x", "c"));
        command.addAll(List.of("-O2", "-fPIC"));
        addOutput(command, "-c", source, object);
        return command;
    }

    /// Returns the command that links a program or a shared library.
    ///
    /// @param files objects and libraries, in the user's order
    List<String> link(List<Path> files, Path output) {
        List<String> command = new ArrayList<>();
        command.addAll(List.of(clang.program().toString(), "--driver-mode=g++"));
        if (arguments.has(CcOption.SHARED)) {
            command.add("-shared");
        }
        addFlag(command, CcOption.DEBUG, "-g");
        addFlag(command, CcOption.PROFILE, "-pg");
        command.addAll(arguments.forwarded());
        command.addAll(arguments.words(CcOption.TO_COMPILER));
        files.forEach(file -> command.add(file.toString()));
        boolean hasRuntime = !arguments.last(CcOption.RUNTIME, "shared").equals("none");
        if (hasRuntime) {
            // Before the user's folders, which may contain NVIDIA's libraries of these names.
            command.add("-L" + toolkit.runtimeLibraries());
            command.add("-L" + toolkit.driverLibraries());
        }
        arguments.all(CcOption.LIBRARY_PATH).forEach(folder -> command.add("-L" + folder));
        arguments
                .words(CcOption.TO_LINKER)
                .forEach(word -> command.addAll(List.of("-Xlinker", word)));
        arguments.all(CcOption.LIBRARY).forEach(name -> addLibrary(command, name));
        if (hasRuntime) {
            // nvcc's static runtime brings these libraries of the system, too.
            command.addAll(List.of("-Xlinker", "--as-needed"));
            command.addAll(List.of("-lcudart", "-lpthread", "-ldl", "-lrt"));
        }
        command.addAll(List.of("-o", output.toString()));
        return command;
    }

    /// Adds a library. The runtime has no static form, and no part for the GPU.
    private static void addLibrary(List<String> command, String name) {
        switch (name) {
            case "cudadevrt" -> {}
            case "cudart_static" -> command.add("-lcudart");
            default -> command.add("-l" + name);
        }
    }

    private List<String> cuda(Path source, String side) {
        List<String> command = new ArrayList<>();
        command.addAll(List.of(clang.program().toString(), "-x", "cuda", side));
        command.addAll(List.of("--no-offload-new-driver", "-nocudainc", "-nocudalib"));
        command.add("--cuda-gpu-arch=" + gpu);
        command.add("-Wno-unknown-cuda-version");
        // A macro right behind a string, as in "%"PRIu64: nvcc and g++ warn, too.
        command.add("-Wno-error=reserved-user-defined-literal");
        // Names of static variables and kernels must be the same in both passes. clang's driver
        // passes a different identification to each, or none.
        command.add("-fuse-cuid=none");
        addToFrontEnd(command, "-cuid=" + unitOf(source));
        if (arguments.isRelocatable()) {
            command.add("-fgpu-rdc");
        }
        addSourceOptions(command);
        // After the user's folders, and after clang's wrappers of C++'s headers.
        command.addAll(List.of("-isystem", toolkit.headers().toString()));
        command.addAll(List.of("-include", "gpuvm_cuda.h"));
        return command;
    }

    /// Returns the identification of a source, which is the same in each build of a source.
    private static String unitOf(Path source) {
        byte[] path =
                source.toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8);
        return UUID.nameUUIDFromBytes(path).toString().replace("-", "");
    }

    private List<String> plain(SourceKind kind) {
        List<String> command = new ArrayList<>();
        String language = kind == SourceKind.C ? "c" : "c++";
        command.addAll(List.of(clang.program().toString(), "-x", language));
        addSourceOptions(command);
        command.addAll(List.of("-isystem", toolkit.headers().toString()));
        return command;
    }

    private void addSourceOptions(List<String> command) {
        addJoined(command, CcOption.INCLUDE_PATH, "-I");
        addPairs(command, CcOption.SYSTEM_INCLUDE, "-isystem");
        addJoined(command, CcOption.DEFINE, "-D");
        addJoined(command, CcOption.UNDEFINE, "-U");
        addPairs(command, CcOption.PRE_INCLUDE, "-include");
        if (arguments.has(CcOption.STANDARD)) {
            command.add("-std=" + arguments.last(CcOption.STANDARD, ""));
        }
        addFlag(command, CcOption.NO_WARNINGS, "-w");
        if (arguments.words(CcOption.WARNINGS_AS_ERRORS).contains("all-warnings")) {
            command.add("-Werror");
        }
    }

    private void addHostOptions(List<String> command) {
        if (arguments.has(CcOption.OPTIMIZE)) {
            command.add("-O" + arguments.last(CcOption.OPTIMIZE, ""));
        }
        addFlag(command, CcOption.DEBUG, "-g");
        addFlag(command, CcOption.PROFILE, "-pg");
        command.addAll(arguments.forwarded());
        command.addAll(arguments.words(CcOption.TO_COMPILER));
    }

    private void addDependencies(List<String> command, Path source, Path object) {
        boolean all = arguments.has(CcOption.WITH_DEPENDENCIES);
        if (!all && !arguments.has(CcOption.WITH_OWN_DEPENDENCIES)) {
            return;
        }
        command.add(all ? "-MD" : "-MMD");
        if (!arguments.has(CcOption.DEPENDENCY_FILE)) {
            Path result = arguments.output() == null ? object : arguments.output();
            command.addAll(List.of("-MF", Names.withEnd(result, ".d")));
        }
        if (!arguments.has(CcOption.DEPENDENCY_TARGET)) {
            Path result = arguments.output() == null ? object : arguments.output();
            command.addAll(List.of("-MT", result.toString()));
        }
        addDependencyNames(command);
    }

    private void addDependencyNames(List<String> command) {
        addFlag(command, CcOption.PHONY_DEPENDENCIES, "-MP");
        addPairs(command, CcOption.DEPENDENCY_FILE, "-MF");
        addPairs(command, CcOption.DEPENDENCY_TARGET, "-MT");
    }

    private void addFlag(List<String> command, CcOption option, String flag) {
        if (arguments.has(option)) {
            command.add(flag);
        }
    }

    private void addJoined(List<String> command, CcOption option, String flag) {
        arguments.all(option).forEach(value -> command.add(flag + value));
    }

    private void addPairs(List<String> command, CcOption option, String flag) {
        arguments.all(option).forEach(value -> command.addAll(List.of(flag, value)));
    }

    private static void addToFrontEnd(List<String> command, String... words) {
        for (String word : words) {
            command.addAll(List.of("-Xclang", word));
        }
    }

    private static void addOutput(List<String> command, String step, Path source, Path output) {
        command.addAll(List.of(step, source.toString(), "-o", output.toString()));
    }
}
