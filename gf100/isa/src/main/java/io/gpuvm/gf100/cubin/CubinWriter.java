package io.gpuvm.gf100.cubin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Writes a cubin as nvcc does for sm_20, in the order that gdev's loader requires: in a kernel's
/// `.nv.info`, the parameters follow their total size, last parameter first.
///
/// Of [CubinFunction#info], the writer writes only the block sizes; it derives the other attributes
/// from other fields of the module.
final class CubinWriter {
    private static final int REGISTERS_SHIFT = 24;
    private static final int BARRIERS_SHIFT = 20;
    private static final int READABLE = 4;
    private static final int SEGMENT_SYMBOL_SHIFT = 8;

    private final Cubin cubin;
    private final ElfWriter file;
    private final List<Parts> functions = new ArrayList<>();
    private final Map<String, ElfWriter.Section> shared = new HashMap<>();
    private final RelocationWriter relocations;

    /// Index of a texture's symbol, by name of the texture.
    private final Map<String, Integer> textures = new HashMap<>();

    CubinWriter(Cubin cubin) {
        this.cubin = cubin;
        this.file = new ElfWriter(cubin.width());
        this.relocations = new RelocationWriter(cubin, file);
    }

    byte[] write() {
        cubin.functions().forEach(function -> functions.add(new Parts(function)));
        cubin.constants().forEach(bank -> addShared(CubinReader.CONSTANT + bank.index(), bank));
        addGlobals();
        ElfWriter.Section info = addInfo(CubinReader.INFO);
        addSymbols();
        info.contents = moduleInfo();
        functions.forEach(Parts::fill);
        for (LineTable table : cubin.lines()) {
            file.addSection(LineTable.SECTION + table.function(), ElfSection.PROGBITS, 0).contents =
                    table.toBytes();
        }
        relocations.addSections(this::section);
        int sm = cubin.architecture();
        return file.write(
                sm
                        | cubin.virtualArchitecture() << Cubin.VIRTUAL_SM_SHIFT
                        | Cubin.FLAG_UNIFIED_TEXTURES
                        | (cubin.width() == ElfClass.ELF64 ? Cubin.FLAG_WIDE_ADDRESSES : 0));
    }

    private void addShared(String name, ConstantSection bank) {
        ElfWriter.Section section = file.addSection(name, ElfSection.PROGBITS, ElfSection.ALLOCATE);
        section.contents(bank.contents());
        shared.put(name, section);
    }

    private void addGlobals() {
        long flags = ElfSection.ALLOCATE | ElfSection.WRITE;
        if (cubin.globalInit().byteSize() > 0) {
            ElfWriter.Section section =
                    file.addSection(CubinReader.GLOBAL_INIT, ElfSection.PROGBITS, flags);
            section.alignment = cubin.globalAlignment();
            section.contents(cubin.globalInit());
            shared.put(CubinReader.GLOBAL_INIT, section);
        }
        if (cubin.globalBytes() > 0) {
            ElfWriter.Section section =
                    file.addSection(CubinReader.GLOBAL, ElfSection.NOBITS, flags);
            section.alignment = cubin.globalAlignment();
            section.memoryBytes = cubin.globalBytes();
            shared.put(CubinReader.GLOBAL, section);
        }
    }

    private ElfWriter.Section addInfo(String name) {
        return file.addSection(name, ElfSection.PROGBITS, ElfSection.ALLOCATE);
    }

    private void addSymbols() {
        functions.forEach(Parts::addLocalSymbols);
        relocations.addLocalSymbols(this::section);
        for (Parts parts : functions) {
            parts.addSymbol();
            relocations.onSymbol(parts.function.name(), parts.function.location(), parts.symbol);
        }
        for (CubinFunction function : cubin.functions()) {
            function.textures()
                    .forEach(texture -> textures.computeIfAbsent(texture.name(), this::addTexture));
        }
        for (DataSymbol symbol : cubin.symbols()) {
            String name =
                    switch (symbol.space()) {
                        case CONSTANT -> CubinReader.CONSTANT + symbol.bank();
                        case GLOBAL -> CubinReader.GLOBAL;
                        case GLOBAL_INIT -> CubinReader.GLOBAL_INIT;
                    };
            ElfWriter.Section section = shared.get(name);
            if (section == null) {
                throw new IllegalStateException(
                        "symbol "
                                + symbol.name()
                                + ": section="
                                + name
                                + ", expected a section of the module");
            }
            int index =
                    file.addSymbol(
                            symbol.name(),
                            ElfSymbol.OBJECT,
                            ElfSymbol.GLOBAL,
                            0,
                            section,
                            symbol.offset(),
                            symbol.sizeBytes());
            relocations.onSymbol(symbol.name(), symbol.location(), index);
        }
        relocations.addUndefinedSymbols();
    }

    /// Returns the section that contains a location.
    private ElfWriter.Section section(Location location) {
        ElfWriter.Section found = null;
        if (location.function().isEmpty()) {
            found =
                    shared.get(
                            switch (location.part()) {
                                case GLOBAL -> CubinReader.GLOBAL;
                                case GLOBAL_INIT -> CubinReader.GLOBAL_INIT;
                                default -> CubinReader.CONSTANT + location.bank();
                            });
        }
        for (Parts parts : functions) {
            if (found == null && parts.function.name().equals(location.function())) {
                found = parts.section(location);
            }
        }
        if (found == null) {
            throw new IllegalStateException(
                    "location=" + location + ", expected a section of the module");
        }
        return found;
    }

    private int addTexture(String name) {
        return file.addSymbol(name, ElfSymbol.TEXTURE, ElfSymbol.GLOBAL, 0, file.nothing(), 0, 0);
    }

