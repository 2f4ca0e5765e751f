package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.BitField;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.gf100.reg.RegisterArray;
import io.gpuvm.gf100.reg.RegisterRange;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;

/// Registers of BAR0, as a table whose rows define the behaviour of reads and writes.
///
/// A register without a row is *undeclared*: it reads as zero, writes to it are dropped, and both
/// are counted in [UndeclaredAccesses]. All accesses are 32 bits wide internally. A narrower write
/// is merged with the stored word for plain storage, and with zeros for a register with a write
/// handler, so that a byte write to a write-one-to-clear register clears no other bits. An 8-byte
/// access is split.
///
/// Rows are arrays indexed by register number within blocks of 4 KiB, so an access costs two array
/// loads and at most one call, and allocates nothing. Confined to one thread.
public final class RegisterTable {
    /// Handler of reads. Receives the byte offset in BAR0, so that one handler can serve many rows.
    @FunctionalInterface
    public interface ReadHandler {
        int read(int offset);
    }

    /// Handler of writes, called after the table has stored the bits that the row's mask allows.
    @FunctionalInterface
    public interface WriteHandler {
        void write(int offset, int value);
    }

    /// Handler of reads of an array's elements, by index.
    @FunctionalInterface
    public interface IndexedRead {
        int read(int index);
    }

    /// Handler of writes to an array's elements, by index.
    @FunctionalInterface
    public interface IndexedWrite {
        void write(int index, int value);
    }

    /// Range of BAR0 that does not consist of registers, such as a view of memory. Offsets count
    /// from the start of the range; `width` is 1, 2, 4 or 8.
    public interface Window {
        long read(long offset, int width);

        void write(long offset, int width, long value);
    }

    private static final int BLOCK_SHIFT = 12;
    private static final int BLOCK_BYTES = 1 << BLOCK_SHIFT;
    private static final int BLOCK_REGISTERS = BLOCK_BYTES / Register.BYTES;

    private static final class Block {
        final int[] value = new int[BLOCK_REGISTERS];
        final int[] resetValue = new int[BLOCK_REGISTERS];
        final int[] writeMask = new int[BLOCK_REGISTERS];
        final boolean[] declared = new boolean[BLOCK_REGISTERS];
        final boolean[] row = new boolean[BLOCK_REGISTERS];
        final ReadHandler[] onRead = new ReadHandler[BLOCK_REGISTERS];
        final WriteHandler[] onWrite = new WriteHandler[BLOCK_REGISTERS];
        Window window;
        int windowStart;
    }

    /// Behaviour of a register. A handler may be null: reads then return the stored word, and
    /// writes only store the bits that the mask allows.
    private record Row(int resetValue, int writeMask, ReadHandler read, WriteHandler write) {}

    private final Block[] blocks;
    private final UndeclaredAccesses undeclared;

    private RegisterTable(Builder builder) {
        blocks = builder.blocks;
        undeclared = builder.undeclared;
    }

    /// Returns a builder without rows.
    public static Builder builder(UndeclaredAccesses undeclared) {
        return new Builder(undeclared);
    }

    /// Reads `width` bytes (1, 2, 4 or 8) at `offset`, which must be a multiple of `width`.
    public long read(int offset, int width) {
        Block block = blocks[offset >>> BLOCK_SHIFT];
        if (block != null && block.window != null) {
            return block.window.read(offset - block.windowStart, width);
        }
        if (width == Integer.BYTES) {
            return Integer.toUnsignedLong(read32(block, offset));
        }
        if (width == Long.BYTES) {
            long low = Integer.toUnsignedLong(read32(block, offset));
            return low | (long) read32(block, offset + Integer.BYTES) << Integer.SIZE;
        }
        int word = read32(block, offset & -Integer.BYTES);
        return (word >>> shiftOf(offset)) & maskOf(width);
    }

    /// Writes `width` bytes (1, 2, 4 or 8) at `offset`, which must be a multiple of `width`.
    public void write(int offset, int width, long value) {
        Block block = blocks[offset >>> BLOCK_SHIFT];
        if (block != null && block.window != null) {
            block.window.write(offset - block.windowStart, width, value);
        } else if (width == Integer.BYTES) {
            write32(block, offset, (int) value);
        } else if (width == Long.BYTES) {
            write32(block, offset, (int) value);
            write32(block, offset + Integer.BYTES, (int) (value >>> Integer.SIZE));
        } else {
            writeBytes(block, offset, width, (int) value);
        }
    }

