package io.gpuvm.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.gpuvm.doctor.Finding;
import io.gpuvm.doctor.SlurmChecks;
import io.gpuvm.doctor.SlurmSite;
import io.gpuvm.doctor.Status;
import io.gpuvm.remote.link.Munge;
import io.gpuvm.remote.link.SealException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `gpuvm doctor slurm`: checks whether a node of a Slurm cluster can lend virtual GPUs.
@Command(
        name = "slurm",
        description = {
            "Report what this node of a Slurm cluster lacks to lend virtual GPUs to jobs.",
            "The report names a line or a command that repairs each missing point. Nothing is"
                    + " changed. Run it as root, because control sockets are private."
        },
        sortOptions = false,
        footer = {
            "",
            "Example:",
            "  gpuvm doctor slurm --node gpu1",
            "",
            "docs/cluster.md describes the configuration.",
            "Exit status: 0 the node is ready, 1 a point is missing, 2 wrong arguments."
        })
final class DoctorSlurmCommand implements Callable<Integer> {
    private static final String CONFIG = "/etc/slurm/slurm.conf";
    private static final int ROOT = 0;

    @Spec private CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "slurm.conf, with gres.conf and gpuvm.conf beside it. Default: the environment"
                            + " variable SLURM_CONF, else /etc/slurm/slurm.conf.")
    private Path config;

    @Option(
            names = "--node",
            paramLabel = "NAME",
            description =
                    "Name of the node in slurm.conf. Default: the name of this host, without its"
                            + " domain.")
    private String node;

    @Option(
            names = "--munge-socket",
            paramLabel = "PATH",
            description = "Socket of the MUNGE daemon. Default: that of libmunge.")
    private Path mungeSocket;

    @Override
    public Integer call() {
        SlurmSite site =
                new SlurmSite(
                        config != null
                                ? config
                                : Path.of(System.getenv().getOrDefault("SLURM_CONF", CONFIG)),
                        node != null ? node : hostName(),
                        ROOT,
                        DoctorSlurmCommand::answers,
                        this::mungeFailure);
        List<Finding> findings = SlurmChecks.of(site);
        long missing = findings.stream().filter(one -> one.status() == Status.MISSING).count();
        PrintWriter out = spec.commandLine().getOut();
        DoctorCommand.print(out, "node " + site.node(), findings);
        out.println(missing == 0 ? "ready" : "not ready, missing=" + missing);
        out.flush();
        return missing == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private static boolean answers(Path socket) {
        try {
            return ControlConnection.ask(
                            socket, JsonNodeFactory.instance.objectNode().put("request", "status"))
                    .path("ok")
                    .asBoolean();
        } catch (CommandFailedException _) {
            return false;
        }
    }

    /// Returns the reason for which MUNGE does not work: a credential of this process is opened
    /// again.
    private String mungeFailure() {
        try {
            Munge munge = Munge.load(mungeSocket);
            munge.open(munge.seal(new byte[0]));
            return null;
        } catch (IllegalArgumentException | SealException e) {
            return e.getMessage();
        }
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName().replaceFirst("\\..*", "");
        } catch (UnknownHostException _) {
            return "localhost";
        }
    }
}
