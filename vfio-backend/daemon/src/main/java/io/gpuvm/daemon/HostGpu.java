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

/// The GPU of this host, whichever it is, with the threads that it needs: the one place that knows
/// which kinds there are.
///
/// Opened and closed by one thread. [#device()] belongs to whoever owns the GPU.
public sealed interface HostGpu extends AutoCloseable {
    /// Takes the GPU and starts its threads.
    ///
    /// @param onFailure told, on some thread, when a part of the GPU ended by an error of ours, or
    ///   when the host takes it away, which has been logged
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the kernel refuses, with what to do
    static HostGpu open(GpuSpec spec, Runnable onFailure) {
        HostGpu gpu = openIdle(spec, onFailure);
        if (gpu instanceof Soft soft) {
            soft.engines.start();
        }
        return gpu;
    }

    /// Takes the GPU without starting anything: [#engines] is somebody else's to do.
    ///
    /// @param onFailure as in [#open]
    static HostGpu openIdle(GpuSpec spec, Runnable onFailure) {
        return switch (spec) {
            case GpuSpec.Soft(var config) -> new Soft(config, onFailure);
            case GpuSpec.Vfio(var address) -> Vfio.open(address, onFailure);
        };
    }

    /// What has to be done for the GPU on a thread of this process, unless [#open] has started one;
    /// empty if it works by itself.
    ///
    /// @param thread where that thread sleeps
    Optional<ParkingAgent> engines(Parking thread);

    /// The port to it.
    PhysicalGpu device();

    /// The board that a guest sees which has a part of the VRAM.
    ///
    /// @param vramBytes size of the part
    Board boardOf(long vramBytes);

    /// What zeroes VRAM beside the channels; empty if it takes a channel to do that.
    Optional<VramScrub> scrub();

    /// The GPU's time as its channels write it, in nanoseconds, told without asking it each time.
    /// By whoever owns the GPU; what it returns, any thread may ask.
    LongSupplier clock();

    /// What to call a channel, by its number, in what is logged of it. Asked on any thread.
    void nameChannels(IntFunction<String> names);

    /// What it is called in summaries.
    String kind();

    /// How long it has worked for each channel; empty if it does not count that.
    Optional<DeviceTimes> channelTimes();

    /// What it has counted, by name; empty if it counts nothing. Any thread.
    Map<String, Long> counters();

    /// Instructions that compiled kernels left to the interpreter, by mnemonic; empty if it runs
    /// none. Any thread.
    Map<String, Long> handedOver();

    /// Accesses to registers that a model lacks; hardware lacks none. Any thread.
    List<UndeclaredAccesses.Entry> undeclared();

    @Override
    void close();

    /// A software GPU and the thread of its engines.
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
                            error -> {
                                LOG.error(
                                        "software GPU: engines ended by an internal error", error);
                                onFailure.run();
                            });
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

    /// A card behind VFIO, which has engines of its own.
    record Vfio(VfioGpu device) implements HostGpu {
        private static final Logger LOG = LoggerFactory.getLogger(HostGpu.class);

        private static Vfio open(PciAddress address, Runnable onFailure) {
            VfioGpu gpu =
                    VfioGpu.open(
                            address,
                            loss -> {
                                LOG.error("{}: {}; it is given back", address, loss.text());
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

        /// Every guest sees a Quadro 6000, whatever of the chip is fused off on this card.
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

        /// Nothing is logged of a card's channels by their numbers.
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
