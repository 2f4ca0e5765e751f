package io.gpuvm.pv.bare;

import io.gpuvm.gf100.device.KernelPosition;
import io.gpuvm.gf100.driver.FaultBlock;
import io.gpuvm.gf100.driver.RegisterPort;
import io.gpuvm.gf100.driver.StoppedEngine;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Falcon;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pcopy;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pgraph;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Ppci;
import io.gpuvm.logging.LogLimit;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.FailureReport;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Decoder of the GPU's interrupts: attributes each interrupt to a channel, reads the cause, and
/// acknowledges the interrupt immediately, so that stopped units continue with other channels.
///
/// After a method or an instruction that an engine refuses, a channel continues to run. After a
/// fault, a hang, or an entry that PFIFO rejects, the channel is removed from the GPU.
final class InterruptReader {
    private static final Logger LOG = LoggerFactory.getLogger(InterruptReader.class);

    /// Maximum number of log lines about unattributed interrupts and failures in a burst.
    private static final int MOST_LINES = 100;

    private static final int ALL = -1;
    private static final int UNITS =
            Pmc.INTR_PFIFO.mask()
                    | Pmc.INTR_PGRAPH.mask()
                    | Pmc.INTR_PCOPY0.mask()
                    | Pmc.INTR_PCOPY1.mask();

    /// Receiver of channels' failures and of non-stall interrupts.
    interface Listener {
        /// Called when a channel has failed.
        ///
        /// @param ended whether the channel must be stopped
        void onFailure(NativeChannel channel, ChannelFailure failure, boolean ended);

        /// Called when an engine has executed a method that requests a non-stall interrupt.
        void onNonStall();
    }

    private final RegisterPort registers;
    private final ChannelTable channels;
    private final IntFunction<KernelPosition> positions;
    private final Listener listener;
    private final FailureReader failures;
    private final LogLimit lines = LogLimit.perMinute(MOST_LINES, System::nanoTime);

    /// @param positions returns the position of a channel's kernel that has failed, or null
    InterruptReader(
            RegisterPort registers,
            ChannelTable channels,
            IntFunction<KernelPosition> positions,
            Listener listener) {
        this.registers = registers;
        this.channels = channels;
        this.positions = positions;
        this.listener = listener;
        this.failures = new FailureReader(registers);
    }

    /// Enables the interrupts of the units in use, after a reset.
    void enable() {
        registers.write(Pgraph.INTR_EN, ALL);
        registers.write(Pmc.INTR_MASK_HOST, UNITS);
        registers.write(Pmc.INTR_EN_HOST, Pmc.INTR_EN_HARDWARE.mask());
    }

    /// Handles all pending interrupts, then enables the next MSI message.
    void handle() {
        int pending = registers.read(Pmc.INTR_HOST) & UNITS;
        if (Pmc.INTR_PFIFO.isSet(pending)) {
            handleFifo();
        }
        if (Pmc.INTR_PGRAPH.isSet(pending)) {
            handleGraph();
        }
        if (Pmc.INTR_PCOPY0.isSet(pending)) {
            handleCopy(EngineId.COPY0, Pcopy.FALCON_0);
        }
        if (Pmc.INTR_PCOPY1.isSet(pending)) {
            handleCopy(EngineId.COPY1, Pcopy.FALCON_1);
        }
        registers.write(Ppci.CYA_2, Ppci.CYA_2_REARM);
    }

    private void handleFifo() {
        int pending = registers.read(Pfifo.INTR) & registers.read(Pfifo.INTR_EN);
        if (Pfifo.INTR_VM_FAULT.isSet(pending)) {
            handleFaults();
        }
        if (Pfifo.INTR_PBDMA.isSet(pending)) {
            handlePbdmas();
        }
        if (Pfifo.INTR_ENGINE.isSet(pending)) {
            handleNonStall();
        }
        if (Pfifo.INTR_RUNLIST.isSet(pending)) {
            registers.write(Pfifo.RUNLIST_EVENT, registers.read(Pfifo.RUNLIST_EVENT));
        }
        int latched = Pfifo.INTR_LATCHED.get(pending);
        if (latched != 0) {
            boolean hang = Pfifo.INTR_SCHED_ERROR.isSet(latched) && handleHang();
            registers.write(Pfifo.INTR, latched);
            if (!hang && lines.spend()) {
                LOG.warn("unattributed interrupt, PFIFO.INTR=0x{}", Integer.toHexString(latched));
            }
        }
    }

