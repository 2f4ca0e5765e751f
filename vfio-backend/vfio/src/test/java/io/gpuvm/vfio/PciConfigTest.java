package io.gpuvm.vfio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.GpuDeviceException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/// Tests of the power state of a function whose configuration space is in memory: MSI at 0x50,
/// followed by power management at 0x60.
class PciConfigTest {
    private static final int STATUS = 0x06;
    private static final int FIRST = 0x34;
    private static final int MSI = 0x50;
    private static final int POWER = 0x60;
    private static final int CONTROL = POWER + 4;
    private static final short PME_ENABLED_D3 = 0x103;

    private final ByteBuffer bytes = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
    private boolean deaf;
    private int writes;

    private final PciConfig config =
            new PciConfig(
                    "0000:01:00.0",
                    new PciConfig.Space() {
                        @Override
                        public long read(int offset, int width) {
                            return width == 1
                                    ? Byte.toUnsignedLong(bytes.get(offset))
                                    : Short.toUnsignedLong(bytes.getShort(offset));
                        }

                        @Override
                        public void write(int offset, int width, long value) {
                            writes++;
                            if (!deaf) {
                                bytes.putShort(offset, (short) value);
                            }
                        }
                    });

    PciConfigTest() {
        bytes.putShort(STATUS, (short) 0x10);
        bytes.put(FIRST, (byte) MSI);
        bytes.putShort(MSI, (short) (POWER << 8 | 0x05));
        bytes.putShort(POWER, (short) 0x01);
    }

    @Test
    void givenSleepingCard_whenWoken_thenStateIsD0AndOtherBitsAreUnchanged() {
        bytes.putShort(CONTROL, PME_ENABLED_D3);

        config.wake();

        assertEquals(0x100, bytes.getShort(CONTROL));
    }

    @Test
    void givenAwakeCard_whenWoken_thenNothingIsWritten() {
        bytes.putShort(CONTROL, (short) 0x100);

        config.wake();

        assertEquals(0, writes);
    }

    @Test
    void givenCardThatDoesNotWake_whenWoken_thenStateIsNamed() {
        bytes.putShort(CONTROL, PME_ENABLED_D3);
        deaf = true;

        String message = assertThrows(GpuDeviceException.class, config::wake).getMessage();

        assertTrue(message.startsWith("0000:01:00.0: power state=D3, expected D0"), message);
    }

    @Test
    void givenNoPowerManagement_whenWoken_thenCardCountsAsAwake() {
        bytes.putShort(STATUS, (short) 0);
        bytes.putShort(CONTROL, PME_ENABLED_D3);
        config.wake();

        bytes.putShort(STATUS, (short) 0x10);
        bytes.put(MSI + 1, (byte) MSI); // an endless list
        config.wake();

        assertEquals(0, writes);
    }
}