    private byte[] moduleInfo() {
        InfoWriter info = new InfoWriter();
        for (Parts parts : functions) {
            CubinFunction.Stack stack = parts.function.stack();
            info.words(InfoAttribute.MIN_STACK_SIZE, parts.symbol, stack.minBytes());
            info.words(InfoAttribute.FRAME_SIZE, parts.symbol, stack.frameBytes());
        }
        return info.toBytes();
    }

    /// Sections and symbols of a function.
    private final class Parts {
        private final CubinFunction function;
        private final ElfWriter.Section text;
        private final List<ElfWriter.Section> banks = new ArrayList<>();
        private final ElfWriter.Section info;
        private final List<ElfWriter.Section> memory = new ArrayList<>();
        private int textSymbol;
        private int driverBankSymbol;
        private int symbol;

        Parts(CubinFunction function) {
            this.function = function;
            text =
                    file.addSection(
                            CubinReader.TEXT + function.name(),
                            ElfSection.PROGBITS,
                            ElfSection.ALLOCATE
                                    | ElfSection.EXECUTE
                                    | (long) function.barriers() << BARRIERS_SHIFT);
            text.contents(function.code());
            for (ConstantSection bank : function.constants()) {
                ElfWriter.Section section =
                        owned(
                                CubinReader.CONSTANT + bank.index() + "." + function.name(),
                                ElfSection.PROGBITS,
                                ElfSection.ALLOCATE);
                section.contents(bank.contents());
                banks.add(section);
            }
            info =
                    owned(
                            CubinReader.INFO + "." + function.name(),
                            ElfSection.PROGBITS,
                            ElfSection.ALLOCATE);
            addMemory(CubinReader.SHARED, function.sharedBytes());
            addMemory(CubinReader.LOCAL, function.localBytes());
        }

        private ElfWriter.Section owned(String name, int type, long flags) {
            ElfWriter.Section section = file.addSection(name, type, flags);
            section.info = text.index;
            return section;
        }

        private void addMemory(String prefix, int bytes) {
            if (bytes > 0) {
                ElfWriter.Section section =
                        owned(
                                prefix + function.name(),
                                ElfSection.NOBITS,
                                ElfSection.ALLOCATE | ElfSection.WRITE);
                section.memoryBytes = bytes;
                memory.add(section);
            }
        }

        /// Returns the section of the function that contains a location, or null.
        private ElfWriter.Section section(Location location) {
            return switch (location.part()) {
                case CODE -> text;
                case CONSTANT -> {
                    for (int i = 0; i < banks.size(); i++) {
                        if (function.constants().get(i).index() == location.bank()) {
                            yield banks.get(i);
                        }
                    }
                    yield null;
                }
                case SHARED, LOCAL ->
                        memory.stream()
                                .filter(one -> one.memoryBytes >= location.offset())
                                .findFirst()
                                .orElse(null);
                case GLOBAL, GLOBAL_INIT, ABSOLUTE -> null;
            };
        }

        void addLocalSymbols() {
            textSymbol = sectionSymbol(text);
            for (int i = 0; i < banks.size(); i++) {
                int added = sectionSymbol(banks.get(i));
                if (function.constants().get(i).index() == ConstantSection.DRIVER) {
                    driverBankSymbol = added;
                }
            }
        }

        private int sectionSymbol(ElfWriter.Section section) {
            return file.addSymbol("", ElfSymbol.SECTION, ElfSymbol.LOCAL, 0, section, 0, 0);
        }

        void addSymbol() {
            symbol =
                    file.addSymbol(
                            function.name(),
                            ElfSymbol.FUNCTION,
                            ElfSymbol.GLOBAL,
                            function.kernel() ? ElfSymbol.ENTRY : 0,
                            text,
                            0,
                            function.code().byteSize());
        }

        /// Writes the section contents that refer to symbols by index.
        void fill() {
            text.link = ElfWriter.SYMBOL_TABLE;
            text.info = textSymbol | function.registers() << REGISTERS_SHIFT;
            info.contents = functionInfo();
            int owner = symbol << SEGMENT_SYMBOL_SHIFT | READABLE;
            file.addSegment(text, info, owner | 1);
            if (!memory.isEmpty()) {
                file.addSegment(memory.getFirst(), memory.getLast(), owner | 2);
            }
        }

        private byte[] functionInfo() {
            InfoWriter writer = new InfoWriter();
            if (driverBankSymbol != 0) {
                writer.words(
                        InfoAttribute.PARAM_CBANK,
                        driverBankSymbol,
                        function.parameterOffset() | function.parameterBytes() << Short.SIZE);
            }
            List<KernelParameter> parameters = function.parameters();
            if (!parameters.isEmpty()) {
                writer.halfWord(InfoAttribute.CBANK_PARAM_SIZE, function.parameterBytes());
                parameters
                        .reversed()
                        .forEach(one -> writer.words(InfoAttribute.KPARAM_INFO, one.toWords()));
            }
            for (TextureSlot texture : function.textures()) {
                writer.words(
                        InfoAttribute.IMAGE_SLOT, textures.get(texture.name()), texture.slot());
            }
            addBlockSizes(writer, InfoAttribute.MAX_THREADS);
            addBlockSizes(writer, InfoAttribute.REQNTID);
            if (function.stack().callReturnUnits() > 0) {
                writer.words(InfoAttribute.CRS_STACK_SIZE, function.stack().callReturnUnits());
            }
            return writer.toBytes();
        }

        private void addBlockSizes(InfoWriter writer, InfoAttribute attribute) {
            int[] sizes = function.words(attribute, CubinFunction.DIMENSIONS);
            if (sizes != null) {
                writer.words(attribute, sizes);
            }
        }
    }
}
