package io.gpuvm.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.AutoComplete;
import picocli.CommandLine;

/// Writes the manual pages and the completion script of an installation, from the models of its
/// commands. Packages contain them; see `packaging/package`.
final class ManualMain {
    private ManualMain() {}

    /// @param args folder of the files, and the date of the build, for instance 2026-01-31
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        CommandLine commands = Main.commandLine(CommandTable.installed(), () -> HelpWidth.LEAST);
        Path pages = Files.createDirectories(folder.resolve("man/man" + ManualPage.SECTION));
        for (ManualPage page : ManualPage.of(commands, Main.VERSION, args[1])) {
            Files.writeString(pages.resolve(page.fileName()), page.text());
        }
        Path completions = Files.createDirectories(folder.resolve("bash-completion/completions"));
        Files.writeString(completions.resolve("gpuvm"), AutoComplete.bash("gpuvm", commands));
    }
}
