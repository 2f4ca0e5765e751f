package io.gpuvm.cuda.api.table;

import java.util.List;

/// Place of a call's operands and results in the entries of the rings and in the argument ring.
///
/// ```text
/// submission entry                     completion entry
///  0  stamp 32, tag 32                  0  stamp 32, status 32
///  8  sequence number 64                8  sequence number 64
/// 16  six operands, or if spilled:     16  number of the first failed call without reply
///     arguments' offset and bytes,     24  five results
///     first four operands
/// ```
///
/// Arguments in the argument ring are the remaining operands as words, then each bytes operand.
///
/// @param operands operands in wire order
/// @param results results in wire order
public record WireLayout(List<ApiOperand> operands, List<ApiOperand> results) {
    /// Number of operand words in a submission entry.
    public static final int ENTRY_WORDS = 6;

    /// Number of operands in the entry of a spilled call.
    public static final int SPILLED_ENTRY_OPERANDS = 4;

    /// Number of results in a completion entry.
    public static final int MAX_RESULTS = 5;

    /// Maximum length of a call's arguments in the argument ring.
    public static final int MAX_ARGUMENT_BYTES = 8192;

    /// Offset of the first operand word in a submission entry.
    public static final int OPERANDS_OFFSET = 16;

    /// Offset of the first result in a completion entry.
    public static final int RESULTS_OFFSET = 24;

    private static final int WORD_BYTES = Long.BYTES;

    /// Returns the operands of one word each, in wire order.
    public List<ApiOperand> words() {
        return operands.stream().filter(ApiOperand::isWord).toList();
    }

    /// Returns the operands of many bytes, in wire order.
    public List<ApiOperand> blobs() {
        return operands.stream().filter(operand -> !operand.isWord()).toList();
    }

    /// Returns whether operands lie in the argument ring, too.
    public boolean isSpilled() {
        return operands.size() > ENTRY_WORDS || !blobs().isEmpty();
    }

    /// Returns the number of operand words in the argument ring, before the bytes.
    public int spilledWords() {
        return isSpilled() ? Math.max(0, words().size() - SPILLED_ENTRY_OPERANDS) : 0;
    }

    /// Returns the maximum length of the arguments in the argument ring.
    public long maxArgumentBytes() {
        long bytes = (long) spilledWords() * WORD_BYTES;
        for (ApiOperand blob : blobs()) {
            bytes += WORD_BYTES + padded(blob.maxBytes());
        }
        return bytes;
    }

    /// Returns the place of the operand word with an index.
    public Place placeOf(int word) {
        if (!isSpilled()) {
            return new Place(true, OPERANDS_OFFSET + word * WORD_BYTES);
        }
        if (word < SPILLED_ENTRY_OPERANDS) {
            int before = ENTRY_WORDS - SPILLED_ENTRY_OPERANDS;
            return new Place(true, OPERANDS_OFFSET + (before + word) * WORD_BYTES);
        }
        return new Place(false, (word - SPILLED_ENTRY_OPERANDS) * WORD_BYTES);
    }

    private static long padded(long bytes) {
        return (bytes + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
    }

    /// Place of an operand word.
    ///
    /// @param isInEntry true: the offset is in the entry; false: in the arguments
    /// @param offset offset in bytes
    public record Place(boolean isInEntry, int offset) {}
}