    private void handleNonStall() {
        int engines = registers.read(Pfifo.ENGINE_INTR_SOURCE);
        for (int bits = engines; bits != 0; bits &= bits - 1) {
            registers.write(Pfifo.ENGINE_INTR, Integer.numberOfTrailingZeros(bits), ALL);
        }
        listener.onNonStall();
    }

    private void handleFaults() {
        int units = registers.read(Pfifo.VM_FAULT_SOURCE);
        for (int bits = units; bits != 0; bits &= bits - 1) {
            int unit = Integer.numberOfTrailingZeros(bits);
            FaultBlock fault = FaultBlock.take(registers, unit);
            tellKernel(
                    channels.withInstance(fault.instance()),
                    FailureReader.memoryFault(fault),
                    true);
        }
    }

    /// @return whether at least one engine does not release its channel
    private boolean handleHang() {
        boolean found = false;
        for (int engine = 0; engine < EngineId.COUNT; engine++) {
            int status = registers.read(Pfifo.ENGINE_STATUS, engine);
            if (StoppedEngine.hangs(status)) {
                NativeChannel channel = channels.at(Pfifo.STATUS_CHANNEL.get(status));
                tellKernel(channel, FailureReport.timeout(EngineId.of(engine)), true);
                found = true;
            }
        }
        return found;
    }

    private void handlePbdmas() {
        int source = registers.read(Pfifo.PBDMA_INTR_SOURCE);
        for (int bits = source; bits != 0; bits &= bits - 1) {
            int pbdma = Integer.numberOfTrailingZeros(bits);
            int id = Pbdma.CHANNEL_ID.get(registers.read(Pbdma.CHANNEL, pbdma));
            tell(channels.at(id), failures.pbdma(pbdma), true);
            registers.write(Pbdma.METHOD, pbdma, Pbdma.METHOD_VALID.of(1));
            registers.write(Pbdma.DATA, pbdma, 0);
            registers.write(Pbdma.INTR, pbdma, ALL);
        }
    }

    private void handleGraph() {
        int interrupts = registers.read(Pgraph.INTR);
        NativeChannel channel = channels.withInstance(StoppedEngine.graphInstance(registers));
        ChannelFailure failure = failures.graph(interrupts);
        // The acknowledgement resumes the channel after the report: a thread that sees later
        // results can also see the failure.
        if (failure.what() == ChannelFailure.Kind.INSTRUCTION) {
            tellKernel(channel, failure, false);
        } else {
            tell(channel, failure, false);
        }
        registers.write(Pgraph.INTR, interrupts);
    }

    private void handleCopy(EngineId engine, Falcon falcon) {
        NativeChannel channel =
                channels.withInstance(StoppedEngine.copyInstance(registers, falcon));
        ChannelFailure failure = failures.copy(engine, falcon);
        tell(channel, failure, false);
        registers.write(falcon.intrAck(), ALL);
    }

    /// Reports a failure that a kernel may have caused, with the kernel's position.
    private void tellKernel(NativeChannel channel, ChannelFailure failure, boolean ended) {
        KernelPosition position = channel == null ? null : positions.apply(channel.id());
        tell(channel, failure.at(position), ended);
    }

    private void tell(NativeChannel channel, ChannelFailure failure, boolean ended) {
        if (channel != null) {
            listener.onFailure(channel, failure, ended);
        } else if (lines.spend()) {
            LOG.warn("unattributed failure: {}", failure.message());
        }
    }
}
