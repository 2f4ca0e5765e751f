package io.gpuvm.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.daemon.ConfigException;
import io.gpuvm.daemon.VmConfig;
import io.gpuvm.doctor.Doctor;
import io.gpuvm.doctor.Examination;
import io.gpuvm.doctor.Finding;
import io.gpuvm.doctor.Host;
import io.gpuvm.vfio.PciAddress;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gpuvm doctor`: checks whether this host can own a card.
@Command(
        name = "doctor",
        description = {
            "Report what this host lacks to give a card to gpuvm.",
            "The report names a command that repairs each missing point. Nothing is changed;"
                    + " root is not required."
        },
        subcommands = DoctorSlurmCommand.class,
        sortOptions = false,
        footer = {
            "",
            "Each point is a line with its status - ok, missing (required), unknown (not"
                    + " visible to this user) or note (optional) - and the finding, followed by a line"
                    + " with the repair.",
            "",
            "Examples:",
            "  gpuvm doctor",
            "  gpuvm doctor 0000:01:00.0",
            "  gpuvm doctor slurm",
            "",
            "Exit status: 0 the host is ready, 1 a point is missing, 2 wrong arguments."
        })
final class DoctorCommand implements Callable<Integer> {
    private static final String LINE = "  %-8s %-16s %s%n";
    private static final String FIX = "  %-8s %-16s fix: %s%n";

    @Spec private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "ADDRESS",
            converter = CardAddress.class,
            description = "PCI address of the card, as 'lspci -D' prints it. Default: every GPU.")
    private PciAddress address;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Additional file for the report as JSON. Default: none.")
    private Path json;

    @Override
    public Integer call() {
        try (ResultFile file = json == null ? null : ResultFile.create(json)) {
            Examination examination = examine();
            print(examination);
            if (file != null) {
                String text = toJson(examination).toPrettyString() + "\n";
                file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
                file.publish();
            }
            return examination.isUsable() ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }

    private Examination examine() {
        try {
            return address == null
                    ? Doctor.examine(Host.here(), VmConfig.USUAL_ARENA_BYTES)
                    : Doctor.examine(Host.here(), VmConfig.USUAL_ARENA_BYTES, address);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage(), e);
        }
    }

    private void print(Examination examination) {
        PrintWriter out = spec.commandLine().getOut();
        print(out, "this host", examination.host());
        examination
                .cards()
                .forEach((card, findings) -> {
                    print(out, "card " + card, findings);
                    out.println(verdict(examination, card));
                });
        if (examination.cards().isEmpty()) {
            out.println("no NVIDIA GPU");
        }
        if (address == null) {
            out.println("without a card: ./gpuvm demo, and --gpu soft for every command");
        }
        out.flush();
    }

    static void print(PrintWriter out, String subject, List<Finding> findings) {
        out.println(subject);
        for (Finding finding : findings) {
            out.printf(LINE, nameOf(finding), finding.point(), finding.found());
            if (!finding.fix().isEmpty()) {
                out.printf(FIX, "", "", finding.fix());
            }
        }
    }

    private static String verdict(Examination examination, PciAddress card) {
        long missing = examination.missing(card);
        return missing == 0
                ? "can work: gpuvm serve --gpu vfio:%s".formatted(card)
                : "cannot work yet, missing=%d: gpuvm serve --gpu vfio:%s".formatted(missing, card);
    }

    private static ObjectNode toJson(Examination examination) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("usable", examination.isUsable());
        add(json.putArray("host"), examination.host());
        ArrayNode cards = json.putArray("cards");
        examination
                .cards()
                .forEach((address, findings) -> {
                    ObjectNode card = cards.addObject();
                    card.put("address", address.toString());
                    card.put("usable", examination.isUsable(address));
                    add(card.putArray("findings"), findings);
                });
        return json;
    }

    private static void add(ArrayNode array, List<Finding> findings) {
        for (Finding finding : findings) {
            ObjectNode json = array.addObject();
            json.put("status", nameOf(finding));
            json.put("point", finding.point());
            json.put("found", finding.found());
            json.put("fix", finding.fix());
        }
    }

    private static String nameOf(Finding finding) {
        return finding.status().name().toLowerCase(Locale.ROOT);
    }
}
