package io.gpuvm.cli;

import io.gpuvm.counters.CountersFile;
import io.gpuvm.daemon.BackendConfig;
import io.gpuvm.daemon.ConfigException;
import io.gpuvm.daemon.ControlPlan;
import io.gpuvm.daemon.NetworkService;
import io.gpuvm.daemon.PolicyOption;
import io.gpuvm.daemon.ThreadMode;
import io.gpuvm.daemon.VmConfig;
import io.gpuvm.linux.SocketAccess;
import io.gpuvm.metrics.MetricsAddress;
import io.gpuvm.remote.link.ClusterSeal;
import io.gpuvm.remote.link.LinkAddress;
import io.gpuvm.remote.session.VirtualMachines;
import io.gpuvm.sched.PolicyKind;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/// `gpuvm serve`: owns a GPU and serves it until a signal ends it.
@Command(
        name = "serve",
        description = "Serve a GPU to virtual machines until interrupted.",
        sortOptions = false,
        footer = {
            "",
            "Keys of --vm:",
            "  KEY        VALUES                     DEFAULT      MEANING (MODES)",
            "  mode       passthrough|fv|pv|cuda     required     use of the GPU, see below",
            "  socket     PATH                       see below    socket for QEMU or program",
            "  uid, gid   NUMBER                     none         user and group of the socket",
            "  vram       64M to 6144M, or N%%        equal part   VRAM (fv, pv, cuda)",
            "  gpus       1                          1            number of GPUs",
            "  weight     1 to 10000                 1            time share (fv, pv, cuda)",
            "  cap        1 to 100                   100          most GPU time, %% (fv, pv, cuda)",
            "  arena      1M to 64M                  64M          host memory (fv, pv, cuda)",
            "  shadow     naive|lazy|incremental     incremental  page-table copies (fv)",
            "  map        none|bar3|bar3+pramin|all  see below    BARs that QEMU maps",
            "  trust-vmm  yes|no                     no           descriptor for QEMU (fv)",
            "  via        socket|vfio-user           socket       transport (pv, cuda)",
            "  sessions   1 to 64                    16           programs at a time (pv, cuda)",
            "  data       4K to 512G                 256M, 512M   memory of a program (pv, cuda)",
            "  handles    1 to 65536                 4096         VRAM allocations (pv, cuda)",
            "  spaces     1 to 128                   16, 64       address spaces (pv, cuda)",
            "  channels   1 to 128                   32, 64       channels (pv, cuda)",
            "  pages      1 to 2147483647            4194304      mapped pages (pv, cuda)",
            "  in-flight  1 to 16384                 1024         pending commands (pv)",
            "  waits      1 to 16384                 256          waits for fences (pv)",
            "",
            "mode=passthrough: the whole GPU for one guest. mode=fv: a virtual GPU for an"
                    + " unmodified driver, with a part of the VRAM. mode=pv: programs that link"
                    + " gpuvm's library. mode=cuda: programs that use the CUDA driver API, with"
                    + " gpuvm's libcuda.so.1. With via=vfio-user, programs of both kinds run in a"
                    + " virtual machine, and use a PCI function. The sessions share all other"
                    + " values of their virtual machine, except data and in-flight. Of two"
                    + " defaults, the second is that of mode=cuda.",
            "socket: with --ctl, the default is NAME.sock in the folder of the control socket. Only"
                    + " root, the backend's user, uid and gid may connect.",
            "arena: memory for page tables and channels that the GPU reads for a guest; a"
                    + " card pins all of it. data: memory that a program shares with the GPU; only"
                    + " pages that the program touches cost memory, but a card pins all of it:"
                    + " sessions times data, which is at most 32G, if all sessions are in use.",
            "channels: one program alone opens about half of them, because the rest is kept for"
                    + " other sessions; with sessions=1, it opens all. With mode=cuda, each context"
                    + " needs an address space and a channel; streams share channels when none is"
                    + " left.",
            "map: on the software GPU, the default is all with mode=fv and none with"
                    + " mode=passthrough. On a card, the default is none, which passthrough"
                    + " requires; map=bar3 requires trust-vmm=yes: QEMU receives the card's own"
                    + " descriptor, which permits reading all VRAM and resetting the card"
                    + " (docs/threat-model.md).",
            "",
            "Example, two virtual machines that share a GPU:",
            "  gpuvm serve --gpu soft,vram=1G --vm vm0,mode=fv,socket=/tmp/vm0.sock \\",
            "      --vm vm1,mode=fv,vram=256M,socket=/tmp/vm1.sock",
            "Example, a program on this host that uses a shared GPU:",
            "  gpuvm serve --vm a,mode=pv,socket=/tmp/a.sock",
            "  gpuvm run --socket /tmp/a.sock mmul",
            "",
            "The backend prints 'ready' on standard output when all sockets accept"
                    + " connections, and logs to standard error.",
            "Exit status: 1 a part of the backend failed, 2 wrong arguments, 130 and 143"
                    + " after a normal shutdown by SIGINT (Ctrl-C) and SIGTERM."
        })
