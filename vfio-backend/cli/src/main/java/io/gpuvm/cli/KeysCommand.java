package io.gpuvm.cli;

import io.gpuvm.remote.keys.KeyFolder;
import io.gpuvm.remote.keys.KeyFolderException;
import io.gpuvm.remote.link.Credentials;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gpuvm keys`: manages the certificates of a backend and of its virtual machines.
@Command(
        name = "keys",
        description = {
            "Manage the certificates of sessions over the network.",
            "docs/remote.md describes the files."
        },
        sortOptions = false,
        synopsisSubcommandLabel = "init|add|renew|revoke|list",
        footer = {
            "",
            "Example:",
            "  gpuvm keys init keys --host gpu.example",
            "  gpuvm keys add keys vm0",
            "",
            "Exit status: 0 done; 1 the folder cannot be read or changed as requested; 2 wrong"
                    + " arguments."
        })
final class KeysCommand implements Runnable {
    private static final String DEFAULT_DAYS = "397";
    private static final int MOST_DAYS = 3652;

    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Missing request, expected one of init, add, renew, revoke, list");
    }

    @Command(
            name = "init",
            sortOptions = false,
            description = "Create an authority, and the certificate of a backend.")
    int init(
            @Parameters(paramLabel = "DIR", description = "Folder to create.") Path folder,
            @Option(
                            names = "--host",
                            required = true,
                            paramLabel = "HOST",
                            description =
                                    "Name or numeric address by which agents connect to the"
                                            + " backend (repeatable).")
                    List<String> hosts,
            @Option(
                            names = "--days",
                            paramLabel = "N",
                            defaultValue = DEFAULT_DAYS,
                            description =
                                    "Lifetime of the backend's certificate in days, 1 to 3652."
                                            + " Default: 397.")
                    int days) {
        Duration lifetime = lifetime(days);
        attempt(() -> keys(folder).init(hosts, lifetime));
        print("backend: %s".formatted(folder.resolve(KeyFolder.SERVER)));
        return CommandLine.ExitCode.OK;
    }

    @Command(
            name = "add",
            sortOptions = false,
            description = "Create the certificate of a virtual machine.")
    int add(
            @Parameters(paramLabel = "DIR", description = "Folder of the authority.") Path folder,
            @Parameters(paramLabel = "VM", description = "Name of the virtual machine.") String vm,
            @Option(
                            names = "--days",
                            paramLabel = "N",
                            defaultValue = DEFAULT_DAYS,
                            description = "Lifetime in days, 1 to 3652. Default: 397.")
                    int days) {
        Duration lifetime = lifetime(days);
        attempt(() -> print("%s: %s".formatted(vm, keys(folder).add(vm, lifetime))));
        return CommandLine.ExitCode.OK;
    }

    @Command(
            name = "renew",
            sortOptions = false,
            description =
                    "Create another certificate and private key of a virtual machine or of the"
                            + " backend. The former certificate stays valid.")
    int renew(
            @Parameters(paramLabel = "DIR", description = "Folder of the authority.") Path folder,
            @Parameters(
                            paramLabel = "NAME",
                            description = "Name of the virtual machine, or 'server'.")
                    String name,
            @Option(
                            names = "--days",
                            paramLabel = "N",
                            defaultValue = DEFAULT_DAYS,
                            description = "Lifetime in days, 1 to 3652. Default: 397.")
                    int days) {
        Duration lifetime = lifetime(days);
        attempt(() -> print("%s: %s".formatted(name, keys(folder).renew(name, lifetime))));
        return CommandLine.ExitCode.OK;
    }

    @Command(
            name = "revoke",
            description = "Revoke all certificates of a virtual machine or of the backend.")
    int revoke(
            @Parameters(paramLabel = "DIR", description = "Folder of the authority.") Path folder,
            @Parameters(
                            paramLabel = "NAME",
                            description = "Name of the virtual machine, or 'server'.")
                    String name) {
        attempt(() ->
                print(
                        "%s: revoked=%d, list: %s"
                                .formatted(
                                        name,
                                        keys(folder).revoke(name),
                                        folder.resolve(Credentials.REVOKED))));
        return CommandLine.ExitCode.OK;
    }

    @Command(name = "list", description = "Print all certificates with their lifetimes.")
    int list(
            @Parameters(paramLabel = "DIR", description = "Folder of the authority.") Path folder) {
        attempt(() -> {
            for (KeyFolder.Entry entry : keys(folder).entries()) {
                print(
                        "%-32s %-8s %s %s"
                                .formatted(
                                        entry.name(),
                                        entry.validity(),
                                        entry.until(),
                                        entry.serial().toString(16)));
            }
        });
        return CommandLine.ExitCode.OK;
    }

    private Duration lifetime(int days) {
        if (days < 1 || days > MOST_DAYS) {
            throw new ParameterException(
                    spec.commandLine(), "--days=%d, expected 1 to %d".formatted(days, MOST_DAYS));
        }
        return Duration.ofDays(days);
    }

    private void print(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }

    private static KeyFolder keys(Path folder) {
        return new KeyFolder(folder, Clock.systemUTC());
    }

    private static void attempt(Runnable change) {
        try {
            change.run();
        } catch (KeyFolderException e) {
            throw new CommandFailedException(e.getMessage(), e);
        }
    }
}
