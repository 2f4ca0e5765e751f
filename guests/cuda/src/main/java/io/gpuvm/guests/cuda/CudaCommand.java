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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gpuvm exec-cuda`: runs a CUDA program on a GPU that a backend shares. `gpuvm cuda` is the same.
@Command(
        name = "exec-cuda",
        aliases = "cuda",
        sortOptions = false,
        description = {
            "Run a CUDA program on a shared GPU.",
            "The program loads gpuvm's libcuda.so.1 and libcudart.so instead of NVIDIA's."
                    + " docs/cuda.md describes the supported part of CUDA."
        },
        footer = {
            "",
            "Examples:",
            "  gpuvm exec-cuda ./vectoradd",
            "  gpuvm exec-cuda --socket /tmp/a.sock -- java -cp 'jars/*' Program",
            "",
            "The command sets LD_LIBRARY_PATH and GPUVM_CUDA for the program. It starts a backend,"
                    + " which ends with the program, unless --socket or the environment variable"
                    + " GPUVM_CUDA names one.",
            "SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1 and SIGUSR2 are passed to the program.",
            "Exit status: that of the program, or 128 plus the number of the signal that has"
                    + " terminated it; 1 the backend or the program did not start, 2 wrong"
                    + " arguments, 3 the library is not built."
        })
public final class CudaCommand implements OneLineErrors {
    private static final int SHOWN_LINES = 20;
    private static final String DEFAULT_GPU = "soft";

    @Spec private CommandSpec spec;

    @Option(
            names = "--socket",
            paramLabel = "PATH",
            description =
                    "Socket of a backend (gpuvm serve --vm NAME,mode=cuda,socket=PATH). Default: the"
                            + " one that GPUVM_CUDA names, else a backend of its own.")
    private Path socket;

    @Option(
            names = "--gpu",
            paramLabel = "GPU",
            description =
                    "GPU of a backend of its own, as for 'gpuvm serve', even if GPUVM_CUDA is set."
                            + " Default: soft.")
    private String gpu;

    @Option(
            names = "--command-limit",
            paramLabel = "SECONDS",
            description =
                    "Limit of the GPU time of one command on a backend of its own, in seconds, 1 to"
                            + " 3600, as for 'gpuvm serve'. Default: 10.")
    private String commandLimit;

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
        ProgramProcess process = ProgramProcess.ofThisProcess();
        PrintWriter err = spec.commandLine().getErr();
        SearchPathCheck.warnings(program.getFirst(), library, System.getenv())
                .forEach(warning -> err.println("gpuvm: warning: " + warning));
        err.flush();
        RunFolder folder = new RunFolder(false);
        Children children = new Children();
        try (AtEnd _ =
                new AtEnd(() -> {
                    children.close();
                    folder.close();
                })) {
            String inherited = System.getenv().getOrDefault(CudaLibrary.BACKEND, "");
            boolean isOwn = socket == null && (gpu != null || inherited.isEmpty());
            if (commandLimit != null && !isOwn) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--command-limit: the backend that %s names has its own limit"
                                .formatted(socket != null ? "--socket" : CudaLibrary.BACKEND));
            }
            if (socket != null) {
                process.run(program, library.environment(socket, System.getenv()));
                return 0;
            }
            if (!isOwn) {
                process.run(program, library.environment(inherited, System.getenv()));
                return 0;
            }
            CudaBackend backend =
                    CudaBackend.start(
                            gpu == null ? DEFAULT_GPU : gpu, commandLimit, folder, children);
            process.run(program, library.environment(backend.socket(), System.getenv()));
            if (!backend.isRunning()) {
                err.println("gpuvm: the backend has ended; its log:");
                backend.log(SHOWN_LINES).forEach(err::println);
            }
            return 0;
        }
    }
}
