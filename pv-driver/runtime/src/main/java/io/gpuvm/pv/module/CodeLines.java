package io.gpuvm.pv.module;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.LineTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Source lines of a module's code, by offset in the image. Immutable.
public final class CodeLines {
    /// Function with its range of offsets.
    private record Part(long start, long end, LineTable lines) {}

    /// Line of a function.
    ///
    /// @param function name of the function
    /// @param row file and line
    public record Place(String function, LineTable.Row row) {}

    private final List<Part> parts = new ArrayList<>();
    private int rows;
    private long nameLength;

    CodeLines(Cubin cubin, ModuleLayout layout) {
        Map<String, LineTable> tables = new HashMap<>();
        cubin.lines().forEach(table -> tables.put(table.function(), table));
        for (CubinFunction function : cubin.functions()) {
            LineTable table = tables.get(function.name());
            if (table != null && !table.isEmpty()) {
                long start = layout.offset(function.location());
                parts.add(new Part(start, start + function.code().byteSize(), table));
                rows += table.rows().size();
                nameLength += table.nameLength();
            }
        }
    }

    /// Returns the number of rows, each of which is an object in this process.
    public int rows() {
        return rows;
    }

    /// Returns the length of the names of functions and files, in characters.
    public long nameLength() {
        return nameLength;
    }

    /// Returns the source of an instruction; null if it is unknown.
    ///
    /// @param offset offset of the instruction in the image in bytes
    public Place find(long offset) {
        for (Part part : parts) {
            if (offset >= part.start && offset < part.end) {
                LineTable.Row row = part.lines.find(offset - part.start);
                return row == null ? null : new Place(part.lines.function(), row);
            }
        }
        return null;
    }
}
