package io.gpuvm.vfio;

import com.sun.jna.Memory;
import java.util.OptionalInt;

/// An information structure of VFIO's with a chain of capabilities behind it, whose length one
/// learns by asking twice.
///
/// ```text
///  0 argsz   4 flags   ... fields of the structure, among them the offset of the first capability
///  capability: 0 id (16)   2 version (16)   4 offset of the next one (32), 0 at the end   8 data
/// ```
final class InfoBlock {
    private static final int ARGSZ = 0;
    private static final int FLAGS = 4;
    private static final int CAPABILITY_NEXT = 4;

    /// Data of a capability starts here, counted from its offset.
    static final int CAPABILITY_DATA = 8;

    /// A chain is not longer than this; a kernel that says otherwise makes no sense.
    private static final int MAX_BYTES = 1 << 16;

    private final Memory memory;
    private final int firstCapability;

    private InfoBlock(Memory memory, int firstCapability) {
        this.memory = memory;
        this.firstCapability = firstCapability;
    }

    /// Asks for a structure.
    ///
    /// @param bytes its size without capabilities
    /// @param index goes into the field behind the flags; 0 for structures that have none
    /// @param capsFlag the flag that says that there are capabilities
    /// @param capsField where the structure has the offset of the first one
    static InfoBlock ask(
            KernelFile file, VfioIoctl request, int bytes, int index, int capsFlag, int capsField) {
        Memory memory = call(file, request, bytes, index);
        int needed = memory.getInt(ARGSZ);
        if (needed > bytes && needed <= MAX_BYTES) {
            memory = call(file, request, needed, index);
        }
        boolean caps = (memory.getInt(FLAGS) & capsFlag) != 0;
        return new InfoBlock(memory, caps ? memory.getInt(capsField) : 0);
    }

    private static Memory call(KernelFile file, VfioIoctl request, int bytes, int index) {
        Memory memory = new Memory(bytes);
        memory.clear();
        memory.setInt(ARGSZ, bytes);
        memory.setInt(FLAGS + Integer.BYTES, index);
        file.call(request, memory);
        return memory;
    }

    int flags() {
        return memory.getInt(FLAGS);
    }

    int word(int offset) {
        return memory.getInt(offset);
    }

    long quad(int offset) {
        return memory.getLong(offset);
    }

    /// Where the first capability with an id starts.
    OptionalInt capability(int id) {
        int offset = firstCapability;
        while (offset > 0 && offset + CAPABILITY_DATA <= memory.size()) {
            if (Short.toUnsignedInt(memory.getShort(offset)) == id) {
                return OptionalInt.of(offset);
            }
            int next = memory.getInt(offset + CAPABILITY_NEXT);
            offset = next > offset ? next : 0;
        }
        return OptionalInt.empty();
    }
}
