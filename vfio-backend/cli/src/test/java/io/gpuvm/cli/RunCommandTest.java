package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.softgpu.SoftGpuConfig;
import io.gpuvm.workloads.Workload;
import io.gpuvm.workloads.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of `gpuvm run`, as called by users.
class RunCommandTest {
    private static final String GPU = "--gpu=soft,vram=64M";

    private final Shell shell = new Shell();
    @TempDir private Path folder;

    static Stream<String> names() {
        return Workloads.all().stream().map(Workload::name);
    }

    @ParameterizedTest
    @MethodSource("names")
    void givenWorkload_whenRunWithMinimumSize_thenResultIsVerifiedAndPhasesArePrinted(String name) {
        int least = Workloads.named(name).size().least();

        assertEquals(0, shell.run("run", name, "--size", least, GPU), shell::err);

        List<String> lines = shell.out().lines().toList();
        assertTrue(
                lines.getFirst().matches(name + ", size " + least + ": verified \\(in .* .?s\\)"),
                shell::out);
        assertTrue(lines.get(1).matches("  initialize +[0-9.]+ .?s"), shell::out);
        assertTrue(lines.getLast().matches("  close +[0-9.]+ .?s"), shell::out);
    }

    @Test
    void givenTwoWorkloads_whenRun_thenEachWorkloadIsAnnouncedAndHasFigures() {
        assertEquals(0, shell.run("run", "madd", "cpy", "--size=48", GPU), shell::err);

        assertEquals("madd, size 48 ...\ncpy, size 48 ...\n", shell.err());
        assertTrue(shell.out().contains("\ncpy, size 48: verified"), shell::out);
        assertTrue(shell.out().contains("op/s"), shell::out);
        assertTrue(shell.out().contains("B/s"), shell::out);
    }

    @Test
    void givenSizeOfOneWorkload_whenRun_thenOtherWorkloadHasCommonSize() {
        assertEquals(0, shell.run("run", "cpy=2K", "madd", "--size=7", GPU), shell::err);

        assertEquals("cpy, size 2048 ...\nmadd, size 7 ...\n", shell.err());
    }

    @Test
    void givenRoundsAndJson_whenRun_thenTableIsPrintedAndFileHasSameFigures() throws IOException {
        Path file = folder.resolve("figures.json");

        assertEquals(
                0,
                shell.run("run", "madd", "--size=17", "--repeat=3", "--json", file, GPU),
                shell::err);

        assertTrue(shell.out().startsWith("workload"), shell::out);
        assertTrue(shell.out().contains("\nmadd "), shell::out);
        assertTrue(shell.err().endsWith("round 3 of 3\n"), shell::err);
        JsonNode json = new ObjectMapper().readTree(file.toFile());
        assertEquals(3, json.path("rounds").asInt());
        assertEquals("native", json.at("/configurations/0/name").asText());
        assertEquals("madd", json.at("/workloads/0/name").asText());
        assertEquals(17, json.at("/workloads/0/size").asInt());
        assertTrue(json.at("/workloads/0/results/0/phases/launch/medianNs").asLong() > 0);
    }

    @Test
    void givenOneRunAndJson_whenRun_thenFileContainsResult() throws IOException {
        Path file = folder.resolve("figures.json");

        assertEquals(0, shell.run("run", "nop", "--size=5", "--json", file, GPU), shell::err);

        JsonNode json = new ObjectMapper().readTree(file.toFile());
        assertEquals(1, json.path("rounds").asInt());
        assertEquals(5, json.at("/workloads/0/work/launches").asInt());
        assertEquals(5, json.at("/gpu/counters/COMPUTE_LAUNCHES").asInt());
        assertTrue(json.at("/gpu/startUp/ns").asLong() > 0);
        assertTrue(json.at("/gpu/startUp/processNs").asLong() > 0);
        long instructions = json.at("/gpu/counters/WARP_INSTRUCTIONS").asLong();
        assertEquals(
                instructions,
                json.at("/gpu/counters/INTERPRETED_INSTRUCTIONS").asLong()
                        + json.at("/gpu/counters/COMPILED_INSTRUCTIONS").asLong());
        assertTrue(json.at("/gpu/handedOver").isObject());
    }

    @Test
    void givenEngineOption_whenRun_thenExecutionModeIsUsed() throws IOException {
        Path file = folder.resolve("figures.json");

        assertEquals(0, run("compiled", file), shell::err);
        JsonNode compiled = new ObjectMapper().readTree(file.toFile()).path("gpu");
        assertEquals(0, run("interpreter", file), shell::err);
        JsonNode interpreted = new ObjectMapper().readTree(file.toFile()).path("gpu");

        assertEquals(1, compiled.at("/counters/KERNELS_COMPILED").asInt(), compiled::toString);
        assertEquals(0, compiled.at("/counters/KERNELS_LEFT_OUT").asInt(), compiled::toString);
        assertTrue(
                compiled.at("/counters/COMPILED_INSTRUCTIONS").asLong()
                        > compiled.at("/counters/INTERPRETED_INSTRUCTIONS").asLong(),
                compiled::toString);
        assertEquals(0, interpreted.at("/counters/KERNELS_COMPILED").asInt());
        assertEquals(0, interpreted.at("/counters/COMPILED_INSTRUCTIONS").asLong());
    }

