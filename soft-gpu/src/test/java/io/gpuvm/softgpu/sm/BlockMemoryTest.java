package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.Opcode;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Accesses of whole warps to shared and local memory, with all patterns of addresses, compared
/// with lane-by-lane accesses. Each trial first stores data, then loads from the same and from
/// other addresses.
class BlockMemoryTest {
    private static final int LANES = 32;
    private static final int TRIALS = 1500;

    /// Size of the shared memory of a block of [TestSm], in bytes.
    private static final int SHARED_BYTES = 1024;

    /// Size of the part of a thread's local memory that starts at address 0, in bytes.
    private static final int LOCAL_BYTES = 256;

    private static final int LINE = 64;

    private final TestSm sm = new TestSm();
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final RandomLanes lanes = new RandomLanes(random);

    @AfterEach
    void close() {
        sm.close();
    }

    /// Store, then a load of another width by other lanes.
    private record Trial(
            Opcode store,
            Opcode load,
            MemorySize storeSize,
            MemorySize loadSize,
            int storeMask,
            int loadMask,
            int added,
            int[] storeTo,
            int[] loadFrom) {
        String source() {
            return "@P0 %s%s [R2%s], R8\n@P1 %s%s R12, [R3%s]\nEXIT"
                    .formatted(
                            store, suffix(storeSize), offset(), load, suffix(loadSize), offset());
        }

        private String offset() {
            return (added < 0 ? "-" : "+") + "0x%x".formatted(Math.abs(added));
        }

        private static String suffix(MemorySize size) {
            return size == MemorySize.B32 ? "" : "." + size.name().replace("B", "");
        }

        private static boolean has(int mask, int lane) {
            return (mask >>> lane & 1) != 0;
        }
    }

    @Test
    void givenSharedMemory_whenAccessed_thenResultEqualsLaneByLaneExecution() {
        for (int n = 0; n < TRIALS; n++) {
            Trial trial = trial(Opcode.STS, Opcode.LDS, SHARED_BYTES);
            check(trial, new byte[1][SHARED_BYTES], "seed=%d trial=%d".formatted(seed, n));
        }
    }

    @Test
    void givenLocalMemory_whenAccessed_thenResultEqualsLaneByLaneExecution() {
        for (int n = 0; n < TRIALS; n++) {
            Trial trial = trial(Opcode.STL, Opcode.LDL, LOCAL_BYTES);
            // Local memory retains its content, so all of it is cleared first.
            clearLocal();
            check(trial, new byte[LANES][LOCAL_BYTES], "seed=%d trial=%d".formatted(seed, n));
        }
    }

    private void clearLocal() {
        StringBuilder source = new StringBuilder();
        for (int at = 0; at < LOCAL_BYTES; at += 16) {
            source.append("STL.128 [0x%x], RZ\n".formatted(at));
        }
        sm.unset().code(source.append("EXIT").toString()).run();
    }

    private Trial trial(Opcode store, Opcode load, int limit) {
        MemorySize storeSize = size();
        MemorySize loadSize = size();
        int[] storeTo = lanes.addresses(storeSize.bytes(), limit, LINE);
        boolean same = random.nextBoolean() && loadSize.bytes() <= storeSize.bytes();
        return new Trial(
                store,
                load,
                storeSize,
                loadSize,
                lanes.mask(),
                lanes.mask(),
                (random.nextInt(64) - 32) * 16,
                storeTo,
                same ? storeTo : lanes.addresses(loadSize.bytes(), limit, LINE));
    }

    private MemorySize size() {
        int codes = MemorySize.values().length;
        return random.nextInt(3) == 0 ? MemorySize.B32 : MemorySize.of(random.nextInt(codes));
    }

    /// @param memory one array for all lanes, or one array per lane
    private void check(Trial trial, byte[][] memory, String what) {
        int[][] data = registers(8);
        int[][] before = registers(12);
        sm.set(2, addresses(trial.storeTo(), trial.added(), trial.storeMask()));
        sm.set(3, addresses(trial.loadFrom(), trial.added(), trial.loadMask()));
        sm.setPredicate(0, trial.storeMask()).setPredicate(1, trial.loadMask());
        sm.code(trial.source()).run();
        for (int l = 0; l < LANES; l++) {
            for (int b = 0; b < trial.storeSize().bytes(); b++) {
                if (Trial.has(trial.storeMask(), l)) {
                    memory[l % memory.length][trial.storeTo()[l] + b] =
                            (byte) (data[b / 4][l] >>> b % 4 * Byte.SIZE);
                }
            }
        }
        for (int k = 0; k < Math.max(1, trial.loadSize().bytes() / 4); k++) {
            int[] found = sm.register(12 + k);
            for (int l = 0; l < LANES; l++) {
                int expected = before[k][l];
                if (Trial.has(trial.loadMask(), l)) {
                    int at = trial.loadFrom()[l] + 4 * k;
                    expected = loaded(memory[l % memory.length], at, trial.loadSize());
                }
                assertEquals(expected, found[l], what + " lane=" + l + " " + trial.source());
            }
        }
        sm.unset();
    }

    private int[][] registers(int first) {
        int[][] values = new int[4][];
        for (int k = 0; k < values.length; k++) {
            values[k] = random.ints(LANES).toArray();
            sm.set(first + k, values[k]);
        }
        return values;
    }

    private int[] addresses(int[] of, int added, int mask) {
        int[] addresses = new int[LANES];
        for (int l = 0; l < LANES; l++) {
            boolean isThere = Trial.has(mask, l) || random.nextBoolean();
            addresses[l] = isThere ? of[l] - added : random.nextInt();
        }
        return addresses;
    }

    private static int loaded(byte[] memory, int at, MemorySize size) {
        int bytes = Math.min(Integer.BYTES, size.bytes());
        int value = 0;
        for (int b = bytes - 1; b >= 0; b--) {
            boolean isSigned = b == bytes - 1 && size.signed();
            value = value << Byte.SIZE | (isSigned ? memory[at + b] : memory[at + b] & 0xff);
        }
        return value;
    }

    @Test
    void givenInvalidAddressInOneLane_whenAccessed_thenLaneIsReported() {
        String[] sources = {"STS [R2], R8", "LDS R8, [R2]", "STL [R2], R8", "LDL R8, [R2]"};
        for (int n = 0; n < 200; n++) {
            String source = sources[n % sources.length];
            int limit = n % sources.length < 2 ? SHARED_BYTES : LOCAL_BYTES;
            int[] addresses = lanes.addresses(4, limit, LINE);
            int lane = random.nextInt(LANES);
            boolean isMisaligned = random.nextBoolean();
            addresses[lane] = isMisaligned ? addresses[lane] | 2 : outside(limit);
            sm.unset().set(2, addresses).setPredicate(0, -1 << random.nextInt(lane + 1));
            SmTrap trap = sm.code("@P0 %s\nEXIT".formatted(source)).runToTrap();
            WarpError error = ((SmTrap.InstructionError) trap).error();
            String what = "seed=%d %s %#x".formatted(seed, source, addresses[lane]);
            assertEquals(
                    isMisaligned ? WarpError.MISALIGNED_ADDR : WarpError.OOR_ADDR, error, what);
            assertEquals(lane, trap.position().thread().x(), what);
        }
    }

    /// Returns an invalid address. Local addresses have 24 bits, and the last 64 bytes of this
    /// range are valid.
    private int outside(int limit) {
        int[] wrong = {limit, limit + 4, 1 << 20, (1 << 24) - 68, 0x7f00_0000 - 128};
        return wrong[random.nextInt(wrong.length)] & -4;
    }
}
