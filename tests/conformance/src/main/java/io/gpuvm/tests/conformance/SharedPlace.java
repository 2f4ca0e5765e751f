package io.gpuvm.tests.conformance;

import io.gpuvm.daemon.BackendConfig;
import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.HostGpu;
import io.gpuvm.daemon.IdleMode;
import io.gpuvm.daemon.SharedGpu;
import io.gpuvm.daemon.VmConfig;
import io.gpuvm.daemon.VmMode;
import io.gpuvm.daemon.VramSize;
import io.gpuvm.shadow.ShadowStrategy;
import io.gpuvm.trap.vgpu.DirectMapping;
import io.gpuvm.trap.vgpu.VirtualGpu;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One of two virtual machines that share a GPU of this host as in the backend, without sockets.
/// The tests use the virtual GPU of one machine; a [Neighbour] uses that of the other.
///
/// Guests connect and disconnect while the GPU remains open. The thread that runs the tests is the
/// thread of both machines.
final class SharedPlace implements Place {
    private static final Pattern NAME = Pattern.compile("virtual(?:-(\\w+))?:(.*)");

    /// Slot of the neighbour. The neighbour's share is below the other share, so that no resource
    /// of the tests' machine has the same address physically and in the guest.
    private static final int NEIGHBOUR = 0;

    private static final int TESTED = 1;

    private final BackendConfig config;
    private final AtomicBoolean failed = new AtomicBoolean();
    private HostGpu host;
    private SharedGpu shared;
    private VirtualGpu tested;
    private VirtualGpu neighbours;
    private Neighbour neighbour;

    private SharedPlace(GpuSpec spec, ShadowStrategy strategy) {
        config =
                new BackendConfig(
                        spec,
                        List.of(machine("neighbour", strategy), machine("tested", strategy)),
                        IdleMode.BACKOFF,
                        BackendConfig.DEFAULT_COMMAND_LIMIT);
    }

    /// Parses `virtual[-STRATEGY]:GPU`.
    ///
    /// @return null if the text has another form
    /// @throws io.gpuvm.daemon.ConfigException if the GPU is invalid
    /// @throws IllegalArgumentException if the strategy is unknown
    static SharedPlace parse(String text) {
        Matcher name = NAME.matcher(text);
        if (!name.matches()) {
            return null;
        }
        ShadowStrategy strategy =
                name.group(1) == null
                        ? ShadowStrategy.INCREMENTAL
                        : ShadowStrategy.valueOf(name.group(1).toUpperCase(Locale.ROOT));
        return new SharedPlace(GpuSpec.parse(name.group(2)), strategy);
    }

    private static VmConfig machine(String name, ShadowStrategy strategy) {
        DirectMapping asUsual = null;
        return new VmConfig(name, VmMode.FV, Path.of(name), strategy, asUsual, VramSize.EQUAL_PART);
    }

    @Override
    public boolean isGuests() {
        return true;
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public OpenGpu open() {
        start();
        return OpenGpu.of(new GuestGpu(tested, tested.mappable()));
    }

    @Override
    public void doWork() {
        tested.doWork();
    }

    @Override
    public Optional<GuestMappings> mappings() {
        return Optional.of(new GuestMappings(tested, tested.mappable(), tested.mappingCounters()));
    }

    @Override
    public void checkAlive() {
        if (failed.get()) {
            throw new AssertionError("the shared GPU has failed; see its log");
        }
    }

    @Override
    public void beforeTest() {
        start();
        neighbour.beforeTest();
    }

    @Override
    public void afterTest() {
        checkAlive();
        neighbour.afterTest();
    }

    @Override
    public void close() {
        if (host != null) {
            neighbour.close();
            tested.close();
            neighbours.close();
            shared.close();
            host.close();
            host = null;
        }
    }

    private void start() {
        if (host != null) {
            return;
        }
        Runnable onFailure = () -> failed.set(true);
        host = HostGpu.open(config.gpu(), onFailure);
        shared = new SharedGpu(host, config, onFailure);
        neighbours = addVm(NEIGHBOUR);
        tested = addVm(TESTED);
        shared.start();
        neighbour = new Neighbour(new NeighboursPlace());
    }

    /// Adds a virtual machine without a wake-up call, because waiting threads poll.
    private VirtualGpu addVm(int slot) {
        return shared.addVm(config.vms().get(slot), slot, () -> {});
    }

    /// Source of the neighbour's GPU.
    private final class NeighboursPlace implements Place {
        @Override
        public boolean isGuests() {
            return true;
        }

        @Override
        public boolean isShared() {
            return true;
        }

        @Override
        public OpenGpu open() {
            return OpenGpu.of(new GuestGpu(neighbours, neighbours.mappable()));
        }

        @Override
        public void doWork() {
            neighbours.doWork();
        }

        @Override
        public void checkAlive() {
            SharedPlace.this.checkAlive();
        }

        @Override
        public void beforeTest() {
            // The neighbour is not tested.
        }

        @Override
        public void afterTest() {
            // The neighbour is not tested.
        }

        @Override
        public void close() {
            // Closed together with the GPU.
        }
    }
}
