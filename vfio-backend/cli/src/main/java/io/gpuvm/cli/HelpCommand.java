package io.gpuvm.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gpuvm help`: lists all subcommands, or prints the same text as a subcommand's `--help`.
@Command(name = "help", description = "Print the help text of gpuvm or of a command.")
final class HelpCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "COMMAND",
            arity = "0..*",
            description = "Command, and its subcommand, if any. Default: gpuvm.")
    private List<String> names = List.of();

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        if (names.isEmpty()) {
            root.usage(root.getOut());
            return CommandLine.ExitCode.OK;
        }
        if (!root.getSubcommands().containsKey(names.getFirst())) {
            throw new CommandLine.UnmatchedArgumentException(root, List.of(names.getFirst()));
        }
        List<String> arguments = new ArrayList<>(names);
        arguments.add(HelpOption.NAME);
        return root.execute(arguments.toArray(String[]::new));
    }
}
