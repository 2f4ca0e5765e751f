package io.gpuvm.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.record.RecordStats;
import io.gpuvm.record.Recording;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gpuvm record-stats`: prints the statistics of a recording.
@Command(
        name = "record-stats",
        description = "Print the statistics of a recording.",
        sortOptions = false)
final class RecordStatsCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "DIR",
            description = "Folder of the recording ('gpuvm serve --record').")
    private Path folder;

    @Option(names = "--json", description = "Output as one line of JSON instead of tables.")
    private boolean json;

    @Override
    public Integer call() throws JsonProcessingException {
        PrintWriter out = spec.commandLine().getOut();
        try (Recording recording = Recording.open(folder)) {
            RecordStats stats = RecordStats.of(recording);
            if (json) {
                out.println(new ObjectMapper().writeValueAsString(stats));
            } else {
                print(stats, out);
            }
        }
        out.flush();
        return 0;
    }

    private static void print(RecordStats stats, PrintWriter out) {
        out.printf(
                "level %s, %.1f s, records %d, lost %d%s%n",
                stats.level().name().toLowerCase(Locale.ROOT),
                stats.seconds(),
                stats.records(),
                stats.lost(),
                stats.complete() ? "" : ", incomplete: the backend crashed, or the disk was full");
        stats.vms().forEach(vm -> print(vm, out));
    }

    private static void print(RecordStats.Vm vm, PrintWriter out) {
        out.printf(
                "%n%s (%s, %d MiB VRAM): %.1f s, connections %d, messages %d, refused %d, lost %d%n",
                vm.name(),
                vm.mode(),
                vm.vramBytes() >> 20,
                vm.seconds(),
                vm.connections(),
                vm.messages(),
                vm.refused(),
                vm.lost());
        out.printf(
                "  doorbells %d, memory %d bytes (%d bytes beyond the limit not recorded),"
                        + " longest pause %.3f s at %.3f s%n",
                vm.doorbells(),
                vm.memoryBytes(),
                vm.memoryMissingBytes(),
                vm.longestGapSeconds(),
                vm.longestGapAtSeconds());
        if (vm.commands() != null) {
            out.printf(
                    "  commands: submitted %d, started %d, completed %d, GPU time %.6f s,"
                            + " longest wait %.6f s%n",
                    vm.commands().submitted(),
                    vm.commands().started(),
                    vm.commands().completed(),
                    vm.commands().gpuSeconds(),
                    vm.commands().longestWaitSeconds());
        }
        out.printf(
                "  %-8s%12s%12s%14s%14s%12s%n",
                "region", "reads", "writes", "read bytes", "written", "per second");
        vm.regions()
                .forEach((region, sum) ->
                        out.printf(
                                "  %-8s%12d%12d%14d%14d%12.0f%n",
                                region,
                                sum.reads(),
                                sum.writes(),
                                sum.readBytes(),
                                sum.writtenBytes(),
                                sum.perSecond()));
    }
}