    private int run(String engine, Path figures) {
        return shell.run("run", "mmul", "--size=40", "--json", figures, GPU, "--engine", engine);
    }

    @Test
    void givenListOption_whenRun_thenEveryWorkloadIsListedWithSizes() {
        assertEquals(0, shell.run("run", "--list"), shell::err);

        names().forEach(name -> assertTrue(shell.out().contains(name + " "), shell::out));
        assertTrue(shell.out().contains("size: rows and columns"), shell::out);
        assertEquals(2 * Workloads.all().size(), shell.out().lines().count());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--native | WORKLOAD | --list",
                "sort | workload=sort | madd",
                "madd --pv-batch=off | --pv-batch | expected --socket or --pci",
                "madd=0 | madd: size=0 | expected 1 to",
                "madd=many | madd=many | WORKLOAD=SIZE",
                "cpy=4G | cpy=4G | 2147483647",
                "madd --size=0 | madd: size=0 | expected 1 to",
                "all --size=0 | size=0 | expected 1 to",
                "madd --repeat=0 | --repeat 0 | 1 to 10000",
                "madd --size=many | --size | many",
                "madd --json=/nowhere/x | /nowhere/x | no such",
                "madd --gpu=soft,workers=0 | workers=0 | expected 1 to",
                "madd --engine=fast | engine=fast | one of interpreter, compiled, tiered",
                "madd --engine=tiered --gpu=soft,engine=compiled | --engine tiered | expected compiled",
                "madd --gpu=vfio:fffe:ff:1f.7 | --gpu: | gpuvm doctor",
                "madd --socket=/nowhere/x | --socket /nowhere/x | ENOENT",
                "madd --socket=/nowhere/x --gpu=soft | --gpu | not valid with --socket",
                "madd --socket=/nowhere/x --engine=tiered | --engine | not valid with --socket",
                "madd --socket=/nowhere/x --native | --native | not valid with --socket",
                "--pci madd --gpu=soft | --gpu | not valid with --pci",
                "--pci madd --socket=/nowhere/x | --pci | not valid with --socket",
                "--nouveau madd --socket=/nowhere/x | --nouveau | not valid with --socket",
                "--nouveau madd --pci | --nouveau | not valid with --pci",
                "--nouveau madd --gpu=soft | --gpu | not valid with --nouveau",
                "--nouveau=/nowhere/x madd | --nouveau | ENOENT",
                "--nouveau /nowhere/x madd | --nouveau | ENOENT",
                "--nouveau=/dev/null madd | --nouveau | name of the DRM driver",
                "--pci 0000:ff:1f.7 madd | 0000:ff:1f.7 | 7067:766d",
                "madd --pci=../../x | ../../x | 7067:766d",
            })
    void givenInvalidArguments_whenRun_thenStatusIs2AndErrorNamesValueAndLimit(
            String arguments, String value, String limit) {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(Arrays.asList(arguments.split(" ")));

        assertEquals(2, shell.run(words.toArray()), shell::err);
        assertTrue(shell.err().startsWith("gpuvm: "), shell::err);
        assertTrue(shell.err().contains(value), shell::err);
        assertTrue(shell.err().contains(limit), shell::err);
        assertEquals("", shell.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "exec", "serve", "device"})
    void givenHelpOption_whenCommandOwnsGpu_thenDefaultExecutionModeIsNamed(String command) {
        assertEquals(0, shell.run(command, "--help"), shell::err);

        String help = shell.out().replaceAll("\\s+", " ");
        String usual = "Default: " + SoftGpuConfig.defaults().engine().text() + ".";
        assertTrue(help.contains("--engine=ENGINE"), help);
        assertTrue(help.contains("engine=ENGINE in --gpu. " + usual), help);
    }

    @Test
    void givenMoreMemoryThanGpuHas_whenRun_thenStatusIs1AndNoFileIsLeft() throws IOException {
        Path file = folder.resolve("figures.json");

        assertEquals(1, shell.run("run", "pincpy", "--size=67108865", "--json", file, GPU));
        assertTrue(shell.err().contains("gpuvm: pincpy of size 67108865: "), shell::err);
        try (Stream<Path> files = Files.list(folder)) {
            assertFalse(files.findAny().isPresent());
        }
    }
}
