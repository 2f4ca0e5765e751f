package io.gpuvm.bench.pv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.cli.Main;
import io.gpuvm.workloads.Workload;
import io.gpuvm.workloads.Workloads;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@Timeout(value = 3, unit = TimeUnit.MINUTES)
@Tag("commands")
class PvBenchTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "sort; workload=sort",
                "--size=0; size=0, expected 1 to",
                "--rounds=0; rounds=0, expected 1 to ",
                "--gpu=soft,speed=9; speed"
            })
    void givenInvalidArgument_whenRun_thenErrorNamesLimit(String argument, String message) {
        assertEquals(CommandLine.ExitCode.USAGE, execute(argument));

        assertTrue(err.toString().contains(message), err::toString);
    }

    @Test
    void givenListOfWorkloads_whenSizesAreLookedUp_thenEachWorkloadHasSize() {
        assertEquals(Workloads.all().stream().map(Workload::name).toList(), PaperSizes.names());
        PaperSizes.names().forEach(PaperSizes::of);
    }

    @Test
    void givenSmallSizes_whenRun_thenFiguresHaveBothConfigurationsAndRatio() throws IOException {
        Path file = folder.resolve("figures.json");

        assertEquals(
                0,
                execute(
                        "madd",
                        "nop",
                        "--size=10",
                        "--rounds=2",
                        "--warmups=0",
                        "--gpu=soft,vram=128M",
                        "--no-rings",
                        "--json=" + file),
                err::toString);

        JsonNode json = new ObjectMapper().readTree(file.toFile()).path("workloads");
        assertEquals("pv", json.at("/workloads/0/results/1/configuration").asText());
        assertTrue(json.at("/workloads/1/results/1/ratios/total/median").asDouble() > 0);
        assertTrue(json.at("/gpu/startUpNs/pv").asLong() > 0);
        assertTrue(out.toString().contains("start-up, pv: "), out::toString);
    }

    @Test
    void givenNoWorkloads_whenRun_thenRingsHaveFigures() throws IOException {
        Path file = folder.resolve("figures.json");

        assertEquals(
                0, execute("none", "--rounds=1", "--warmups=0", "--json=" + file), err::toString);

        JsonNode rings = new ObjectMapper().readTree(file.toFile()).path("rings");
        for (String figure :
                List.of("nopToPingPong", "nopsPerSecond", "mixedCommandsPerSecond", "gpuFenceNs")) {
            assertTrue(rings.at("/" + figure + "/median").asDouble() > 0, rings::toString);
        }
        assertEquals(7, out.toString().lines().count(), out::toString);
    }

    private int execute(String... arguments) {
        CommandLine commandLine = Main.configured(new CommandLine(new PvBench()));
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        return commandLine.execute(arguments);
    }
}
