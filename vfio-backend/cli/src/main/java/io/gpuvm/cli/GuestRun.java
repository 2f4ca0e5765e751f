package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.pv.remote.CommandBatching;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.ExitCode;

/// Entry point of `gpuvm run` in a guest, whose emulated processor would need several seconds for
/// the command-line library. Accepts the options of [RunCommand] that are valid in a guest, and
/// those that the guest's runner adds: `--json` and the access to the GPU.
public final class GuestRun {
    private static final String NOUVEAU = "--nouveau";
    private static final String PCI = "--pci";

    private final List<String> workloads = new ArrayList<>();
    private Integer size;
    private long seed = 1;
    private Integer rounds;
    private Path json;
    private String way;

    /// DRM device or PCI address; empty for the first suitable device.
    private String device = "";

    private GuestRun() {}

    public static void main(String[] arguments) throws Exception {
        System.exit(
                execute(
                        List.of(arguments),
                        new PrintWriter(System.out, true),
                        new PrintWriter(System.err, true)));
    }

    /// Runs workloads.
    ///
    /// @return exit status, as of `gpuvm run`
    static int execute(List<String> arguments, PrintWriter out, PrintWriter err) throws Exception {
        try {
            GuestRun run = parse(arguments);
            RunPlan plan = run.plan();
            err.printf("opening the GPU through %s%n", run.way.substring(2));
            plan.run(run.opener(), out, err);
            return ExitCode.OK;
        } catch (Exception e) {
            int status = CommandErrors.statusOf(e);
            err.println("gpuvm: " + e.getMessage());
            return status;
        }
    }

    private static GuestRun parse(List<String> arguments) {
        GuestRun run = new GuestRun();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (!argument.startsWith("-")) {
                run.workloads.add(argument);
                continue;
            }
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            String value = equals < 0 ? "" : argument.substring(equals + 1);
            boolean isAccess = name.equals(NOUVEAU) || name.equals(PCI);
            if (equals < 0 && !isAccess) {
                if (++i == arguments.size()) {
                    throw new ConfigException(name + ": expected a value");
                }
                value = arguments.get(i);
            }
            run.set(name, value);
        }
        return run;
    }

    private void set(String name, String value) {
        switch (name) {
            case NOUVEAU, PCI -> {
                way = name;
                device = value;
            }
            case "--size" -> size = Math.toIntExact(number(name, value, Integer.MAX_VALUE));
            case "--seed" -> seed = number(name, value, Long.MAX_VALUE);
            case "--repeat" -> rounds = Math.toIntExact(number(name, value, Integer.MAX_VALUE));
            case "--json" -> json = Path.of(value);
            default -> throw new ConfigException(name + ": not valid in a guest");
        }
    }

    private static long number(String name, String value, long limit) {
        try {
            long number = Long.parseLong(value);
            if (number <= limit) {
                return number;
            }
        } catch (NumberFormatException _) {
            // The message below describes valid values.
        }
        throw new ConfigException(
                "%s=%s, expected a number up to %d".formatted(name, value, limit));
    }

    private RunPlan plan() {
        if (way == null) {
            throw new ConfigException("expected %s or %s".formatted(NOUVEAU, PCI));
        }
        RunPlan.checkRounds(rounds);
        return new RunPlan(TaskList.of(workloads, size), seed, rounds, json);
    }

    private Supplier<GpuSession> opener() {
        return way.equals(NOUVEAU)
                ? () -> NouveauSession.open(device)
                : () -> PvSession.openFunction(device, CommandBatching.ON);
    }
}
