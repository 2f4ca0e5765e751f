package io.gpuvm.guests.hostile.cuda;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.gf100.asm.Assembler;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// Module of hostile clients, and of the programs beside them.
final class HostileModule {
    /// Index of the kernel `add(address, added)`, which adds to consecutive words.
    static final int ADD = 0;

    /// Index of the kernel `spin(address)`, which waits until a word is not 0.
    static final int SPIN = 1;

    /// Index of the kernel `peek(address, target)`, which copies a word.
    static final int PEEK = 2;

    /// Index of the kernel `flip(address, flag)`, which writes increasing numbers to a word until
    /// another word is not 0.
    static final int FLIP = 3;

    /// Name of the file for programs in C, without its suffix.
    static final String NAME = "hostile";

    /// Offset in the data area of the image that [#load] writes.
    static final long IMAGE = 1 << 20;

    /// Offset in the data area of the description that the backend writes.
    static final long DESCRIPTION = 2 << 20;

    static final long DESCRIPTION_BYTES = 64 << 10;

    private static final String ADD_SOURCE =
            """
            .kernel add
                    .param out, 8
                    .param added, 4
                    S2R R0, SR_CTAID.X
                    S2R R1, SR_TID.X
                    IMAD.U32.U32 R0, R0, c[0][8], R1
                    MOV R4, 4
                    IMUL.U32.U32.HI R5, R0, R4
                    IMAD.U32.U32 R2.CC, R0, R4, c[out]
                    IADD.X R3, R5, c[out + 4]
                    LD.E R4, [R2]
                    IADD R4, R4, c[added]
                    ST.E [R2], R4
                    EXIT
            .end
            """;

    private static final String SPIN_SOURCE =
            """
            .kernel spin
                    .param flag, 8
                    MOV R2, c[flag]
                    MOV R3, c[flag + 4]
            look:   LD.E.CV R4, [R2]
                    ISETP.EQ P0, R4, RZ
                    @P0 BRA look
                    EXIT
            .end
            """;

    private static final String PEEK_SOURCE =
            """
            .kernel peek
                    .param from, 8
                    .param to, 8
                    MOV R2, c[from]
                    MOV R3, c[from + 4]
                    LD.E R4, [R2]
                    MOV R2, c[to]
                    MOV R3, c[to + 4]
                    ST.E [R2], R4
                    EXIT
            .end
            """;

    private static final String FLIP_SOURCE =
            """
            .kernel flip
                    .param where, 8
                    .param flag, 8
                    MOV R2, c[where]
                    MOV R3, c[where + 4]
                    MOV R6, c[flag]
                    MOV R7, c[flag + 4]
                    MOV R4, RZ
            again:  IADD R4, R4, 7
                    ST.E [R2], R4
                    LD.E.CV R5, [R6]
                    ISETP.EQ P0, R5, RZ
                    @P0 BRA again
                    EXIT
            .end
            """;

    /// The module as a file.
    static final byte[] CUBIN =
            Assembler.assemble(NAME, ADD_SOURCE + SPIN_SOURCE + PEEK_SOURCE + FLIP_SOURCE)
                    .toBytes();

    /// The module without the kernel that waits, for random launches.
    static final byte[] WITHOUT_SPIN = Assembler.assemble(NAME, ADD_SOURCE + PEEK_SOURCE).toBytes();

    private HostileModule() {}

    /// Returns the call that loads an image, which this method writes to the data area.
    static CudaCall.ModuleLoadData load(
            HostileSession session, long context, long module, byte[] image) {
        write(session, image);
        return load(context, module, image.length, sha256(image));
    }

    /// Writes an image to the data area.
    static void write(HostileSession session, byte[] image) {
        MemorySegment.copy(image, 0, session.data(), ValueLayout.JAVA_BYTE, IMAGE, image.length);
    }

    /// Returns the call that loads an image of the data area.
    ///
    /// @param bytes length of the image; 0 to load a known image
    static CudaCall.ModuleLoadData load(long context, long module, long bytes, byte[] hash) {
        return new CudaCall.ModuleLoadData(
                context,
                module,
                IMAGE,
                bytes,
                DESCRIPTION,
                DESCRIPTION_BYTES,
                ByteBuffer.wrap(hash));
    }

    /// Returns a launch of one thread.
    ///
    /// @param words parameters of 64 bits
    static CudaCall.LaunchKernel launch(long module, int kernel, long stream, long... words) {
        ByteBuffer parameters =
                ByteBuffer.allocate(words.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long word : words) {
            parameters.putLong(word);
        }
        return new CudaCall.LaunchKernel(
                module, kernel, 0, 1, 1, 1, 1, 1, 1, 0, stream, parameters.flip());
    }

    static byte[] sha256(byte[] image) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(image);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
