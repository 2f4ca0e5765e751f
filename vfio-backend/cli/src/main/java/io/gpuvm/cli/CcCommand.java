package io.gpuvm.cli;

import io.gpuvm.cuda.compiler.CcDriver;
import io.gpuvm.cuda.compiler.CcException;
import io.gpuvm.cuda.compiler.CcOption;
import io.gpuvm.cuda.compiler.Toolkit;
import io.gpuvm.guests.real.AtEnd;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.RunFolder;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Spec;

/// `gpuvm cc`: compiles programs in CUDA C++. Its options have the names and forms of `nvcc`, which
/// picocli cannot parse; picocli knows them for the help text only.
@Command(
        name = "cc",
        description = {
            "Compile programs in CUDA C++.",
            "The options have the names of NVIDIA's nvcc, so that builds can use this command"
                    + " instead: make NVCC=\"gpuvm cc\". docs/cc.md describes them."
        },
        sortOptions = false,
        preprocessor = CcCommand.AllArguments.class,
        footer = {
            "",
            "Examples:",
            "  gpuvm cc docs/examples/saxpy.cu -o saxpy && gpuvm exec-cuda ./saxpy",
            "",
            "Exit status: 0 compiled; 1 errors in a source; 2 wrong arguments; 3 clang or a library"
                    + " is missing."
        })
final class CcCommand implements Callable<Integer>, OwnModel {
    @Spec private CommandSpec spec;

    private final List<String> arguments = new ArrayList<>();

    /// Consumer of all arguments, options included, unless they ask for help.
    static final class AllArguments implements IParameterPreprocessor {
        @Override
        public boolean preprocess(
                Stack<String> words,
                CommandSpec command,
                ArgSpec argument,
                Map<String, Object> information) {
            if (words.contains(HelpOption.NAME) || words.contains("-h")) {
                return false;
            }
            List<String> all = ((CcCommand) command.userObject()).arguments;
            while (!words.isEmpty()) {
                all.add(words.pop());
            }
            return true;
        }
    }

    /// Adds the options to the help text.
    @Override
    public void describeIn(CommandSpec command) {
        for (CcOption option : CcOption.values()) {
            List<String> names = option.names();
            OptionSpec.Builder builder =
                    OptionSpec.builder(
                                    names.getFirst(),
                                    names.subList(1, names.size()).toArray(String[]::new))
                            .description(descriptionOf(option));
            if (option.form() != CcOption.Form.FLAG) {
                builder.arity("1").type(String.class).paramLabel(option.label());
            }
            command.addOption(builder.build());
        }
        command.usageMessage().customSynopsis(command.qualifiedName() + " [OPTION]... FILE...");
        command.addPositional(
                PositionalParamSpec.builder()
                        .paramLabel("FILE")
                        .arity("0..*")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .description(
                                "Sources (.cu, .c, .cpp, .cc, .cxx, .ptx), objects (.o) and"
                                        + " libraries (.a, .so).")
                        .build());
    }

    /// Returns the description with the default; options that select or add something have none.
    private static String descriptionOf(CcOption option) {
        boolean isComplete =
                option.form() == CcOption.Form.FLAG || option.description().contains("Default");
        return option.description() + (isComplete ? "" : " Default: none.");
    }

    @Override
    public Integer call() {
        GuestFiles files = GuestFiles.locate();
        PrintWriter err = spec.commandLine().getErr();
        RunFolder folder = new RunFolder(false);
        try (AtEnd _ = new AtEnd(folder::close)) {
            new CcDriver(
                            new Toolkit(files.root()),
                            files.cache(),
                            folder.path(),
                            System.getenv(),
                            spec.commandLine().getOut(),
                            err)
                    .run(arguments);
            return 0;
        } catch (CcException e) {
            if (e.getMessage() != null) {
                err.println("gpuvm cc: " + e.getMessage());
            }
            err.flush();
            return e.status();
        }
    }
}