    /// Returns whether an access touches a declared register.
    public boolean declares(int offset, int width) {
        return isDeclared(offset) || width == Long.BYTES && isDeclared(offset + Integer.BYTES);
    }

    private boolean isDeclared(int offset) {
        Block block = blocks[offset >>> BLOCK_SHIFT];
        return block != null && block.declared[index(offset)];
    }

    /// Resets every stored word to its power-on value.
    public void reset() {
        for (Block block : blocks) {
            if (block != null) {
                System.arraycopy(block.resetValue, 0, block.value, 0, BLOCK_REGISTERS);
            }
        }
    }

    private int read32(Block block, int offset) {
        int index = index(offset);
        if (block == null || !block.declared[index]) {
            undeclared.onRead(offset);
            return 0;
        }
        ReadHandler handler = block.onRead[index];
        return handler == null ? block.value[index] : handler.read(offset);
    }

    private void write32(Block block, int offset, int value) {
        int index = index(offset);
        if (block == null || !block.declared[index]) {
            undeclared.onWrite(offset);
            return;
        }
        int mask = block.writeMask[index];
        block.value[index] = (block.value[index] & ~mask) | (value & mask);
        WriteHandler handler = block.onWrite[index];
        if (handler != null) {
            handler.write(offset, value);
        }
    }

    private void writeBytes(Block block, int offset, int width, int value) {
        int word = offset & -Integer.BYTES;
        int index = index(word);
        int mask = maskOf(width) << shiftOf(offset);
        boolean storage = block != null && block.declared[index] && block.onWrite[index] == null;
        int rest = storage ? block.value[index] & ~mask : 0;
        write32(block, word, rest | (value << shiftOf(offset) & mask));
    }

    private static int index(int offset) {
        return (offset & BLOCK_BYTES - 1) / Register.BYTES;
    }

    private static int shiftOf(int offset) {
        return (offset & Integer.BYTES - 1) * Byte.SIZE;
    }

    private static int maskOf(int width) {
        return (1 << width * Byte.SIZE) - 1;
    }

    /// Builder that collects the rows of a table. A register may have only one row; a range of
    /// storage may overlap rows, which take precedence regardless of the order. Not thread-safe.
    public static final class Builder {
        private final Block[] blocks = new Block[Register.SPACE_BYTES >>> BLOCK_SHIFT];
        private final UndeclaredAccesses undeclared;

        private Builder(UndeclaredAccesses undeclared) {
            this.undeclared = undeclared;
        }

        /// Adds plain storage in `[first, end)`, zero at power-on.
        public Builder storage(int first, int end) {
            for (int offset = first; offset < end; offset += Register.BYTES) {
                Block block = blockOf(offset);
                int index = index(offset);
                if (!block.declared[index]) {
                    block.declared[index] = true;
                    block.writeMask[index] = -1;
                }
            }
            return this;
        }

        /// Adds plain storage in a named run of registers, zero at power-on.
        public Builder storage(RegisterRange range) {
            return storage(range.first(), range.end());
        }

        /// Adds a register that stores written words, zero at power-on.
        public Builder latch(Register register) {
            return latch(register, 0);
        }

        /// Adds a register that stores written words.
        public Builder latch(Register register, int resetValue) {
            row(register.name(), register.offset(), new Row(resetValue, -1, null, null));
            return this;
        }

        /// Adds an array of registers that store written words, zero at power-on.
        public Builder latch(RegisterArray registers) {
            for (int i = 0; i < registers.count(); i++) {
                row(registers.name(), registers.at(i), new Row(0, -1, null, null));
            }
            return this;
        }

        /// Adds a register of which only some bits are writable.
        public Builder latch(Register register, int resetValue, BitField writable) {
            return latchMasked(register, resetValue, writable.mask());
        }

        /// Adds a register of which only the bits in `mask` are writable.
        public Builder latchMasked(Register register, int resetValue, int mask) {
            row(register.name(), register.offset(), new Row(resetValue, mask, null, null));
            return this;
        }

