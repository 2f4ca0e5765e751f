package io.gpuvm.gf100.cubin;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Interprets the sections of an ELF file as a module.
final class CubinReader {
    static final String TEXT = ".text.";
    static final String INFO = ".nv.info";
    static final String CONSTANT = ".nv.constant";
    static final String SHARED = ".nv.shared.";
    static final String LOCAL = ".nv.local.";
    static final String GLOBAL = ".nv.global";
    static final String GLOBAL_INIT = ".nv.global.init";

    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]).asReadOnly();

    private final ElfFile file;
    private final Map<String, FunctionReader> functions = new LinkedHashMap<>();

    /// Names of functions that have no section of their own.
    private final Set<String> innerFunctions = new HashSet<>();

    private final List<ConstantSection> constants = new ArrayList<>();
    private final Map<String, LineTable> lines = new LinkedHashMap<>();
    private final CubinParts parts;
    private final RecordCount records = new RecordCount();
    private boolean hasInfo;
    private int globalAlignment = 1;
    private long globalBytes;
    private MemorySegment globalInit = NOTHING;

    CubinReader(ElfFile file) {
        this.file = file;
        this.parts = new CubinParts(file);
    }

    Cubin read() {
        records.add("file", file.sections().size());
        records.add("file", file.symbols().size());
        records.add("file", file.relocations().size());
        for (ElfSection section : file.sections()) {
            if (section.name().startsWith(TEXT)) {
                addFunction(section);
            }
        }
        findEntries();
        for (ElfSection section : file.sections()) {
            take(section);
        }
        CubinVariables variables = new CubinVariables(file, parts, globalBytes);
        List<DataSymbol> symbols = variables.read();
        return new Cubin(
                file.flags() & Cubin.FLAG_SM,
                file.flags() >>> Cubin.VIRTUAL_SM_SHIFT & Cubin.FLAG_SM,
                file.width(),
                functions.values().stream().map(function -> function.read(file.symbols())).toList(),
                constants,
                variables.globalBytes(),
                globalInit,
                Math.max(globalAlignment, variables.alignment()),
                symbols,
                parts.relocations(),
                List.copyOf(lines.values()));
    }

    private void addFunction(ElfSection section) {
        String name = section.name().substring(TEXT.length());
        if (name.isEmpty()) {
            throw CubinException.at(section.name(), "length of a name", 0, "at least 1");
        }
        if (section.type() != ElfSection.PROGBITS) {
            throw new CubinException(
                    section.name()
                            + ": type="
                            + section.type()
                            + ", expected="
                            + ElfSection.PROGBITS);
        }
        if (functions.put(name, new FunctionReader(name, section)) != null) {
            throw CubinException.at("file", "sections " + section.name(), 2, 1);
        }
        parts.add(section, Location.Part.CODE, name, 0);
    }

    /// Assigns symbols to functions: a function's symbol has the name of the function's section. A
    /// function inside another function has a symbol with a different name in the same section.
    private void findEntries() {
        for (ElfSymbol symbol : file.symbols()) {
            if (symbol.type() == ElfSymbol.FUNCTION) {
                FunctionReader function = functions.get(symbol.name());
                if (function == null) {
                    innerFunctions.add(symbol.name());
                } else if (function.code().index() == symbol.section()) {
                    function.onSymbol(symbol);
                }
            }
        }
    }

    private void take(ElfSection section) {
        String name = section.name();
        if (name.equals(INFO)) {
            takeInfo(section);
        } else if (name.startsWith(INFO + ".")) {
            takeInfoOfFunction(section);
        } else if (name.startsWith(CONSTANT)) {
            takeConstants(section);
        } else if (name.startsWith(SHARED)) {
            function(section, SHARED.length()).onShared(section);
            parts.add(section, Location.Part.SHARED, name.substring(SHARED.length()), 0);
        } else if (name.startsWith(LOCAL)) {
            function(section, LOCAL.length()).onLocal(section);
            parts.add(section, Location.Part.LOCAL, name.substring(LOCAL.length()), 0);
        } else if (name.equals(GLOBAL)) {
            takeGlobal(section, Location.Part.GLOBAL);
            takeZeros(section);
        } else if (name.equals(GLOBAL_INIT)) {
            takeGlobal(section, Location.Part.GLOBAL_INIT);
            globalInit = contents(section);
        } else if (name.startsWith(LineTable.SECTION)) {
            takeLines(section);
        }
    }

    private void takeLines(ElfSection section) {
        LineTable table = LineTable.read(section, records);
        if (lines.put(table.function(), table) != null) {
            throw CubinException.at("file", "sections " + section.name(), 2, 1);
        }
    }

    private void takeGlobal(ElfSection section, Location.Part part) {
        if (parts.has(part)) {
            throw CubinException.at("file", "sections " + section.name(), 2, 1);
        }
        if (section.alignment() > Cubin.MAX_GLOBAL_ALIGNMENT) {
            throw CubinException.at(
                    section.name(), "alignment", section.alignment(), Cubin.MAX_GLOBAL_ALIGNMENT);
        }
        globalAlignment = Math.max(globalAlignment, (int) section.alignment());
        parts.add(section, part, "", 0);
    }

    private void takeZeros(ElfSection section) {
        CubinFunction.check(section.name(), "bytes", section.sizeBytes(), Cubin.MAX_GLOBAL_BYTES);
        MemorySegment contents = section.contents();
        long value = contents.mismatch(MemorySegment.ofArray(new byte[(int) contents.byteSize()]));
        if (value >= 0) {
            throw CubinException.at(
                    section.name() + "+" + value,
                    "byte",
                    Byte.toUnsignedInt(contents.get(ValueLayout.JAVA_BYTE, value)),
                    0);
        }
        globalBytes = section.sizeBytes();
    }

    private FunctionReader function(ElfSection section, int prefix) {
        FunctionReader function = functions.get(section.name().substring(prefix));
        if (function == null) {
            throw new CubinException(
                    section.name() + ": expected a section of code for the same function");
        }
        return function;
    }

    private void takeConstants(ElfSection section) {
        int dot = section.name().indexOf('.', CONSTANT.length());
        ConstantSection bank =
                new ConstantSection(
                        bankOf(section, dot < 0 ? section.name().length() : dot),
                        contents(section));
        if (dot < 0) {
            if (constants.stream().anyMatch(other -> other.index() == bank.index())) {
                throw CubinException.at("file", "sections " + section.name(), 2, 1);
            }
            constants.add(bank);
            parts.add(section, Location.Part.CONSTANT, "", bank.index());
        } else {
            FunctionReader function = function(section, dot + 1);
            function.onConstants(bank);
            parts.add(section, Location.Part.CONSTANT, function.name(), bank.index());
        }
    }

    private static MemorySegment contents(ElfSection section) {
        if (section.contents().byteSize() != section.sizeBytes()) {
            throw CubinException.at(
                    section.name(), "bytes without contents", section.sizeBytes(), 0);
        }
        return section.contents();
    }

    private static int bankOf(ElfSection section, int end) {
        String digits = section.name().substring(CONSTANT.length(), end);
        if (digits.isEmpty()
                || digits.length() > 2
                || !digits.chars().allMatch(Character::isDigit)) {
            throw new CubinException(
                    section.name()
                            + ": bank="
                            + digits
                            + ", expected 0 to "
                            + (ConstantSection.BANKS - 1));
        }
        return Integer.parseInt(digits);
    }

    /// Reads the attributes of one function. Functions inside another function's code may have
    /// attributes, which a launch does not use.
    private void takeInfoOfFunction(ElfSection section) {
        String name = section.name().substring(INFO.length() + 1);
        FunctionReader function = functions.get(name);
        if (function != null) {
            function.onInfo(section, records);
        } else if (!innerFunctions.contains(name)) {
            throw new CubinException(
                    section.name() + ": function=" + name + ", expected a function of the file");
        }
    }

    private void takeInfo(ElfSection section) {
        if (hasInfo) {
            throw CubinException.at("file", "sections " + section.name(), 2, 1);
        }
        hasInfo = true;
        Map<Integer, FunctionReader> bySymbol = new HashMap<>();
        functions.values().forEach(function -> bySymbol.put(function.symbol(), function));
        for (InfoRecord record : InfoRecord.read(section, records)) {
            if (record.is(InfoAttribute.FRAME_SIZE)
                    || record.is(InfoAttribute.MIN_STACK_SIZE)
                    || record.is(InfoAttribute.REGCOUNT)) {
                int[] words = record.words(section.name(), 2);
                if (words[0] < 0 || words[0] >= file.symbols().size()) {
                    throw CubinException.at(
                            section.name(), "symbol", words[0], file.symbols().size() - 1);
                }
                FunctionReader function = bySymbol.get(words[0]);
                // External functions also have attributes.
                if (function != null) {
                    function.onNeed(record, words[1]);
                }
            }
        }
    }
}
