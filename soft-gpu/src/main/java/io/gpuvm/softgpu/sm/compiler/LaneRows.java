package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Rows;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ConstantDescs;

/// Reads and writes a lane's words in the rows of the warp's registers ([Rows]), and in the
/// auxiliary rows: the lanes' bits, and scratch rows that convert bits to numbers. Methods that
/// push or pop refer to the operand stack of the generated method.
final class LaneRows {
    private final WordCode words;
    private final CodeBuilder code;
    private final LaneLoopFrame frame;

    /// Local variable: the lane's number times the size of a word.
    private final int offset;

    private int scratch;

    /// Index of the row with the lanes' bits to be read next.
    private int laneRow;

    LaneRows(WordCode words, LaneLoopFrame frame, int offset) {
        this.words = words;
        this.frame = frame;
        this.offset = offset;
        code = words.code();
    }

    /// Pushes the bits in a row.
    void getInt(int row) {
        address(row);
        code.invokevirtual(GeneratedNames.UNSAFE, "getInt", GeneratedNames.GET_INT);
    }

    /// Pushes the float in a row.
    void getFloat(int row) {
        address(row);
        code.invokevirtual(GeneratedNames.UNSAFE, "getFloat", GeneratedNames.GET_FLOAT);
    }

    /// Writes bits to a row.
    ///
    /// @param value code that pushes the bits
    void putInt(int row, Runnable value) {
        address(row);
        value.run();
        code.invokevirtual(GeneratedNames.UNSAFE, "putInt", GeneratedNames.PUT_INT);
    }

    /// Writes the number in a local variable to a row.
    void putFloat(int row, int slot) {
        address(row);
        code.fload(slot);
        code.invokevirtual(GeneratedNames.UNSAFE, "putFloat", GeneratedNames.PUT_FLOAT);
    }

    private void address(int row) {
        code.aload(frame.unsafe()).aload(frame.words()).lload(offset);
        code.loadConstant(RowAccess.offset(row)).ladd();
    }

    /// Pops 0 or -1; for -1, adds the lane's bit to a flag's word.
    void collect(int number) {
        int word = frame.collected(number);
        getInt(Rows.LANE_BITS + nextLaneRow());
        code.iand().iload(word).ior().istore(word);
    }

    /// Pushes -1 if the lane is in a set, else 0.
    ///
    /// @param lanes bits of the lanes in the set
    void pushIsAmong(int lanes) {
        words.push(lanes);
        laneBitToMask();
    }

    /// Pops a word; pushes -1 if the lane's bit is set, else 0. The code multiplies, because the
    /// JVM's compiler vectorizes no loop that both selects and collects lanes' bits.
    void laneBitToMask() {
        getInt(Rows.LANE_SIGNS + nextLaneRow());
        code.imul();
        words.spreadSign();
    }

    /// Returns the offset, in words, from the first row of the lanes' bits to the next such row to
    /// be read.
    private int nextLaneRow() {
        int next = laneRow * Rows.STRIDE;
        laneRow = (laneRow + 1) % Rows.LANE_BITS_ROWS;
        return next;
    }

    /// Pops a float, and pushes its bits.
    void floatToRaw() {
        if (!frame.isVector()) {
            code.invokestatic(
                    ConstantDescs.CD_Float, "floatToRawIntBits", GeneratedNames.FLOAT_TO_INT);
            return;
        }
        int number = words.storeFloat();
        int row = scratchRow();
        putFloat(row, number);
        getInt(row);
    }

    /// Pops bits, and pushes the float that they represent.
    void bitsToFloat() {
        if (!frame.isVector()) {
            code.invokestatic(
                    ConstantDescs.CD_Float, "intBitsToFloat", GeneratedNames.INT_TO_FLOAT);
            return;
        }
        int bits = words.store();
        int row = scratchRow();
        putInt(row, () -> code.iload(bits));
        getFloat(row);
    }

    private int scratchRow() {
        int row = Rows.SCRATCH + scratch * Rows.STRIDE;
        scratch = (scratch + 1) % Rows.SCRATCH_ROWS;
        return row;
    }
}