        /// Adds an array of registers of which only the bits in `mask` are writable.
        public Builder latchMasked(RegisterArray registers, int resetValue, int mask) {
            for (int i = 0; i < registers.count(); i++) {
                row(registers.name(), registers.at(i), new Row(resetValue, mask, null, null));
            }
            return this;
        }

        /// Adds a register with a constant value; writes are dropped.
        public Builder constant(Register register, int value) {
            row(register.name(), register.offset(), new Row(value, 0, null, null));
            return this;
        }

        /// Adds an array of registers with a constant value; writes are dropped.
        public Builder constant(RegisterArray registers, int value) {
            for (int i = 0; i < registers.count(); i++) {
                row(registers.name(), registers.at(i), new Row(value, 0, null, null));
            }
            return this;
        }

        /// Adds a register that computes its value; writes are dropped.
        public Builder onRead(Register register, IntSupplier read) {
            row(register.name(), register.offset(), new Row(0, 0, _ -> read.getAsInt(), null));
            return this;
        }

        /// Adds a register that stores a written word and passes it to a handler.
        public Builder onWrite(Register register, IntConsumer write) {
            return onWrite(register, 0, write);
        }

        /// Adds a register that stores a written word and passes it to a handler.
        public Builder onWrite(Register register, int resetValue, IntConsumer write) {
            row(
                    register.name(),
                    register.offset(),
                    new Row(resetValue, -1, null, (_, v) -> write.accept(v)));
            return this;
        }

        /// Adds a register with handlers for reads and writes.
        public Builder on(Register register, IntSupplier read, IntConsumer write) {
            row(
                    register.name(),
                    register.offset(),
                    new Row(0, -1, _ -> read.getAsInt(), (_, v) -> write.accept(v)));
            return this;
        }

        /// Adds an array with handlers for reads and writes of its elements. Either handler may be
        /// null: reads then return the stored word, and writes only store the written word.
        public Builder array(RegisterArray registers, IndexedRead read, IndexedWrite write) {
            for (int i = 0; i < registers.count(); i++) {
                int index = i;
                row(
                        registers.name(),
                        registers.at(i),
                        new Row(
                                0,
                                -1,
                                read == null ? null : _ -> read.read(index),
                                write == null ? null : (_, v) -> write.write(index, v)));
            }
            return this;
        }

        /// Adds a range that does not consist of registers. Start and length must be multiples of 4
        /// KiB, and no row may lie inside.
        public Builder window(int start, int bytes, Window window) {
            if (start % BLOCK_BYTES != 0 || bytes % BLOCK_BYTES != 0) {
                throw new IllegalArgumentException(
                        "window start=%#x, bytes=%#x, expected multiples of %#x"
                                .formatted(start, bytes, BLOCK_BYTES));
            }
            for (int offset = start; offset < start + bytes; offset += BLOCK_BYTES) {
                if (blocks[offset >>> BLOCK_SHIFT] != null) {
                    throw new IllegalStateException(
                            "window offset=%#x, expected an offset without rows".formatted(offset));
                }
                Block block = blockOf(offset);
                block.window = window;
                block.windowStart = start;
            }
            return this;
        }

        /// Adds the rows of a unit.
        public Builder unit(Unit unit) {
            unit.declare(this);
            return this;
        }

        /// Returns the finished table, at its power-on values. The builder must not be used
        /// afterwards.
        public RegisterTable build() {
            RegisterTable table = new RegisterTable(this);
            table.reset();
            return table;
        }

        private void row(String name, int offset, Row row) {
            Block block = blockOf(offset);
            int index = index(offset);
            if (block.row[index] || block.window != null) {
                throw new IllegalStateException(
                        "register=%s, offset=%#x, expected an offset without a row"
                                .formatted(name, offset));
            }
            block.row[index] = true;
            block.declared[index] = true;
            block.resetValue[index] = row.resetValue;
            block.writeMask[index] = row.writeMask;
            block.onRead[index] = row.read;
            block.onWrite[index] = row.write;
        }

        private Block blockOf(int offset) {
            int number = offset >>> BLOCK_SHIFT;
            if (blocks[number] == null) {
                blocks[number] = new Block();
            }
            return blocks[number];
        }
    }
}
