package io.gpuvm.cli;

import static io.gpuvm.cli.CommandGroup.DEVELOP;
import static io.gpuvm.cli.CommandGroup.MEASURE;
import static io.gpuvm.cli.CommandGroup.OBSERVE;
import static io.gpuvm.cli.CommandGroup.RUN_GUESTS;
import static io.gpuvm.cli.CommandGroup.RUN_PROGRAMS;
import static io.gpuvm.cli.CommandGroup.SHARE_A_GPU;

import io.gpuvm.bench.ProbeBench;
import io.gpuvm.bench.ProbeTable;
import io.gpuvm.bench.cuda.CudaBench;
import io.gpuvm.bench.fairness.FairnessMain;
import io.gpuvm.bench.fairness.RunTable;
import io.gpuvm.bench.pocl.PoclBench;
import io.gpuvm.bench.ptx.PtxBench;
import io.gpuvm.bench.pv.PvBench;
import io.gpuvm.bench.sched.SchedBench;
import io.gpuvm.demo.Demo;
import io.gpuvm.guests.cuda.ClientsMain;
import io.gpuvm.guests.cuda.CudaCommand;
import io.gpuvm.guests.cuda.SharedProgramsMain;
import io.gpuvm.guests.hostile.HostileRunMain;
import io.gpuvm.guests.hostile.cuda.HostileCudaMain;
import io.gpuvm.guests.real.RealGuestMain;
import io.gpuvm.guests.virtualhost.VirtualHostMain;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// All subcommands of `gpuvm`, each in one group, in the order of the help text.
final class CommandTable {
    /// Subcommand.
    ///
    /// @param command picocli's command object, or its class
    record Entry(CommandGroup group, String name, Object command) {}

    static final List<Entry> ALL =
            List.of(
                    new Entry(RUN_GUESTS, "demo", Demo.class),
                    new Entry(RUN_GUESTS, "real-guest", new RealGuestMain(GuestWorkload::check)),
                    new Entry(RUN_GUESTS, "hostile-guest", HostileRunMain.class),
                    new Entry(RUN_GUESTS, "hostile-cuda", HostileCudaMain.class),
                    new Entry(RUN_GUESTS, "virtual-host", VirtualHostMain.class),
                    new Entry(RUN_GUESTS, "cuda-clients", ClientsMain.class),
                    new Entry(RUN_PROGRAMS, "run", RunCommand.class),
                    new Entry(RUN_PROGRAMS, "exec", ExecCommand.class),
                    new Entry(RUN_PROGRAMS, "spin", SpinCommand.class),
                    new Entry(RUN_PROGRAMS, "exec-cuda", CudaCommand.class),
                    new Entry(RUN_PROGRAMS, "cc", new CcCommand()),
                    new Entry(RUN_PROGRAMS, "ptxas", PtxasCommand.class),
                    new Entry(RUN_PROGRAMS, "asm", AsmCommand.class),
                    new Entry(RUN_PROGRAMS, "disasm", DisasmCommand.class),
                    new Entry(SHARE_A_GPU, "serve", ServeCommand.class),
                    new Entry(SHARE_A_GPU, "connect", ConnectCommand.class),
                    new Entry(SHARE_A_GPU, "keys", KeysCommand.class),
                    new Entry(SHARE_A_GPU, "device", DeviceCommand.class),
                    new Entry(SHARE_A_GPU, "doctor", DoctorCommand.class),
                    new Entry(SHARE_A_GPU, "bind", BindCommand.class),
                    new Entry(SHARE_A_GPU, "unbind", UnbindCommand.class),
                    new Entry(OBSERVE, "ctl", ScriptCommand.Ctl.class),
                    new Entry(OBSERVE, "top", TopCommand.class),
                    new Entry(OBSERVE, "record-stats", RecordStatsCommand.class),
                    new Entry(OBSERVE, "replay", ReplayCommand.class),
                    new Entry(OBSERVE, "simulate", SimulateCommand.class),
                    new Entry(MEASURE, "evaluate", ForeignCommand.EVALUATE),
                    new Entry(MEASURE, "measure", MeasureCommand.class),
                    new Entry(MEASURE, "fairness", FairnessMain.class),
                    new Entry(MEASURE, "fairness-table", RunTable.class),
                    new Entry(MEASURE, "bench-probe", ProbeBench.class),
                    new Entry(MEASURE, "probe-table", ProbeTable.class),
                    new Entry(MEASURE, "bench-pv", PvBench.class),
                    new Entry(MEASURE, "bench-cuda", CudaBench.class),
                    new Entry(MEASURE, "bench-programs", SharedProgramsMain.class),
                    new Entry(MEASURE, "bench-pocl", PoclBench.class),
                    new Entry(MEASURE, "bench-ptx", PtxBench.class),
                    new Entry(MEASURE, "bench-sched", SchedBench.class),
                    new Entry(MEASURE, "bench-kernels", ForeignCommand.BENCH_KERNELS),
                    new Entry(MEASURE, "bench-rings", ForeignCommand.BENCH_RINGS),
                    new Entry(MEASURE, "bench-wake", ForeignCommand.BENCH_WAKE),
                    new Entry(MEASURE, "jmh", ForeignCommand.JMH),
                    new Entry(MEASURE, "plot", ForeignCommand.PLOT),
                    new Entry(DEVELOP, "test", ScriptCommand.Test.class),
                    new Entry(DEVELOP, "build", ScriptCommand.Build.class),
                    new Entry(DEVELOP, "package", ScriptCommand.Package.class),
                    new Entry(DEVELOP, "jcstress", ForeignCommand.JCSTRESS),
                    new Entry(DEVELOP, "jdk", ScriptCommand.Jdk.class),
                    new Entry(DEVELOP, "help", HelpCommand.class));

    private static final String HELP = "help";

    /// Groups whose commands need no files of a checkout.
    private static final Set<CommandGroup> INSTALLED =
            EnumSet.of(RUN_PROGRAMS, SHARE_A_GPU, OBSERVE);

    /// Options of the main command that name no subcommand.
    private static final Set<String> VERSION = Set.of("-V", "--version");

    private CommandTable() {}

    /// Returns the commands of this process: all in a checkout, and in an installation those that
    /// need no files of a checkout.
    static List<Entry> available() {
        return Boolean.getBoolean("gpuvm.installed") ? installed() : ALL;
    }

    /// Returns the commands of an installation.
    static List<Entry> installed() {
        return ALL.stream()
                .filter(entry -> INSTALLED.contains(entry.group()) || entry.name().equals(HELP))
                .toList();
    }

    /// Returns the entries of a table that a command line needs: only the named subcommand if the
    /// line begins with its name, and none if it requests the version, so that other subcommands do
    /// not delay the start; else all.
    static List<Entry> neededFor(List<Entry> table, String... arguments) {
        if (arguments.length == 0 || arguments[0].equals(HELP)) {
            return table;
        }
        if (VERSION.contains(arguments[0])) {
            return List.of();
        }
        List<Entry> named =
                table.stream().filter(entry -> entry.name().equals(arguments[0])).toList();
        return named.isEmpty() ? table : named;
    }
}
