package io.gpuvm.cli;

import io.gpuvm.daemon.BackendConfig;
import io.gpuvm.daemon.PolicyOption;
import io.gpuvm.daemon.ThreadMode;
import io.gpuvm.daemon.VmConfig;
import io.gpuvm.sched.PolicyKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `gpuvm serve`: owns a GPU and serves it until a signal ends it.
@Command(
        name = "serve",
        description = "Serves a GPU to virtual machines until interrupted.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Example, two virtual machines that share a GPU:",
            "  gpuvm serve --gpu soft,vram=1G --vm vm0,mode=fv,socket=/tmp/vm0.sock \\",
            "      --vm vm1,mode=fv,vram=256M,socket=/tmp/vm1.sock",
            "A program on this host that uses a GPU which is served: gpuvm run --socket PATH"
                    + " WORKLOAD,",
            "with --vm NAME,mode=pv,socket=PATH here.",
            "",
            "The line 'ready' on standard output says that every socket accepts connections.",
            "Logs go to standard error. A signal (Ctrl-C, SIGTERM) ends it in the orderly way, with"
                    + " that",
            "signal's exit status; 1 says that a part failed."
        })
final class ServeCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
            names = "--vm",
            required = true,
            paramLabel = "NAME,KEY=VALUE,...",
            description = {
                "A virtual machine to serve (repeat for more); keys: mode=passthrough (the whole"
                        + " GPU",
                "for one), fv (a GPU of its own, made of a model and a part of the VRAM) or pv"
                        + " (programs",
                "that link gpuvm's library, one at a time), socket=PATH (where QEMU's"
                        + " vfio-user-pci",
                "device or the program connects), vram=SIZE (how large an fv or pv guest's part is,"
                        + " 64M",
                "to 6144M; those that name none share the rest equally), weight=N and cap=PCT (what an fv"
                        + " or pv",
                "guest gets of the GPU's time beside others, 1 to 10000, default 1; and at the most,"
                        + " 1",
                "to 100),",
                "shadow=naive|lazy|incremental (how an fv guest's page tables are followed;"
                        + " default",
                "incremental), map=none|bar3|bar3+pramin|all (which parts of an fv guest's BARs"
                        + " QEMU",
                "maps, so that accesses there are not trapped; default all, and none on a card),",
                "trust-vmm=yes (with a card and map=bar3: that QEMU gets the card's own descriptor, with which",
                "it can read all VRAM and reset the card; docs/threat-model.md), arena=SIZE (host memory for"
                        + " what",
                "the GPU reads in a guest's name, page tables and channels, which a card pins; 1M to 64M,",
                "default 64M), and what a pv guest may",
                "have: data=SIZE (pinned memory; default 256M, of which it costs what is touched),",
                "handles=N (pieces of VRAM), spaces=N, channels=N, pages=N (mapped), in-flight=N",
                "(commands that are not answered), waits=N (for fences); via=socket|vfio-user (whether"
                        + " it is",
                "a program of this host, or one in a virtual machine, through a PCI function;"
                        + " default",
                "socket)."
            })
    private List<String> vms;

    @Option(
            names = "--command-limit",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = {
                "GPU time that one command of an fv guest may take, 1 to 3600; then its channel is",
                "stopped and that guest is told. Default: ${DEFAULT-VALUE}."
            })
    private long commandLimitSeconds;

    @Option(
            names = "--threads",
            paramLabel = "MODE",
            description = {
                "separate (the GPU's owner, the poller of pv guests and a software GPU have a"
                        + " thread",
                "each) or compact (they take turns on one). Default: compact if all are pv guests"
                        + " and",
                "there are fewer than four processors, else separate."
            })
    private ThreadMode threads;

    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            description = {
                "Whose command runs next on each engine of a GPU that is shared: fair (in proportion to",
                "weights, within caps; keys wait, idle, patience), band (period, window, wait) or credit",
                "(period) as published, fifo (in the order in which commands come). docs/scheduling.md"
                        + " tells",
                "more, for instance what band,period=30ms means. Default: fair."
            })
    private String policy;

    @Option(
            names = "--ctl",
            paramLabel = "SOCKET",
            description = {
                "Make a UNIX socket, for this user alone, through which 'gpuvm ctl' asks how things are",
                "and changes policy, weights and caps."
            })
    private Path control;

    @Mixin private ServiceOptions service;

    private PolicyKind policyOf() {
        return policy == null
                ? BackendConfig.DEFAULT_POLICY
                : PolicyOption.parse("--policy", policy);
    }

    @Override
    public Integer call() throws InterruptedException {
        List<VmConfig> configs = vms.stream().map(VmConfig::parse).toList();
        int processors = Runtime.getRuntime().availableProcessors();
        return new Service(service, spec.commandLine().getOut())
                .serve(
                        service.configFor(
                                        configs,
                                        Duration.ofSeconds(commandLimitSeconds),
                                        threads == null
                                                ? ThreadMode.usualFor(configs, processors)
                                                : threads)
                                .with(policyOf(), control));
    }
}
