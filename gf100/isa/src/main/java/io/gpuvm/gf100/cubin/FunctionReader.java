package io.gpuvm.gf100.cubin;

import java.util.ArrayList;
import java.util.List;

/// Collects the information about a function from a file's sections.
final class FunctionReader {
    private static final int REGISTERS_SHIFT = 24;
    private static final int BARRIERS_SHIFT = 20;
    private static final int BARRIERS_MASK = 0x7f;

    private static final int UNKNOWN = -1;

    private final String name;
    private final ElfSection code;
    private final List<ConstantSection> constants = new ArrayList<>();
    private final List<KernelParameter> parameters = new ArrayList<>();
    private final List<int[]> imageSlots = new ArrayList<>();
    private List<InfoRecord> info;
    private ElfSymbol symbol;
    private int registers;
    private int sharedBytes = UNKNOWN;
    private int localBytes = UNKNOWN;
    private int frameBytes;
    private int minStackBytes;
    private int callReturnUnits;
    private int parameterOffset = ConstantSection.PARAMETERS;
    private int parameterBytes = UNKNOWN;
    private int parameterSize = UNKNOWN;

    FunctionReader(String name, ElfSection code) {
        this.name = name;
        this.code = code;
        this.registers = code.info() >>> REGISTERS_SHIFT;
    }

    String name() {
        return name;
    }

    ElfSection code() {
        return code;
    }

    /// Returns the index of the function's symbol, or -1 if it has no symbol.
    int symbol() {
        return symbol == null ? -1 : symbol.index();
    }

    void onSymbol(ElfSymbol found) {
        if (symbol != null) {
            throw CubinException.at(code.name(), "symbols " + name, 2, 1);
        }
        CubinFunction.check("symbol " + name, "offset", found.value(), 0);
        symbol = found;
    }

    void onConstants(ConstantSection bank) {
        constants.add(bank);
    }

    void onShared(ElfSection section) {
        sharedBytes = bytesOf(section, sharedBytes, CubinFunction.MAX_SHARED_BYTES);
    }

    void onLocal(ElfSection section) {
        localBytes = bytesOf(section, localBytes, CubinFunction.MAX_LOCAL_BYTES);
    }

    private static int bytesOf(ElfSection section, int known, int limit) {
        if (known != UNKNOWN) {
            throw CubinException.at("file", "sections " + section.name(), 2, 1);
        }
        CubinFunction.check(section.name(), "bytes", section.sizeBytes(), limit);
        return (int) section.sizeBytes();
    }

    /// @param amount number in the record; all bits are set for a stack without a known limit
    void onNeed(InfoRecord record, int amount) {
        if (record.is(InfoAttribute.REGCOUNT)) {
            CubinFunction.check(code.name(), "registers", amount, CubinFunction.MAX_REGISTERS);
            registers = Math.max(registers, amount);
            return;
        }
        if (amount != CubinFunction.Stack.UNKNOWN) {
            CubinFunction.check(code.name(), "stack bytes", amount, CubinFunction.MAX_LOCAL_BYTES);
        }
        if (record.is(InfoAttribute.FRAME_SIZE)) {
            frameBytes = amount;
        } else {
            minStackBytes = amount;
        }
    }

    /// @param count number of records of the file
    void onInfo(ElfSection section, RecordCount count) {
        if (info != null) {
            throw CubinException.at("file", "sections " + section.name(), 2, 1);
        }
        info = InfoRecord.read(section, count);
        for (InfoRecord record : info) {
            onRecord(section.name(), record);
        }
    }

    private void onRecord(String where, InfoRecord record) {
        if (record.is(InfoAttribute.PARAM_CBANK)) {
            int place = record.words(where, 2)[1];
            parameterOffset = place & 0xffff;
            parameterBytes = place >>> Short.SIZE;
        } else if (record.is(InfoAttribute.CBANK_PARAM_SIZE)) {
            parameterSize = record.value();
        } else if (record.is(InfoAttribute.IMAGE_SLOT)) {
            imageSlots.add(record.words(where, 2));
        } else if (record.is(InfoAttribute.KPARAM_INFO)) {
            parameters.add(KernelParameter.of(record.words(where, KernelParameter.WORDS)));
        } else if (record.is(InfoAttribute.MAX_THREADS) || record.is(InfoAttribute.REQNTID)) {
            record.words(where, CubinFunction.DIMENSIONS);
        } else if (record.is(InfoAttribute.CRS_STACK_SIZE)) {
            callReturnUnits = record.words(where, 1)[0];
            CubinFunction.check(
                    where, "call stack units", callReturnUnits, CubinFunction.MAX_LOCAL_BYTES);
        }
    }

    private List<TextureSlot> textures(List<ElfSymbol> symbols) {
        List<TextureSlot> found = new ArrayList<>();
        for (int[] words : imageSlots) {
            int index = words[0];
            if (index < 0 || index >= symbols.size()) {
                throw CubinException.at("textures of " + name, "symbol", index, symbols.size() - 1);
            }
            found.add(new TextureSlot(symbols.get(index).name(), words[1]));
        }
        return found;
    }

    /// @param symbols symbols of the file
    CubinFunction read(List<ElfSymbol> symbols) {
        return new CubinFunction(
                name,
                symbol != null && (symbol.other() & ElfSymbol.ENTRY) != 0,
                code.contents(),
                registers,
                (int) (code.flags() >> BARRIERS_SHIFT) & BARRIERS_MASK,
                Math.max(0, sharedBytes),
                Math.max(0, localBytes),
                new CubinFunction.Stack(frameBytes, minStackBytes, callReturnUnits),
                parameterOffset,
                parameterBytes(),
                parameters,
                constants,
                textures(symbols),
                info == null ? List.of() : info);
    }

    /// Returns the size of the parameters in bytes. Toolkits record the size in different
    /// attributes; in a file without these attributes, the size of a kernel's bank 0 determines it.
    private int parameterBytes() {
        if (parameterBytes != UNKNOWN) {
            return parameterBytes;
        }
        if (parameterSize != UNKNOWN) {
            return parameterSize;
        }
        long bytes = parameterOffset;
        for (ConstantSection bank : constants) {
            bytes = bank.index() == ConstantSection.DRIVER ? bank.contents().byteSize() : bytes;
        }
        return (int) Math.max(0, bytes - parameterOffset);
    }
}
