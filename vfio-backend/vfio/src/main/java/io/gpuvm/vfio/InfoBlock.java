package io.gpuvm.vfio;

import com.sun.jna.Memory;
import java.util.OptionalInt;

/// Information structure of VFIO, followed by a chain of capabilities. A first call returns the
/// total length, a second call the contents.
///
/// ```text
///  0 argsz   4 flags   ... fields of the structure, among them the offset of the first capability
///  capability: 0 id (16)   2 version (16)   4 offset of the next (32), 0 at the end   8 data
/// ```
final class InfoBlock {
    private static final int ARGSZ = 0;
    private static final int FLAGS = 4;
    private static final int CAPABILITY_NEXT = 4;

    /// Offset of a capability's data from the start of the capability.
    static final int CAPABILITY_DATA = 8;

    /// Maximum length of a structure with its capabilities; a larger length from the kernel is an
    /// error.
    private static final int MAX_BYTES = 1 << 16;

    private final Memory memory;
    private final int firstCapability;

    private InfoBlock(Memory memory, int firstCapability) {
        this.memory = memory;
        this.firstCapability = firstCapability;
    }

    /// Requests a structure from the kernel.
    ///
    /// @param bytes size of the structure without capabilities
    /// @param index value of the field after the flags; 0 for structures that have none
    /// @param capsFlag flag that announces capabilities
    /// @param capsField offset of the field that holds the offset of the first capability
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

    /// Returns the offset of the first capability with the given id.
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
