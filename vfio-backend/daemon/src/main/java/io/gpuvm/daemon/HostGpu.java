package io.gpuvm.daemon;

import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.driver.PtimerClock;
import io.gpuvm.gf100.driver.RegisterPort;
import io.gpuvm.gf100.unit.Board;
import io.gpuvm.gf100.unit.UndeclaredAccesses;
import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.linux.agent.ThreadWait;
import io.gpuvm.owner.DeviceTimes;
import io.gpuvm.owner.VramScrub;
import io.gpuvm.softgpu.SoftGpu;
import io.gpuvm.softgpu.SoftGpuConfig;
import io.gpuvm.vfio.PciAddress;
import io.gpuvm.vfio.VfioGpu;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// GPU of this host, of any kind, with the threads that it needs. Users of an open GPU need not
/// distinguish kinds of GPU.
///
/// Opened and closed by one thread. [#device()] belongs to the owner of the GPU.
public sealed interface HostGpu extends AutoCloseable {
    /// Opens the GPU and starts its threads.
    ///
    /// @param onFailure called on any thread when an internal error has stopped a part of the GPU,
    ///   or when the host removes the GPU; the cause has been logged
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU cannot be opened; the message
    ///   gives the reason
    static HostGpu open(GpuSpec spec, Runnable onFailure) {
        HostGpu gpu = openIdle(spec, onFailure);
        if (gpu instanceof Soft soft) {
            soft.engines.start();
        }
        return gpu;
    }

    /// Opens the GPU without starting a thread: the caller runs [#engines].
    ///
    /// @param onFailure as in [#open]
    static HostGpu openIdle(GpuSpec spec, Runnable onFailure) {
        return switch (spec) {
            case GpuSpec.Soft(var config) -> new Soft(config, onFailure);
            case GpuSpec.Vfio(var address) -> Vfio.open(address, onFailure);
        };
    }

    /// Returns the agent that runs the GPU's engines on a thread of this process, unless [#open]
    /// has started such a thread; empty if the GPU works autonomously.
    ///
    /// @param thread parking of that thread
    Optional<ParkingAgent> engines(Parking thread);

    /// Returns the port to the GPU.
    PhysicalGpu device();

    /// Returns the board as seen by a guest that has a part of the VRAM.
    ///
    /// @param vramBytes size of the part
    Board boardOf(long vramBytes);

    /// Returns an object that zeroes VRAM without a channel; empty if zeroing needs a channel.
    Optional<VramScrub> scrub();

    /// Returns the clock whose time the GPU's channels write, in nanoseconds, readable without
    /// access to the GPU. Called by the owner of the GPU; any thread may read the clock.
    LongSupplier clock();

    /// Sets the names of channels, by number, for log lines. Any thread may call the function.
    void nameChannels(IntFunction<String> names);

    /// Returns the name of this kind of GPU in summaries.
    String kind();

    /// Returns the time for which the GPU has worked for each channel; empty if the GPU does not
    /// count it.
    Optional<DeviceTimes> channelTimes();

    /// Returns the GPU's counters, by name; empty if it has none. Any thread.
    Map<String, Long> counters();

    /// Returns the number of instructions that compiled kernels handed over to the interpreter, by
    /// mnemonic; empty if the GPU runs no such kernels. Any thread.
    Map<String, Long> handedOver();

    /// Returns the accesses to registers that the model does not declare; empty for hardware. Any
    /// thread.
    List<UndeclaredAccesses.Entry> undeclared();

    @Override
    void close();

    /// Software GPU and the thread of its engines.
    final class Soft implements HostGpu {
        private static final Logger LOG = LoggerFactory.getLogger(HostGpu.class);
        private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);

        private final SoftGpuConfig config;
        private final SoftGpu gpu;
        private final AgentThread engines;

        private Soft(SoftGpuConfig config, Runnable onFailure) {
            this.config = config;
            this.gpu = new SoftGpu(config);
            Parking parking = new Parking(new ThreadWait());
            gpu.wakes(parking);
            this.engines =
                    new AgentThread(
                            gpu.engines(),
                            parking,
                            AgentThread.NO_SPIN,
                            new ThreadFailure(
                                    LOG,
                                    "software GPU: the engines stopped: internal error",
                                    onFailure));
        }

        @Override
        public PhysicalGpu device() {
            return gpu;
        }

        @Override
        public Optional<ParkingAgent> engines(Parking thread) {
            gpu.wakes(thread);
            return Optional.of(gpu.engines());
        }

        @Override
        public Board boardOf(long vramBytes) {
            return Board.of(
                    Board.mibOf(vramBytes),
                    config.tpcsPerGpc(),
                    config.copyEngines(),
                    config.display());
        }

        @Override
        public Optional<VramScrub> scrub() {
            return Optional.of(gpu::scrub);
        }

        @Override
        public LongSupplier clock() {
            return System::nanoTime;
        }

        @Override
        public void nameChannels(IntFunction<String> names) {
            gpu.nameChannels(names);
        }

        @Override
        public String kind() {
            return "soft";
        }

        @Override
        public Optional<DeviceTimes> channelTimes() {
            return Optional.of(gpu.channelTimes()::ns);
        }

        @Override
        public Map<String, Long> counters() {
            return gpu.counters().snapshot();
        }

        @Override
        public Map<String, Long> handedOver() {
            return gpu.counters().handedOver();
        }

        @Override
        public List<UndeclaredAccesses.Entry> undeclared() {
            return gpu.undeclared().snapshot();
        }

        @Override
        public void close() {
            engines.end(JOIN_LIMIT);
            gpu.close();
        }
    }

    /// Card behind VFIO, with engines in hardware.
    record Vfio(VfioGpu device) implements HostGpu {
        private static final Logger LOG = LoggerFactory.getLogger(HostGpu.class);

        private static Vfio open(PciAddress address, Runnable onFailure) {
            VfioGpu gpu =
                    VfioGpu.open(
                            address,
                            loss -> {
                                LOG.error("{}: {}; the card is released", address, loss.text());
                                onFailure.run();
                            });
            try {
                BareCard.requireUsable(address.toString(), gpu.identity());
                return new Vfio(gpu);
            } catch (RuntimeException e) {
                gpu.close();
                throw e;
            }
        }

        @Override
        public Optional<ParkingAgent> engines(Parking thread) {
            return Optional.empty();
        }

        /// Returns a Quadro 6000 for every guest, regardless of the units fused off on this card.
        @Override
        public Board boardOf(long vramBytes) {
            return Board.of(
                    Board.mibOf(vramBytes), SoftGpuConfig.defaults().tpcsPerGpc(), true, true);
        }

        @Override
        public Optional<VramScrub> scrub() {
            return Optional.empty();
        }

        @Override
        public LongSupplier clock() {
            RegisterPort registers = new RegisterPort(device);
            return CardClock.set(System::nanoTime, () -> PtimerClock.ns(registers));
        }

        /// Does nothing: log lines about a card do not name channels by number.
        @Override
        public void nameChannels(IntFunction<String> names) {}

        @Override
        public String kind() {
            return "vfio";
        }

        @Override
        public Optional<DeviceTimes> channelTimes() {
            return Optional.empty();
        }

        @Override
        public Map<String, Long> counters() {
            return Map.of();
        }

        @Override
        public Map<String, Long> handedOver() {
            return Map.of();
        }

        @Override
        public List<UndeclaredAccesses.Entry> undeclared() {
            return List.of();
        }

        @Override
        public void close() {
            device.close();
        }
    }
}
