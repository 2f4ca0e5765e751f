package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.daemon.ConnectService;
import io.gpuvm.remote.link.Credentials;
import io.gpuvm.remote.link.LinkAddress;
import io.gpuvm.remote.link.LinkDialer;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gpuvm connect`: offers programs on this host the GPU of a backend on another host.
@Command(
        name = "connect",
        sortOptions = false,
        description = {
            "Offer programs the GPU of a backend on another host.",
            "The command runs on the programs' host or in their virtual machine, until interrupted. It"
                    + " listens at a socket like that of a backend, to which programs connect as usual."
        },
        footer = {
            "",
            "Examples:",
            "  gpuvm connect gpu.example.org:7654 --tls alice --socket /tmp/gpu.sock",
            "  GPUVM_CUDA=unix:/tmp/gpu.sock LD_LIBRARY_PATH=FOLDER-OF-LIBCUDA PROGRAM",
            "  gpuvm exec-cuda --socket /tmp/gpu.sock PROGRAM",
            "  gpuvm connect gpu1:7070 --tls DIR --munge --vm job-42 --socket /tmp/gpu.sock",
            "",
            "The line 'ready' on standard output means that the socket accepts programs. The name in"
                    + " the certificate, or --vm, is that of the virtual machine whose GPU the programs"
                    + " use.",
            "docs/remote.md describes keys, limits and what happens when connections break.",
            "Exit status: 1 internal error, 2 wrong arguments, 130 and 143 after a normal shutdown"
                    + " by SIGINT (Ctrl-C) and SIGTERM."
        })
final class ConnectCommand implements Callable<Integer> {
    /// Deadline for the shutdown, longer than that of the service.
    private static final int STOP_LIMIT_SECONDS = 12;

    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "HOST:PORT",
            description =
                    "Address of 'gpuvm serve --listen'. tcp:127.0.0.1:PORT for a backend on this host"
                            + " without TLS.")
    private String address;

    @Option(
            names = "--socket",
            required = true,
            paramLabel = "PATH",
            description = "Socket for programs.")
    private Path socket;

    @Option(
            names = "--vm",
            paramLabel = "NAME",
            description =
                    "Name of the virtual machine, with --munge or without TLS only. Default: the name"
                            + " in the certificate.")
    private String name;

    @Mixin private NetworkOptions network;

    @Override
    public Integer call() throws InterruptedException {
        LinkAddress to = NetworkOptions.address("HOST:PORT", address);
        Shutdown shutdown = new Shutdown(STOP_LIMIT_SECONDS);
        try (LinkDialer dialer = dialerTo(to);
                ConnectService _ =
                        ConnectService.start(
                                socket, dialer, to.tls(), network.grace(), shutdown::fail)) {
            shutdown.onSignals();
            PrintWriter out = spec.commandLine().getOut();
            out.println("ready");
            out.flush();
            shutdown.await();
        } finally {
            shutdown.complete();
        }
        return shutdown.hasFailed() ? ExitCode.SOFTWARE : ExitCode.OK;
    }

    private LinkDialer dialerTo(LinkAddress to) {
        if (to.tls() == (network.certificates() == null)) {
            throw new ConfigException(
                    to.tls()
                            ? "%s requires --tls DIR".formatted(to)
                            : "--tls: %s has no TLS".formatted(to));
        }
        boolean needsName = !to.tls() || network.usesMunge();
        if (needsName == (name == null)) {
            throw new ConfigException(
                    needsName
                            ? "%s requires --vm NAME".formatted(to.tls() ? "--munge" : to)
                            : "--vm: the certificate names the virtual machine");
        }
        if (!to.tls() && network.usesMunge()) {
            throw new ConfigException("--munge: %s has no TLS".formatted(to));
        }
        try {
            if (network.usesMunge()) {
                Credentials authority = Credentials.readAuthority(network.certificates());
                return LinkDialer.withSeal(to, authority, name, network.seal());
            }
            return to.tls()
                    ? LinkDialer.withTls(to, Credentials.read(network.certificates()))
                    : LinkDialer.plain(to, name);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage(), e);
        }
    }
}
