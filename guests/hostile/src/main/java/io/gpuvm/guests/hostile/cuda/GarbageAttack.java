package io.gpuvm.guests.hostile.cuda;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaEntry;
import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.pv.protocol.WireType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Random entries with all opcodes, and with words of the dictionary of `cuda/api`.
final class GarbageAttack {
    private static final String DICTIONARY = "cuda.dict";

    /// Number of entries of a session.
    private static final int ENTRIES_OF_SESSION = 4000;

    /// Number of unanswered calls from which a session ends: host functions that the client does
    /// not end may block all later calls.
    private static final int MOST_UNANSWERED = 600;

    /// Number of recent calls that may be host functions, which the client ends.
    private static final int RECENT = 64;

    private final HostileGround ground;
    private final Findings findings;
    private final Random random;
    private final List<Integer> opcodes = new ArrayList<>();
    private final List<Long> words = new ArrayList<>();

    /// Unanswered calls of the current session.
    private int unanswered;

    private GarbageAttack(HostileGround ground, Findings findings) {
        this.ground = ground;
        this.findings = findings;
        random = ground.random(DICTIONARY);
        read();
        words.addAll(
                List.of(
                        0L,
                        1L,
                        2L,
                        -1L,
                        Long.MIN_VALUE,
                        Long.MAX_VALUE,
                        1L << Integer.SIZE,
                        HostileSession.FIRST_ADDRESS,
                        HostileSession.FIRST_ADDRESS + HostileSession.ADDRESS_BYTES,
                        HostileSession.DATA_ADDRESS,
                        HostileSession.DATA_ADDRESS + HostileSession.DATA_BYTES,
                        HostileSession.DATA_BYTES,
                        1L | 1L << Integer.SIZE));
    }

    /// Reads opcodes and limits from the dictionary: lines of the form `NAME="\x01..."`.
    private void read() {
        try (BufferedReader reader =
                new BufferedReader(
                        new InputStreamReader(
                                GarbageAttack.class.getResourceAsStream(DICTIONARY),
                                StandardCharsets.UTF_8))) {
            for (String line; (line = reader.readLine()) != null; ) {
                if (line.startsWith("#")) {
                    continue;
                }
                byte[] bytes = bytesOf(line);
                ByteBuffer value = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
                if (bytes.length == Integer.BYTES) {
                    opcodes.add(CudaEntry.opcodeOf(value.getInt()));
                } else {
                    words.add(value.getLong());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] bytesOf(String line) {
        String[] parts =
                line.substring(line.indexOf('"') + 1, line.lastIndexOf('"')).split("\\\\x");
        byte[] bytes = new byte[parts.length - 1];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(parts[i + 1], 16);
        }
        return bytes;
    }

    static void run(HostileGround ground, Findings findings) {
        GarbageAttack attack = new GarbageAttack(ground, findings);
        int sent = 0;
        while (sent < ground.settings().entries()) {
            sent += attack.runSession();
        }
    }

    /// @return number of entries
    private int runSession() {
        int sent = 0;
        try (HostileSession session =
                HostileSession.open(ground.socket(), HostileSession.DATA_BYTES)) {
            unanswered = 0;
            if (random.nextInt(8) != 0) {
                prepare(session);
            }
            while (sent < ENTRIES_OF_SESSION && unanswered < MOST_UNANSWERED) {
                send(session);
                sent++;
                unanswered -= session.forget();
                if (random.nextInt(RECENT / 2) == 0) {
                    endHostFunctions(session);
                }
            }
        } catch (LostSessionException e) {
            findings.add("a session with numbers in order ended: " + e.getMessage());
        }
        return sent;
    }

    /// Creates objects that random calls find.
    private void prepare(HostileSession session) {
        findings.expect("Connect", session.connect(), CudaStatus.SUCCESS);
        long address = 0;
        for (long context = 1; context <= 2; context++) {
            session.call(new CudaCall.CtxCreate(context, 0, 0, context));
            session.call(HostileModule.load(session, context, context, HostileModule.WITHOUT_SPIN));
            session.send(new CudaCall.EventCreate(context, context, 0));
            address = session.call(new CudaCall.MemAlloc(context, 1 << 20)).first();
        }
        words.set(random.nextInt(words.size()), address);
    }

    private void send(HostileSession session) {
        int opcode =
                random.nextInt(16) == 0
                        ? random.nextInt(1 << Short.SIZE)
                        : opcodes.get(random.nextInt(opcodes.size()));
        int flags = random.nextInt(16) == 0 ? random.nextInt(1 << Short.SIZE) : random.nextInt(4);
        long[] operands = new long[HostileSession.WORDS];
        for (int i = 0; i < operands.length; i++) {
            operands[i] = word();
        }
        if ((flags & CudaOpcode.SPILLED) != 0 && random.nextInt(8) != 0) {
            operands[0] = session.data().byteSize() - HostileSession.ARGUMENT_BYTES;
            operands[1] = Long.BYTES * random.nextLong(HostileSession.WORDS * 4L);
            for (long at = 0; at < operands[1]; at += Long.BYTES) {
                session.data().set(WireType.U64, operands[0] + at, word());
            }
        }
        if (random.nextInt(64) == 0) {
            session.send(new CudaCall.CtxCreate(1, 0, 0, 1));
            unanswered++;
        }
        session.send(CudaEntry.tag(opcode, flags), session.last() + 1, operands);
        unanswered += (flags & CudaOpcode.NO_REPLY) == 0 ? 1 : 0;
    }

    private long word() {
        return switch (random.nextInt(8)) {
            case 0 -> random.nextLong();
            case 1 -> random.nextInt();
            case 2 -> random.nextInt(1 << 24);
            case 3, 4 -> 1 + random.nextInt(2);
            default -> words.get(random.nextInt(words.size())) + random.nextInt(3) - 1;
        };
    }

    private static void endHostFunctions(HostileSession session) {
        long last = session.last();
        for (long call = Math.max(1, last - RECENT); call <= last; call++) {
            session.send(new CudaCall.HostFunctionDone(call));
        }
    }
}
