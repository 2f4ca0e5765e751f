package io.gpuvm.replay;

import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.gf100.reg.Ptimer;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.trap.client.VfioUserClient;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.zip.CRC32C;

/// Reader of a GPU's state through its socket: registers one by one, VRAM through PRAMIN in long
/// reads. Confined to one thread.
///
/// The GPU writes the time into VRAM at a program's request (a semaphore's release with its
/// timestamp), and no two runs write the same times. Such words are identified by their value, a
/// 64-bit number between the GPU's initial and current time, and count as zero. For a run of a
/// minute, the probability that another word is mistaken for a time is one in hundreds of millions.
final class EndStateReader {
    private static final int BAR0 = 0;
    private static final int PAGE_BYTES = 4096;

    /// Distance between the words that are sampled in a page that should be blank.
    private static final int SAMPLE_BYTES = 512;

    private static final int PIECE_BYTES = VfioUserClient.MAX_READ_BYTES;
    private static final long WINDOW_BYTES = Pramin.WINDOW.end() - Pramin.WINDOW.first();
    private static final long QUIET_LIMIT_NS = TimeUnit.SECONDS.toNanos(5);

    /// Time without a change of a register after which the GPU is considered to have completed a
    /// guest's work. Exceeds the time for which the scheduler delays one of many virtual machines
    /// between two commands.
    private static final long QUIET_NAP_MS = 250;

    /// Tolerance for the drift between this process's clock and the GPU's.
    private static final long SLACK_NS = TimeUnit.SECONDS.toNanos(1);

    private static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final VfioUserClient client;
    private final long firstGpuNs;
    private final long firstNs;

    /// Creates the reader. Must be called immediately after connecting, while the GPU's clock has
    /// its value from the reset.
    EndStateReader(VfioUserClient client) {
        this.client = client;
        firstNs = System.nanoTime();
        firstGpuNs = gpuNs();
    }

    /// Reads the state, after the registers have stopped changing.
    ///
    /// @param vramBytes length of the VRAM
    /// @param blank numbers of pages that should be blank, of which some words are sampled; a page
    ///   with a nonzero sample is read completely, like all other pages
    EndState read(long vramBytes, IntPredicate blank) throws InterruptedException {
        Map<Integer, Integer> registers = settledRegisters();
        int window = registers.getOrDefault(Pbus.PMEM.offset(), 0);
        MessageDigest vram = sha256();
        Map<Integer, Long> sums = new TreeMap<>();
        long lastGpuNs = firstGpuNs + System.nanoTime() - firstNs + SLACK_NS;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment piece = arena.allocate(PIECE_BYTES, Long.BYTES);
            for (long at = 0; at < vramBytes; at += PIECE_BYTES) {
                if (at % WINDOW_BYTES == 0) {
                    client.post(BAR0, Pbus.PMEM.offset(), (int) Pbus.PMEM_VRAM.ofBytes(at));
                }
                int bytes = (int) Math.min(PIECE_BYTES, vramBytes - at);
                readPiece(at, bytes, blank, piece);
                forgetTimes(piece, bytes, lastGpuNs);
                vram.update(piece.asByteBuffer().limit(bytes));
                sum(piece, bytes, (int) (at / PAGE_BYTES), sums);
            }
        }
        client.post(BAR0, Pbus.PMEM.offset(), window);
        client.flush();
        return new EndState(
                registers.size(),
                digest(registers),
                vramBytes,
                HexFormat.of().formatHex(vram.digest()),
                sums.size(),
                registers,
                sums);
    }

    /// Reads consecutive pages in one request.
    private void readPiece(long vram, int bytes, IntPredicate blank, MemorySegment piece) {
        int begin = 0;
        for (int page = 0; page < bytes; page += PAGE_BYTES) {
            if (blank.test((int) ((vram + page) / PAGE_BYTES)) && looksBlank(vram + page)) {
                readRun(vram, begin, page, piece);
                piece.asSlice(page, PAGE_BYTES).fill((byte) 0);
                begin = page + PAGE_BYTES;
            }
        }
        readRun(vram, begin, bytes, piece);
    }

    private void readRun(long vram, int begin, int end, MemorySegment piece) {
        if (begin < end) {
            client.read(BAR0, offsetOf(vram + begin), end - begin, piece.asSlice(begin));
        }
    }

    private boolean looksBlank(long vram) {
        for (int at = 0; at < PAGE_BYTES; at += SAMPLE_BYTES) {
            if (client.read(BAR0, offsetOf(vram + at), Long.BYTES) != 0) {
                return false;
            }
        }
        return true;
    }

    private static long offsetOf(long vram) {
        return Pramin.WINDOW.first() + vram % WINDOW_BYTES;
    }

    /// Returns the GPU's time. Its two halves need two reads, between which the upper half may
    /// change.
    private long gpuNs() {
        while (true) {
            long high = read(Ptimer.TIME_HIGH);
            long low = read(Ptimer.TIME_LOW);
            if (read(Ptimer.TIME_HIGH) == high) {
                return high << Integer.SIZE | low;
            }
        }
    }

    private long read(Register register) {
        return client.read(BAR0, register.offset(), Register.BYTES);
    }

    /// Reads the registers until they stop changing, because work may still be in flight.
    private Map<Integer, Integer> settledRegisters() throws InterruptedException {
        long startNs = System.nanoTime();
        Map<Integer, Integer> last = registers();
        while (true) {
            Thread.sleep(QUIET_NAP_MS);
            Map<Integer, Integer> now = registers();
            if (now.equals(last) || System.nanoTime() - startNs > QUIET_LIMIT_NS) {
                return now;
            }
            last = now;
        }
    }

    private Map<Integer, Integer> registers() {
        Map<Integer, Integer> values = new TreeMap<>();
        for (int offset : GuestReads.stateRegisters()) {
            int value = (int) client.read(BAR0, offset, Register.BYTES);
            values.put(offset, GuestReads.stable(offset, value));
        }
        return values;
    }

    private void forgetTimes(MemorySegment piece, int bytes, long lastGpuNs) {
        for (long at = 0; at < bytes; at += Long.BYTES) {
            long word = piece.get(U64, at);
            if (word >= firstGpuNs && word <= lastGpuNs) {
                piece.set(U64, at, 0);
            }
        }
    }

    private static void sum(
            MemorySegment piece, int bytes, int firstPage, Map<Integer, Long> sums) {
        for (int at = 0; at < bytes; at += PAGE_BYTES) {
            MemorySegment page = piece.asSlice(at, PAGE_BYTES);
            if (!isBlank(page)) {
                CRC32C crc = new CRC32C();
                crc.update(page.asByteBuffer());
                sums.put(firstPage + at / PAGE_BYTES, crc.getValue());
            }
        }
    }

    private static boolean isBlank(MemorySegment page) {
        for (long at = 0; at < PAGE_BYTES; at += Long.BYTES) {
            if (page.get(U64, at) != 0) {
                return false;
            }
        }
        return true;
    }

    private static String digest(Map<Integer, Integer> registers) {
        ByteBuffer words =
                ByteBuffer.allocate(registers.size() * 2 * Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN);
        registers.forEach((offset, value) -> words.putInt(offset).putInt(value));
        return HexFormat.of().formatHex(sha256().digest(words.array()));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
