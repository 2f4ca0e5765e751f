package io.gpuvm.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.guests.real.GuestCommandLine;
import io.gpuvm.guests.real.GuestEvent;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.ProgressPrinter;
import io.gpuvm.guests.real.RunListener;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./gpuvm probe-table`: what a driver's start costs with each way of following its page tables.
@Command(
        name = "gpuvm probe-table",
        description = {
            "Boots one guest with a virtual GPU for each way of mapping its BARs and of following its",
            "page tables, and prints side by side what the backend counted: accesses by region,",
            "shadowing, pages moved, seconds."
        },
        sortOptions = false)
public final class ProbeTable implements Callable<Integer> {
    /// What the backend is told, guest by guest.
    static final List<Map<String, String>> CONFIGURATIONS = configurations();

    @Option(
            names = "--kernel",
            paramLabel = "VERSION",
            defaultValue = "6.12",
            description = "6.1, 6.12 or 7.2. Default: ${DEFAULT-VALUE}.")
    private String kernel;

    @Option(
            names = "--program",
            paramLabel = "NAME",
            defaultValue = "probe",
            description = {
                "What runs once the driver is there: a program of tests/real-guest/programs. probe only",
                "looks at it. Default: ${DEFAULT-VALUE}."
            })
    private String program;

    @Option(names = "--json", description = "Print one line of JSON instead of the table.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this text.")
    private boolean help;

    private static List<Map<String, String>> configurations() {
        List<Map<String, String>> all = new ArrayList<>();
        for (String map : List.of("none", "bar3", "bar3+pramin", "all")) {
            for (String shadow : List.of("naive", "lazy", "incremental")) {
                all.add(configuration(map, shadow));
            }
        }
        return List.copyOf(all);
    }

    /// What the backend is told.
    static Map<String, String> configuration(String map, String shadow) {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("map", map);
        keys.put("shadow", shadow);
        return keys;
    }

    public static void main(String[] args) {
        System.exit(GuestCommandLine.execute(new ProbeTable(), args));
    }

    @Override
    public Integer call() throws InterruptedException {
        GuestFiles files = GuestFiles.locate();
        files.prepare(List.of("--kernel", kernel));
        List<ProbeCost> costs =
                measure(
                        kernel,
                        program,
                        CONFIGURATIONS,
                        files,
                        new ProgressPrinter(System.err, false));
        System.out.println(json ? toJson(costs) : new CostTable(costs));
        return CommandLine.ExitCode.OK;
    }

    /// One guest after the other.
    static List<ProbeCost> measure(
            String kernel,
            String program,
            List<Map<String, String>> configurations,
            GuestFiles files,
            RunListener listener)
            throws InterruptedException {
        List<ProbeCost> costs = new ArrayList<>();
        for (Map<String, String> keys : configurations) {
            listener.onProgress(keys.toString());
            costs.add(ProbeCost.measure(kernel, program, keys, files, listener));
        }
        return costs;
    }

    private ObjectNode toJson(List<ProbeCost> costs) {
        ObjectNode table = GuestEvent.JSON.createObjectNode();
        table.put("kernel", kernel);
        table.put("program", program);
        ArrayNode guests = table.putArray("guests");
        costs.forEach(cost -> guests.add(cost.toJson()));
        return table;
    }
}