final class ServeCommand implements Callable<Integer> {
    private static final String DASHES = "--";

    /// Options that a configuration file cannot contain.
    private static final Set<String> NOT_IN_FILES = Set.of("vm", "config");

    /// Options of a configuration file that may change while the backend serves.
    private static final Set<String> CHANGEABLE = Set.of("policy");

    @Spec private CommandSpec spec;

    @Option(
            names = "--vm",
            paramLabel = "NAME,KEY=VALUE,...",
            description =
                    "Virtual machine to serve, with a name of up to 32 characters; repeatable. The"
                            + " keys are below. Default: none; with --ctl, virtual machines can"
                            + " attach later.")
    private List<String> vms = List.of();

    @Option(
            names = "--command-limit",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description =
                    "Limit of the GPU time of one command of an fv guest, in seconds, 1 to 3600."
                            + " The backend then stops the command's channel and notifies the"
                            + " guest. Default: ${DEFAULT-VALUE}.")
    private long commandLimitSeconds;

    @Option(
            names = "--threads",
            paramLabel = "MODE",
            description =
                    "Thread mode: separate (one thread each for the GPU's owner, the poller of pv"
                            + " guests and a software GPU) or compact (one thread for all three,"
                            + " in turn). Default: compact if all guests are pv and the host has"
                            + " fewer than four processors, else separate.")
    private ThreadMode threads;

    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            description =
                    "Scheduling policy of each engine of a shared GPU: fair (in proportion to"
                            + " weights, within caps; keys wait, idle, patience), band (keys period, window,"
                            + " wait), credit (key period) or fifo (in the order of submission); with keys as"
                            + " in band,period=30ms. docs/scheduling.md describes the policies."
                            + " Default: fair.")
    private String policy;

    @Option(
            names = "--ctl",
            paramLabel = "SOCKET",
            description =
                    "UNIX socket to create for 'gpuvm ctl' of this user, which prints the state of"
                            + " the backend, changes policy, weights and caps, and attaches and"
                            + " detaches virtual machines. Default: none.")
    private Path control;

    @Option(
            names = "--listen",
            paramLabel = "tls:ADDRESS:PORT",
            description =
                    "Address for programs on other hosts, which connect with 'gpuvm connect', to"
                            + " virtual machines with mode=pv or mode=cuda. tcp:127.0.0.1:PORT without"
                            + " TLS, for this host only. docs/remote.md describes it. Default: none.")
    private String listen;

    @Option(
            names = "--ctl-group",
            paramLabel = "GROUP",
            description =
                    "Group whose processes may use the socket of --ctl, too: its number, or its"
                            + " name in /etc/group. Default: none.")
    private String controlGroup;

    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description =
                    "Existing folder for the file of counters, counters.dat, which 'gpuvm top'"
                            + " reads; one folder for each backend. Default: SOCKET.run beside the"
                            + " control socket; without --ctl, there is no file.")
    private Path runFolder;

    @Option(
            names = "--metrics",
            paramLabel = "[ADDRESS:]PORT",
            description =
                    "Port for metrics in Prometheus's format, at http://ADDRESS:PORT/metrics. Any"
                            + " process that reaches the address can read them. A port alone is"
                            + " one of 127.0.0.1. Default: none.")
    private String metrics;

    @Option(
            names = "--overcommit",
            paramLabel = "yes|no",
            defaultValue = "yes",
            description =
                    "Caps of all virtual machines together: unlimited (yes), or at most 100"
                            + " percent, where a virtual machine without a cap counts as 100 (no;"
                            + " requires --ctl). Default: ${DEFAULT-VALUE}.")
    private String overcommit;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "File with these options and virtual machines, in TOML. Options of the command"
                            + " line take precedence. SIGHUP and 'gpuvm ctl reload' read the file"
                            + " again. docs/serve.md describes it. Default: none.")
    private Path configFile;

    @Mixin private NetworkOptions network;

    @Mixin private ServiceOptions service;

    private PolicyKind policyOf() {
        return policy == null
                ? BackendConfig.DEFAULT_POLICY
                : PolicyOption.parse("--policy", policy);
    }

    /// Returns what starts the service of other hosts; null if there is none.
    private Function<VirtualMachines, NetworkService> listener() {
        if (listen == null) {
            if (network.certificates() != null || network.usesMunge()) {
                throw new ConfigException(
                        (network.certificates() != null ? "--tls" : "--munge")
                                + " requires --listen tls:ADDRESS:PORT");
            }
            return null;
        }
        LinkAddress address = NetworkOptions.address("--listen", listen);
        Duration grace = network.grace();
        if (network.usesMunge() && !address.tls()) {
            throw new ConfigException("--munge requires --listen tls:ADDRESS:PORT, not " + address);
        }
        ClusterSeal seal = network.seal();
        return vms -> NetworkService.start(address, network.certificates(), seal, grace, vms);
    }

    /// Returns the address of the metrics; null if they are not served.
    private InetSocketAddress metricsOf() {
        try {
            return metrics == null ? null : MetricsAddress.parse(metrics);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("--metrics " + e.getMessage(), e);
        }
    }

    /// Returns the control socket; null if there is none.
    private ControlPlan controlOf() {
        boolean overcommits =
                switch (overcommit) {
                    case "yes" -> true;
                    case "no" -> false;
                    default ->
                            throw new ConfigException(
                                    "--overcommit %s, expected one of yes, no"
                                            .formatted(overcommit));
                };
        if (control == null) {
            if (controlGroup != null || !overcommits) {
                throw new ConfigException(
                        (controlGroup != null ? "--ctl-group" : "--overcommit no")
                                + " requires --ctl");
            }
            return null;
        }
        SocketAccess access =
                controlGroup == null
                        ? SocketAccess.OWN_USER
                        : new SocketAccess(SocketAccess.NONE, GroupNumber.of(controlGroup));
        return new ControlPlan(control, access, overcommits);
    }

    @Override
    public Integer call() throws InterruptedException {
        if (configFile == null) {
            return serve(null);
        }
        ConfigFile file = readFile();
        try {
            return mergedWith(file).serve(() -> reread(file));
        } catch (ConfigException e) {
            throw file.located(e);
        }
    }

    /// Serves with the values of this command.
    ///
    /// @param reread reads the configuration file again; null if there is none
    private Integer serve(Supplier<BackendConfig> reread) throws InterruptedException {
        return new Service(service, spec.commandLine().getOut(), listener(), metricsOf(), reread)
                .serve(configOf());
    }

    private BackendConfig configOf() {
        ControlPlan plan = controlOf();
        Path folder = plan == null ? null : plan.folder();
        List<VmConfig> configs = vms.stream().map(vm -> VmConfig.parse(vm, folder)).toList();
        int processors = Runtime.getRuntime().availableProcessors();
        return service.configFor(
                        configs,
                        Duration.ofSeconds(commandLimitSeconds),
                        threads == null ? ThreadMode.usualFor(configs, processors) : threads)
                .with(policyOf(), plan)
                .withRunFolder(
                        runFolder == null && plan != null
                                ? CountersFile.folderOf(plan.socket())
                                : runFolder);
    }

    private ConfigFile readFile() {
        List<String> known =
                spec.options().stream()
                        .filter(option -> option.arity().min() > 0)
                        .map(option -> option.longestName().substring(DASHES.length()))
                        .filter(name -> !NOT_IN_FILES.contains(name))
                        .toList();
        return ConfigFile.read(configFile, known);
    }

    /// Reads the configuration file again.
    ///
    /// @param former file at the start
    /// @throws ConfigException if the file is not valid, or changes what is fixed
    private BackendConfig reread(ConfigFile former) {
        ConfigFile file = readFile();
        file.requireUnchanged(former, CHANGEABLE);
        try {
            return mergedWith(file).configOf();
        } catch (ConfigException e) {
            throw file.located(e);
        }
    }

    /// Returns a command with the values of a file, and those of the command line, which take
    /// precedence. The virtual machines are those of both.
    private ServeCommand mergedWith(ConfigFile file) {
        ServeCommand merged = new ServeCommand();
        CommandLine line = new CommandLine(merged).setCaseInsensitiveEnumValuesAllowed(true);
        line.setOut(spec.commandLine().getOut());
        ParseResult given = spec.commandLine().getParseResult();
        List<String> words = new ArrayList<>();
        file.options()
                .forEach((name, entry) -> {
                    if (!given.hasMatchedOption(DASHES + name)) {
                        words.add(DASHES + name + "=" + entry.text());
                    }
                });
        try {
            line.parseArgs(words.toArray(String[]::new));
        } catch (ParameterException e) {
            String option =
                    e.getArgSpec() instanceof OptionSpec wrong ? wrong.longestName() : DASHES;
            throw file.located(new ConfigException(option + ": " + e.getMessage(), e));
        }
        for (OptionSpec option : given.matchedOptions()) {
            OptionSpec own = line.getCommandSpec().findOption(option.longestName());
            if (own != null) {
                own.setValue(option.getValue());
            }
        }
        merged.vms = new ArrayList<>(file.vms());
        merged.vms.addAll(vms);
        return merged;
    }
}
