package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.BitField;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.unit.fifo.NonStallInterrupts;
import io.gpuvm.softgpu.engine.WorkCounter;

/// Methods that PFIFO executes itself: semaphores, interrupts, reference counts.
///
/// Engines finish a method before the next method starts, so no host method waits for another
/// method. A wait for a semaphore has no limit: the timeout in RAMFC is not implemented. Confined
/// to the engine thread.
final class HostMethods {
    private static final BitField ADDRESS_LOW = BitField.bits(31, 0);
    private static final BitField ADDRESS_HIGH = BitField.bits(39, 32);
    private static final int SEMAPHORE_ALIGNMENT_MASK = Integer.BYTES - 1;

    /// Result that indicates success; other results are interrupt bits of [Pbdma].
    static final int FINE = 0;

    private final NonStallInterrupts nonStall;

    HostMethods(NonStallInterrupts nonStall) {
        this.nonStall = nonStall;
    }

    /// Executes any method except [ChannelClass#SET_OBJECT].
    ///
    /// If the channel must wait for a semaphore, its state is [RunState#ACQUIRING] afterwards, and
    /// the method must be executed again.
    ///
    /// @return [#FINE], or the PBDMA interrupt that reports the error
    int execute(Channel channel, int method, int data) {
        switch (method) {
            case ChannelClass.SEMAPHORE_ADDRESS_HIGH ->
                    channel.semaphoreAt(
                            ADDRESS_HIGH.with(
                                    channel.semaphoreGpuVa(), Integer.toUnsignedLong(data)));
            case ChannelClass.SEMAPHORE_ADDRESS_LOW, ChannelClass.SEMAPHORE_OFFSET ->
                    channel.semaphoreAt(
                            ADDRESS_LOW.with(
                                    channel.semaphoreGpuVa(), Integer.toUnsignedLong(data)));
            case ChannelClass.SEMAPHORE_PAYLOAD -> channel.semaphorePayload(data);
            case ChannelClass.SEMAPHORE_TRIGGER -> {
                return trigger(channel, data);
            }
            case ChannelClass.SEMAPHORE_ACQUIRE -> {
                return acquire(channel, ChannelClass.ACQUIRE_EQUAL, data);
            }
            case ChannelClass.SEMAPHORE_RELEASE -> {
                return release(channel, data, true);
            }
            case ChannelClass.NON_STALL_INTERRUPT -> interrupt(channel);
            case ChannelClass.SET_REFERENCE -> {
                channel.reference(data);
                channel.ring().tellReference(data);
            }
            case ChannelClass.YIELD -> channel.parts().slice().end();
            case ChannelClass.UNKNOWN_7C -> {
                return data == 0 ? FINE : Pbdma.INTR_METHOD_7C_NONZERO.mask();
            }
            case ChannelClass.NOP,
                    ChannelClass.WRITE_CACHE_FLUSH,
                    ChannelClass.UNKNOWN_28,
                    ChannelClass.UNKNOWN_2C,
                    ChannelClass.UNKNOWN_70,
                    ChannelClass.UNKNOWN_74,
                    ChannelClass.UNKNOWN_78 -> {}
            default -> {
                return Pbdma.INTR_ILLEGAL_METHOD.mask();
            }
        }
        return FINE;
    }

    private int trigger(Channel channel, int data) {
        int operation = ChannelClass.SEMAPHORE_OPERATION.get(data);
        return switch (operation) {
            case ChannelClass.RELEASE ->
                    release(
                            channel,
                            channel.semaphorePayload(),
                            ChannelClass.RELEASE_SHORT.isSet(data));
            case ChannelClass.ACQUIRE_EQUAL,
                    ChannelClass.ACQUIRE_GREATER_EQUAL,
                    ChannelClass.ACQUIRE_MASK ->
                    acquire(channel, operation, channel.semaphorePayload());
            default -> Pbdma.INTR_ILLEGAL_SEMAPHORE.mask();
        };
    }

    private int acquire(Channel channel, int operation, int payload) {
        if (isUnaligned(channel)) {
            return Pbdma.INTR_ILLEGAL_SEMAPHORE.mask();
        }
        int value = channel.memory().read32(channel.semaphoreGpuVa());
        boolean acquired =
                switch (operation) {
                    case ChannelClass.ACQUIRE_EQUAL -> value == payload;
                    case ChannelClass.ACQUIRE_GREATER_EQUAL -> value - payload >= 0;
                    default -> (value & payload) != 0;
                };
        if (acquired) {
            channel.parts().counters().increment(WorkCounter.SEMAPHORE_ACQUIRES);
        } else {
            channel.acquire();
        }
        return FINE;
    }

    private int release(Channel channel, int payload, boolean shortForm) {
        if (isUnaligned(channel)) {
            return Pbdma.INTR_ILLEGAL_SEMAPHORE.mask();
        }
        if (shortForm) {
            channel.memory().release32(channel.semaphoreGpuVa(), payload);
        } else {
            long nowNs = channel.parts().clockNs().getAsLong();
            channel.memory().writeRecord(channel.semaphoreGpuVa(), payload, nowNs);
        }
        channel.parts().counters().increment(WorkCounter.SEMAPHORE_RELEASES);
        return FINE;
    }

    private void interrupt(Channel channel) {
        channel.parts().counters().increment(WorkCounter.NON_STALL_INTERRUPTS);
        EngineId engine = channel.engine() == EngineId.SOFTWARE ? EngineId.GRAPH : channel.engine();
        nonStall.raise(engine.number());
    }

    private static boolean isUnaligned(Channel channel) {
        return (channel.semaphoreGpuVa() & SEMAPHORE_ALIGNMENT_MASK) != 0;
    }
}
