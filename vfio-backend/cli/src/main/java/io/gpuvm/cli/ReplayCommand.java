package io.gpuvm.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.daemon.ConfigException;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.record.Recording;
import io.gpuvm.replay.Pace;
import io.gpuvm.replay.Replay;
import io.gpuvm.replay.ReplayException;
import io.gpuvm.replay.ReplayResult;
import io.gpuvm.trap.client.RefusedException;
import io.gpuvm.trap.client.ServerGoneException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gpuvm replay`: replays a recorded guest as a client of any backend.
@Command(
        name = "replay",
        description = "Replay a recorded guest, and print the GPU's final state.",
        sortOptions = false,
        footer = {
            "",
            "Example:",
            "  gpuvm serve --record /tmp/probe \\",
            "      --vm vm0,mode=fv,map=none,vram=64M,socket=/tmp/vm0.sock",
            "  ... a guest boots and shuts down ...",
            "  gpuvm serve --vm vm0,mode=fv,vram=64M,socket=/tmp/vm0.sock",
            "  gpuvm replay /tmp/probe --socket /tmp/vm0.sock",
            "",
            "Exit status: 0 all awaited values appeared in time; 1 an awaited value did not"
                    + " appear in time; 2 wrong arguments, or the replay failed."
        })
final class ReplayCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "DIR",
            description = "Folder of the recording ('gpuvm serve --record').")
    private Path folder;

    @Option(
            names = "--vm",
            paramLabel = "NAME",
            description =
                    "Name of the recorded virtual machine. Default: the only virtual machine.")
    private String vm;

    @Option(
            names = "--socket",
            required = true,
            paramLabel = "PATH",
            description = "Socket of a backend whose GPU has as much VRAM as the recorded GPU.")
    private Path socket;

    @Option(
            names = "--pace",
            paramLabel = "PACE",
            defaultValue = "full",
            description =
                    "Speed: full (as fast as possible), recorded, or a factor of the recorded speed"
                            + " (0.5 is half). Default: ${DEFAULT-VALUE}.")
    private String pace;

    @Option(names = "--json", description = "Output as one line of JSON.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException, JsonProcessingException {
        PrintWriter out = spec.commandLine().getOut();
        ReplayResult result = replay(spec.commandLine().getErr());
        if (json) {
            out.println(new ObjectMapper().writeValueAsString(result));
        } else {
            print(result, out);
        }
        out.flush();
        return result.unmet() == 0 ? 0 : 1;
    }

    private ReplayResult replay(PrintWriter err) throws InterruptedException {
        try (Recording recording = Recording.open(folder)) {
            return Replay.run(
                    recording,
                    vm,
                    socket,
                    Pace.parse(pace),
                    percent -> {
                        err.printf("replayed %d %%%n", percent);
                        err.flush();
                    });
        } catch (ReplayException | IllegalArgumentException | LinuxException e) {
            throw new ConfigException(e.getMessage(), e);
        } catch (ServerGoneException | RefusedException e) {
            throw new ConfigException("%s: %s".formatted(socket, e.getMessage()), e);
        }
    }

    private static void print(ReplayResult result, PrintWriter out) {
        out.printf(
                "%s: messages %d in %.1f s (recorded: %.1f s), polls %d, repetitions %d, unmet %d,"
                        + " other differences %d%n",
                result.vm(),
                result.messages(),
                result.seconds(),
                result.recordedSeconds(),
                result.polls(),
                result.repetitions(),
                result.unmet(),
                result.differences());
        result.different().forEach(line -> out.println("  " + line));
        out.printf(
                "registers %d: %s%nVRAM %d MiB, %d pages in use: %s%n",
                result.endState().registers(),
                result.endState().registersSha256(),
                result.endState().vramBytes() >> 20,
                result.endState().pagesInUse(),
                result.endState().vramSha256());
    }
}
