package io.gpuvm.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.guests.real.GuestEvent;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.OneLineErrors;
import io.gpuvm.guests.real.ProgressPrinter;
import io.gpuvm.guests.real.RunListener;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./gpuvm probe-table`: cost of a driver's start for each combination of mapped BARs and
/// shadowing strategy.
@Command(
        name = "probe-table",
        description = {
            "Compare a driver's start for all mappings and shadowings.",
            "One guest with a virtual GPU boots for each combination of mapped BARs and"
                    + " shadowing strategy. The table has the backend's counts: accesses by region,"
                    + " shadowing, pages moved, seconds."
        },
        sortOptions = false,
        footer = {
            "",
            "Exit status: 0 measured, 1 a failure, 2 wrong arguments, 3 the set-up of the"
                    + " machines failed."
        })
public final class ProbeTable implements OneLineErrors {
    /// Configurations of the backend, one for each guest.
    static final List<Map<String, String>> CONFIGURATIONS = configurations();

    @Option(
            names = "--kernel",
            paramLabel = "VERSION",
            defaultValue = "6.12",
            description =
                    "Linux version of the guests: 6.1, 6.12 or 7.2. Default: ${DEFAULT-VALUE}.")
    private String kernel;

    @Option(
            names = "--program",
            paramLabel = "NAME",
            defaultValue = "probe",
            description =
                    "Program of tests/real-guest/programs that runs after the driver's start; probe"
                            + " only reads the state of the driver. Default: ${DEFAULT-VALUE}.")
    private String program;

    @Option(names = "--json", description = "Output as one line of JSON instead of the table.")
    private boolean json;

    private static List<Map<String, String>> configurations() {
        List<Map<String, String>> all = new ArrayList<>();
        for (String map : List.of("none", "bar3", "bar3+pramin", "all")) {
            for (String shadow : List.of("naive", "lazy", "incremental")) {
                all.add(configuration(map, shadow));
            }
        }
        return List.copyOf(all);
    }

    /// Returns the configuration with the given mapping and shadowing strategy.
    static Map<String, String> configuration(String map, String shadow) {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("map", map);
        keys.put("shadow", shadow);
        return keys;
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

    /// Measures one guest per configuration, one after another.
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
