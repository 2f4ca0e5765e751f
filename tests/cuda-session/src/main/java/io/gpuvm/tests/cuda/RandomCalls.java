package io.gpuvm.tests.cuda;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiOperand;
import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.CallClass;
import io.gpuvm.cuda.api.table.ValueCheck;
import io.gpuvm.cuda.api.table.WireLayout;
import io.gpuvm.cuda.protocol.CudaEntry;
import io.gpuvm.cuda.protocol.CudaOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Source of random calls of a hostile client: calls of all opcodes with operands that are often
/// valid, and entries that are not calls. It encodes calls by the table of `cuda/api`,
/// independently of [io.gpuvm.cuda.protocol.CudaCall].
public final class RandomCalls {
    /// Opcodes that occur less often: they end objects of many calls.
    private static final List<Integer> RARE =
            List.of(
                    CudaOpcode.CTX_DESTROY,
                    CudaOpcode.DEVICE_PRIMARY_CTX_RELEASE,
                    CudaOpcode.DEVICE_PRIMARY_CTX_RESET,
                    CudaOpcode.MODULE_UNLOAD);

    private static final int MOST_HANDLES = 3;
    private static final ValueLayout.OfLong WORD =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Random random;
    private final CudaTestClient client;
    private final List<ApiFunction> calls = ApiTable.load().calls();
    private final List<Long> limits = new ArrayList<>();
    private final List<byte[]> texts = new ArrayList<>();
    private final List<Long> addresses = new ArrayList<>(List.of(0L, -1L, 1L << 20));

    /// @param random source of all choices
    public RandomCalls(Random random, CudaTestClient client) {
        this.random = random;
        this.client = client;
        for (ApiFunction call : calls) {
            call.operands().forEach(operand -> operand.checks().forEach(this::addLimits));
        }
    }

    private void addLimits(ValueCheck check) {
        limits.add(check.first());
        limits.add(check.first() - 1);
        limits.add(check.last() + 1);
    }

    /// Adds an address of memory, which later calls use.
    public void addAddress(long address) {
        addresses.add(address);
    }

    /// Adds bytes that later calls have as names, hashes or parameters.
    public void addBytes(byte[] bytes) {
        texts.add(bytes);
    }

    /// Call that was sent.
    ///
    /// @param number number of the call
    /// @param opcode opcode of the call
    /// @param isAnswered whether a completion follows
    public record Sent(long number, int opcode, boolean isAnswered) {}

    /// Sends a call.
    public Sent send() {
        if (random.nextInt(50) == 0) {
            return sendGarbage();
        }
        ApiFunction call = calls.get(random.nextInt(calls.size()));
        while (RARE.contains(call.opcode()) && random.nextInt(20) != 0) {
            call = calls.get(random.nextInt(calls.size()));
        }
        return send(call);
    }

    private Sent sendGarbage() {
        int opcode = random.nextBoolean() ? random.nextInt(1 << 16) : someOpcode();
        int tag = CudaEntry.tag(opcode, random.nextInt(8));
        long number =
                client.sendEntry(
                        tag,
                        entry -> {
                            for (int at = CudaEntry.OPERANDS; at < CudaEntry.BYTES; at += 8) {
                                entry.set(WORD, at, size());
                            }
                        });
        return sent(number, tag);
    }

    private int someOpcode() {
        return calls.get(random.nextInt(calls.size())).opcode();
    }

    private static Sent sent(long number, int tag) {
        boolean isAnswered = (CudaEntry.flagsOf(tag) & CudaOpcode.NO_REPLY) == 0;
        return new Sent(number, CudaEntry.opcodeOf(tag), isAnswered);
    }

    private Sent send(ApiFunction call) {
        WireLayout layout = call.layout();
        int flags = layout.isSpilled() ? CudaOpcode.SPILLED : 0;
        if (call.callClass() == CallClass.NO_REPLY && random.nextInt(10) != 0) {
            flags |= CudaOpcode.NO_REPLY;
        }
        int tag = CudaEntry.tag(call.opcode(), flags);
        long number = client.sendEntry(tag, entry -> write(entry, layout));
        return sent(number, tag);
    }

