package io.gpuvm.guests.cuda;

import io.gpuvm.guests.real.AtEnd;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.OneLineErrors;
import io.gpuvm.guests.real.RunFolder;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gpuvm cuda`: runs a CUDA program on a GPU that a backend shares.
@Command(
        name = "cuda",
        sortOptions = false,
        description = {
            "Run a CUDA program on a shared GPU.",
            "The program loads gpuvm's libcuda.so.1 instead of NVIDIA's. docs/cuda.md describes the"
                    + " supported part of the CUDA driver API."
        },
        footer = {
            "",
            "Examples:",
            "  gpuvm cuda -- ./vectoradd",
            "  gpuvm cuda --socket /tmp/a.sock -- java -cp 'jars/*' Program",
            "",
            "The command sets LD_LIBRARY_PATH and GPUVM_CUDA for the program. Without --socket, it"
                    + " starts a backend, which ends with the program.",
            "Exit status: that of the program, or 128 plus the number of the signal that has"
                    + " terminated it; 1 the backend or the program did not start, 2 wrong"
                    + " arguments, 3 the library is not built."
        })
public final class CudaCommand implements OneLineErrors {
    private static final int SHOWN_LINES = 20;

    @Spec private CommandSpec spec;

    @Option(
            names = "--socket",
            paramLabel = "PATH",
            description =
                    "Socket of a backend (gpuvm serve --vm NAME,mode=cuda,socket=PATH). Default: a"
                            + " backend of its own.")
    private Path socket;

    @Option(
            names = "--gpu",
            paramLabel = "GPU",
            defaultValue = "soft",
            description =
                    "GPU of the command's own backend, as for 'gpuvm serve'. Default:"
                            + " ${DEFAULT-VALUE}.")
    private String gpu;

    @Parameters(
            arity = "1..*",
            paramLabel = "PROGRAM ARG",
            preprocessor = WholeCommand.class,
            description = "Program to run, with its arguments.")
    private final List<String> program = new ArrayList<>();

    /// Consumer of the program and all words after it, which are not options of this command.
    static final class WholeCommand implements IParameterPreprocessor {
        @Override
        public boolean preprocess(
                Stack<String> words,
                CommandSpec command,
                ArgSpec argument,
                Map<String, Object> information) {
            List<String> program = ((CudaCommand) command.userObject()).program;
            while (!words.isEmpty()) {
                program.add(words.pop());
            }
            return true;
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        CudaLibrary library = CudaLibrary.ofThisBuild();
        RunFolder folder = new RunFolder(false);
        Children children = new Children();
        try (AtEnd _ =
                new AtEnd(() -> {
                    children.close();
                    folder.close();
                })) {
            if (socket != null) {
                return run(library, socket, children);
            }
            CudaBackend backend = CudaBackend.start(gpu, folder, children);
            int status = run(library, backend.socket(), children);
            if (!backend.isRunning()) {
                PrintWriter err = spec.commandLine().getErr();
                err.println("gpuvm: the backend has ended; its log:");
                backend.log(SHOWN_LINES).forEach(err::println);
            }
            return status;
        }
    }

    private int run(CudaLibrary library, Path backend, Children children)
            throws InterruptedException {
        return children.startInherited(program, library.environment(backend, System.getenv()))
                .waitFor();
    }
}
