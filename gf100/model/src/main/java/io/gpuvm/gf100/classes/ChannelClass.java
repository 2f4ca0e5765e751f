package io.gpuvm.gf100.classes;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;

/// Class 906f, the channel: methods below [#FIRST_ENGINE_METHOD], which PFIFO itself executes on
/// any subchannel.
///
/// Sources: envytools `docs/hw/fifo/puller.rst`; nouveau `nvc0_fence.c`.
public final class ChannelClass {
    /// Number of the class.
    public static final int ID = 0x906f;

    /// First method that PFIFO passes to the engine bound to the subchannel.
    public static final int FIRST_ENGINE_METHOD = 0x100;

    /// Binds an object to the subchannel.
    public static final int SET_OBJECT = 0x000;

    public static final BitField OBJECT_CLASS = bits(15, 0);
    public static final BitField OBJECT_ENGINE = bits(20, 16);

    public static final int NOP = 0x008;

    /// Virtual address of the semaphore, a multiple of 4.
    public static final int SEMAPHORE_ADDRESS_HIGH = 0x010;

    public static final int SEMAPHORE_ADDRESS_LOW = 0x014;
    public static final int SEMAPHORE_PAYLOAD = 0x018;

    /// Acquires or releases the semaphore.
    public static final int SEMAPHORE_TRIGGER = 0x01c;

    public static final BitField SEMAPHORE_OPERATION = bits(3, 0);

    /// Waits until the value in memory equals the payload.
    public static final int ACQUIRE_EQUAL = 1;

    public static final int RELEASE = 2;

    /// Waits until the value in memory minus the payload, as a signed 32-bit number, is not
    /// negative.
    public static final int ACQUIRE_GREATER_EQUAL = 4;

    /// Waits until the value in memory and the payload have at least one set bit in common.
    public static final int ACQUIRE_MASK = 8;

    /// Lets other channels run during the wait.
    public static final BitField ACQUIRE_SWITCH = bit(12);

    /// Releases without waiting for the engine.
    public static final BitField RELEASE_WITHOUT_WAIT = bit(20);

    /// Releases 4 bytes, without the timestamp.
    public static final BitField RELEASE_SHORT = bit(24);

    /// Raises the engine's non-stall interrupt; the data is ignored.
    public static final int NON_STALL_INTERRUPT = 0x020;

    /// Makes earlier writes visible.
    public static final int WRITE_CACHE_FLUSH = 0x024;

    public static final int UNKNOWN_28 = 0x028;
    public static final int UNKNOWN_2C = 0x02c;

    /// Sets the reference count after all earlier work is complete.
    public static final int SET_REFERENCE = 0x050;

    /// Sets the low half of the semaphore's address, as on older chips.
    public static final int SEMAPHORE_OFFSET = 0x064;

    /// Waits until the semaphore equals the data.
    public static final int SEMAPHORE_ACQUIRE = 0x068;

    /// Writes the data, 4 bytes, to the semaphore.
    public static final int SEMAPHORE_RELEASE = 0x06c;

    public static final int UNKNOWN_70 = 0x070;
    public static final int UNKNOWN_74 = 0x074;
    public static final int UNKNOWN_78 = 0x078;

    /// Method of unknown effect; its data must be 0.
    public static final int UNKNOWN_7C = 0x07c;

    /// Ends the time slice.
    public static final int YIELD = 0x080;

    private ChannelClass() {}

    /// Returns the data of [#SET_OBJECT] for a class.
    public static int object(ClassId id) {
        return OBJECT_CLASS.of(id.number()) | OBJECT_ENGINE.of(id.engine().number());
    }
}
