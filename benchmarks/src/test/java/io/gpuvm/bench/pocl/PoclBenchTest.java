package io.gpuvm.bench.pocl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.daemon.ConfigException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class PoclBenchTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "madd; workload=madd, expected one of mmul, fmmul, hotspot",
                "--size=0; size=0, expected 1 to 8192",
                "--size=5000; size=5000, expected 1 to 4096",
                "--rounds=0; --rounds 0: expected 1 to 10000",
                "--warmups=-1; --warmups -1: expected 0 to 10000",
                "--gpu=vfio:0000:01:00.0; expected soft[,KEY=VALUE]...",
                "--gpu=soft,speed=9; speed"
            })
    void givenWrongArgument_whenRun_thenErrorNamesLimit(String argument, String message) {
        assertEquals(CommandLine.ExitCode.USAGE, execute(argument));

        assertTrue(err.toString().contains(message), err::toString);
    }

    @Test
    void givenSmallSizes_whenRun_thenOneLinePerWorkloadIsPrinted() {
        PoclOrSkip.open().close();

        assertEquals(0, execute("--size=20", "--rounds=2", "--warmups=0", "--gpu=soft,vram=64M"));

        assertEquals(3, out.toString().lines().count(), out::toString);
    }

    @Test
    void givenJsonOption_whenRun_thenStandardOutputIsOnlyJson() throws JsonProcessingException {
        PoclOrSkip.open().close();

        assertEquals(0, execute("hotspot", "--size=20", "--rounds=2", "--warmups=0", "--json"));

        JsonNode workloads = new ObjectMapper().readTree(out.toString()).path("workloads");
        assertEquals(1, workloads.size());
        JsonNode workload = workloads.path(0);
        assertEquals("hotspot", workload.path("name").asText());
        assertEquals(2, workload.path("pocl").path("samplesNs").size());
    }

    private int execute(String... arguments) {
        return new CommandLine(new PoclBench())
                .setExecutionExceptionHandler((e, command, _) -> {
                    command.getErr().println(e.getMessage());
                    return e instanceof ConfigException || e instanceof IllegalArgumentException
                            ? CommandLine.ExitCode.USAGE
                            : CommandLine.ExitCode.SOFTWARE;
                })
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