    private void write(MemorySegment entry, WireLayout layout) {
        long offset = client.data().byteSize() - CudaTestClient.ARGUMENT_BYTES;
        MemorySegment arguments = client.data().asSlice(offset, CudaOpcode.MAX_ARGUMENT_BYTES);
        List<ApiOperand> words = layout.words();
        for (int i = 0; i < words.size(); i++) {
            WireLayout.Place place = layout.placeOf(i);
            (place.isInEntry() ? entry : arguments).set(WORD, place.offset(), word(words.get(i)));
        }
        if (!layout.isSpilled()) {
            return;
        }
        long end = (long) layout.spilledWords() * Long.BYTES;
        for (ApiOperand blob : layout.blobs()) {
            byte[] bytes = bytes(blob);
            arguments.set(WORD, end, random.nextInt(50) == 0 ? size() : bytes.length);
            MemorySegment.copy(
                    bytes, 0, arguments, ValueLayout.JAVA_BYTE, end + Long.BYTES, bytes.length);
            end += Long.BYTES + (bytes.length + Long.BYTES - 1L & -Long.BYTES);
        }
        boolean isWrong = random.nextInt(50) == 0;
        entry.set(WORD, CudaEntry.OPERANDS, isWrong ? size() : offset);
        entry.set(WORD, CudaEntry.ARGUMENT_BYTES, random.nextInt(50) == 0 ? size() : end);
    }

    private long word(ApiOperand operand) {
        if (random.nextInt(100) == 0) {
            return limits.get(random.nextInt(limits.size()));
        }
        for (int i = 0; i < 8; i++) {
            long value = fitted(operand, candidate(operand));
            if (operand.checks().stream().allMatch(check -> check.accepts(value))) {
                return value;
            }
        }
        return 0;
    }

    private long candidate(ApiOperand operand) {
        long value =
                switch (operand.kind()) {
                    case CONTEXT, STREAM, EVENT, MODULE, TEXREF -> handle();
                    case ADDRESS -> address();
                    case DEVICE -> random.nextInt(20) == 0 ? 1 : 0;
                    case AREA -> random.nextInt(20) == 0 ? size() : random.nextInt(1 << 20);
                    case SIZE, U64 -> size();
                    default -> random.nextInt(10) == 0 ? random.nextLong() : random.nextInt(4);
                };
        for (ValueCheck check : operand.checks()) {
            value =
                    switch (check.kind()) {
                        case RANGE -> random.nextLong(check.first(), check.last() + 1);
                        case MASK -> value & check.first();
                        case MULTIPLE -> value / check.first() * check.first();
                        default -> value;
                    };
        }
        return value;
    }

    private static long fitted(ApiOperand operand, long value) {
        return switch (operand.type()) {
            case I32 -> (int) value;
            case U8 -> value & 0xff;
            case U16 -> value & 0xffff;
            case U32, F32 -> value & 0xffff_ffffL;
            default -> value;
        };
    }

    private byte[] bytes(ApiOperand operand) {
        int choice = random.nextInt(texts.size() + 1);
        if (choice < texts.size()) {
            return texts.get(choice);
        }
        int most = Math.min(operand.maxBytes(), 64);
        byte[] bytes = new byte[operand.isFixed() ? operand.maxBytes() : random.nextInt(most + 1)];
        random.nextBytes(bytes);
        return bytes;
    }

    /// Returns a handle that often denotes an object.
    private long handle() {
        return random.nextInt(50) == 0 ? random.nextLong() : 1 + random.nextInt(MOST_HANDLES);
    }

    private long address() {
        return addresses.get(random.nextInt(addresses.size())) + random.nextInt(4) * 4L;
    }

    private long size() {
        return switch (random.nextInt(8)) {
            case 0 -> random.nextLong();
            case 1 -> -random.nextInt(100);
            case 2 -> 0;
            case 3 -> random.nextInt(1 << 22);
            default -> random.nextInt(300);
        };
    }
}
