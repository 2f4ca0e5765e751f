package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.CopyClass;
import io.gpuvm.softgpu.mmu.VirtualMemory;

/// Copies a rectangle of elements; composes each target element from components of the source
/// element, constants and zeros.
///
/// The copy proceeds towards higher addresses, one element at a time; a source element is read
/// completely before the target element is written. The copy can stop between any two elements.
/// Confined to the engine thread.
final class ComponentCopy {
    private static final int MAX_COMPONENTS = 4;

    /// Time-slice cost of an element, in bytes; high because an element's bytes are accessed one at
    /// a time.
    private static final int ELEMENT_COST_BYTES = 1024;

    private final VirtualMemory memory;
    private final TimeSlice slice;
    private final Surface source = new Surface();
    private final Surface target = new Surface();
    private final int[] selectors = new int[MAX_COMPONENTS];
    private final int[] components = new int[MAX_COMPONENTS];

    private int componentBytes;
    private int sourceComponents;
    private int targetComponents;
    private int const0;
    private int const1;
    private boolean readsSource;

    private int columns;
    private int lines;
    private int line;
    private int column;
    private long copiedBytes;

    ComponentCopy(VirtualMemory memory, TimeSlice slice) {
        this.memory = memory;
        this.slice = slice;
    }

    /// Returns the source surface, which must be set up after [#format] and before [#start].
    Surface source() {
        return source;
    }

    /// Returns the target surface, which must be set up after [#format] and before [#start].
    Surface target() {
        return target;
    }

    /// Sets the composition of elements.
    ///
    /// @param word data of [CopyClass#FORMAT]
    void format(int word, int firstConstant, int secondConstant) {
        componentBytes = CopyClass.FORMAT_COMPONENT_BYTES.get(word) + 1;
        sourceComponents = CopyClass.FORMAT_SRC_COMPONENTS.get(word) + 1;
        targetComponents = CopyClass.FORMAT_DST_COMPONENTS.get(word) + 1;
        const0 = firstConstant;
        const1 = secondConstant;
        readsSource = false;
        for (int i = 0; i < MAX_COMPONENTS; i++) {
            int shifted = word >>> i * CopyClass.FORMAT_SELECTOR_BITS;
            selectors[i] = CopyClass.FORMAT_SELECTOR.get(shifted);
            readsSource |= i < targetComponents && selectors[i] < CopyClass.SELECT_CONST0;
        }
    }

    int sourceElementBytes() {
        return sourceComponents * componentBytes;
    }

    int targetElementBytes() {
        return targetComponents * componentBytes;
    }

    /// Prepares a copy between the two surfaces.
    void start(int elementsPerLine, int lineCount) {
        columns = elementsPerLine;
        lines = elementsPerLine == 0 ? 0 : lineCount;
        line = 0;
        column = 0;
    }

    /// Copies until the copy is complete or the slice ends.
    MethodProgress run() {
        while (line < lines) {
            while (column < columns) {
                if (slice.isOver()) {
                    return MethodProgress.UNFINISHED;
                }
                copyElement();
                column++;
                slice.spend(ELEMENT_COST_BYTES);
            }
            column = 0;
            line++;
        }
        return MethodProgress.DONE;
    }

    /// Abandons the copy.
    void abandon() {
        lines = 0;
    }

    /// Returns the number of bytes written since the last call.
    long takeCopiedBytes() {
        long bytes = copiedBytes;
        copiedBytes = 0;
        return bytes;
    }

    private void copyElement() {
        if (readsSource) {
            long first = (long) column * sourceElementBytes();
            for (int i = 0; i < sourceComponents; i++) {
                components[i] = read(first + (long) i * componentBytes);
            }
        }
        long first = (long) column * targetElementBytes();
        for (int i = 0; i < targetComponents; i++) {
            write(first + (long) i * componentBytes, select(selectors[i]));
        }
        copiedBytes += targetElementBytes();
    }

    /// Returns a selected component; zero if the source has no such component. Hardware would read
    /// beyond the source element.
    private int select(int selector) {
        return switch (selector) {
            case CopyClass.SELECT_CONST0 -> const0;
            case CopyClass.SELECT_CONST1 -> const1;
            default -> selector < sourceComponents ? components[selector] : 0;
        };
    }

    private int read(long x) {
        int component = 0;
        for (int i = 0; i < componentBytes; i++) {
            long octet = memory.read(source.gpuVa(x + i, line), Byte.BYTES);
            component |= (int) octet << i * Byte.SIZE;
        }
        return component;
    }

    private void write(long x, int component) {
        for (int i = 0; i < componentBytes; i++) {
            memory.write(target.gpuVa(x + i, line), Byte.BYTES, component >>> i * Byte.SIZE);
        }
    }
}
