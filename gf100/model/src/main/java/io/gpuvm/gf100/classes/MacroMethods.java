package io.gpuvm.gf100.classes;

import io.gpuvm.gf100.reg.BitField;

/// Macro processor in front of a class: methods that load and start programs, and the encoding of
/// the programs' words.
///
/// ```text
///   31      27 26  22 21   17 16  14 13  11 10   8 7 6      4 3 2   0
///  +----------+------+-------+------+------+------+-+--------+-+-----+
///  | position |  size|  from |   B  |   A  | dst  |e| action | | op  |
///  |  or upper bits of a signed 18-bit number:    | |        | |     |
///  |          31:14          |      |      |      | |        | |     |
///  +-------------------------+------+------+------+-+--------+-+-----+
/// ```
///
/// Bit e ends the program after one more instruction. In a branch, bits 4 and 5 are flags and there
/// is no action.
///
/// Sources: envytools `envydis/macro.c`, `rnndb/fifo/nv_object.xml`,
/// `docs/hw/graph/fermi/macro.rst`.
public final class MacroMethods {
    /// Position of the next word of code.
    public static final int CODE_POSITION = 0x114;

    /// Word of code.
    public static final int CODE_DATA = 0x118;

    /// Number of the macro whose entry is set next.
    public static final int ENTRY_POSITION = 0x11c;

    /// Start of a macro's code, in words.
    public static final int ENTRY_DATA = 0x120;

    /// Starts macro 0; each macro has a method that starts the macro, and a method for additional
    /// parameters.
    public static final int START = 0x3800;

    public static final int PARAMETER = 0x3804;
    public static final int STRIDE = 8;
    public static final int MACROS = 128;
    public static final int LAST = START + MACROS * STRIDE - Integer.BYTES;

    /// Capacity for code, in words.
    public static final int CODE_WORDS = 2048;

    public static final int REGISTERS = 8;

    public static final BitField OPERATION = BitField.bits(2, 0);

    /// Operation of [#ALU] on two registers.
    public static final int OPERATION_ALU = 0;

    /// Sum of register A and [#immediate(int)].
    public static final int OPERATION_ADD_IMMEDIATE = 1;

    /// Register A with a field of register B inserted.
    public static final int OPERATION_INSERT = 2;

    /// Field of register B at the bit number in register A, moved to a fixed bit.
    public static final int OPERATION_EXTRACT_AT = 3;

    /// Field of register B at a fixed bit, moved to the bit number in register A.
    public static final int OPERATION_MOVE_TO = 4;

    /// Data of the method whose number is the sum of register A and [#immediate(int)].
    public static final int OPERATION_READ = 5;

    public static final int OPERATION_BRANCH = 7;

    public static final BitField ALU = BitField.bits(21, 17);
    public static final int ALU_ADD = 0;
    public static final int ALU_ADD_CARRY = 1;
    public static final int ALU_SUBTRACT = 2;
    public static final int ALU_SUBTRACT_BORROW = 3;
    public static final int ALU_XOR = 8;
    public static final int ALU_OR = 9;
    public static final int ALU_AND = 10;
    public static final int ALU_AND_NOT = 11;
    public static final int ALU_NAND = 12;

    public static final BitField ACTION = BitField.bits(6, 4);

    /// Discards the result; the destination receives a parameter.
    public static final int ACTION_PARAMETER = 0;

    public static final int ACTION_MOVE = 1;

    /// Selects, by the result, the next method to send.
    public static final int ACTION_METHOD = 2;

    /// Sends the result; the destination receives a parameter.
    public static final int ACTION_SEND_PARAMETER = 3;

    public static final int ACTION_SEND = 4;

    /// Selects, by the result, the next method to send; the destination receives a parameter.
    public static final int ACTION_METHOD_PARAMETER = 5;

    /// Selects, by the result, the next method to send, and sends a parameter to it.
    public static final int ACTION_METHOD_SEND_PARAMETER = 6;

    /// Selects, by the result, the next method to send, and sends bits of the result to it.
    public static final int ACTION_METHOD_SEND = 7;

    public static final BitField EXIT = BitField.bit(7);
    public static final BitField DESTINATION = BitField.bits(10, 8);
    public static final BitField A = BitField.bits(13, 11);
    public static final BitField B = BitField.bits(16, 14);
    public static final BitField FROM = BitField.bits(21, 17);
    public static final BitField SIZE = BitField.bits(26, 22);
    public static final BitField POSITION = BitField.bits(31, 27);

    /// Branches if register A is not 0; if clear, branches if register A is 0.
    public static final BitField BRANCH_NON_ZERO = BitField.bit(4);

    /// A taken branch skips the next instruction.
    public static final BitField BRANCH_ANNUL = BitField.bit(5);

    /// Method number in a word that selects the next method to send. [#METHOD_INCREMENT] is added
    /// after each word.
    public static final BitField METHOD = BitField.bits(11, 0).scaledBy(2);

    public static final BitField METHOD_INCREMENT = BitField.bits(17, 12).scaledBy(2);

    private static final int IMMEDIATE_SHIFT = 14;

    private MacroMethods() {}

    /// Returns the signed number in an instruction.
    public static int immediate(int word) {
        return word >> IMMEDIATE_SHIFT;
    }

    /// Returns the bits that encode a signed number in an instruction.
    public static int ofImmediate(int value) {
        return value << IMMEDIATE_SHIFT;
    }
}
