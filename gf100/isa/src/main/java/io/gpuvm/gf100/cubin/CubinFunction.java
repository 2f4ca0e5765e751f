package io.gpuvm.gf100.cubin;

import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;

/// A kernel, or a function that kernels call.
///
/// @param kernel whether it can be launched
/// @param code read-only
/// @param registers general registers of a thread
/// @param barriers how many of a block's barriers it uses
/// @param sharedBytes of a block's shared memory, without what a launch adds
/// @param localBytes of a thread's local memory, without its stack
/// @param stack what calls need
/// @param parameterOffset where in bank 0 parameters start
/// @param parameterBytes bytes of all parameters
/// @param parameters in the order of their ordinals; older files may have none in spite of
///   `parameterBytes`
/// @param constants the banks of its own, by index; of bank 0 files hold zeros
/// @param textures in the order of the file, each in a slot of its own
/// @param info all attributes that the file has of this function alone
public record CubinFunction(
        String name,
        boolean kernel,
        MemorySegment code,
        int registers,
        int barriers,
        int sharedBytes,
        int localBytes,
        Stack stack,
        int parameterOffset,
        int parameterBytes,
        List<KernelParameter> parameters,
        List<ConstantSection> constants,
        List<TextureSlot> textures,
        List<InfoRecord> info) {
    /// General registers that a thread can have: the 64th reads as zero.
    public static final int MAX_REGISTERS = 63;

    /// Barriers that a block has.
    public static final int MAX_BARRIERS = 16;

    /// Bytes of shared memory that a block can have.
    public static final int MAX_SHARED_BYTES = 48 << 10;

    /// Bytes of local memory that a thread can have.
    public static final int MAX_LOCAL_BYTES = 512 << 10;

    /// Bytes of a launch's parameters, limited by CUDA for sm_20.
    public static final int MAX_PARAMETER_BYTES = 4 << 10;

    /// Words of [InfoAttribute#MAX_THREADS] and [InfoAttribute#REQNTID]: directions of a block.
    public static final int DIMENSIONS = 3;

    /// What a function needs of the two stacks.
    ///
    /// @param frameBytes of local memory, of this function alone, or [#UNKNOWN]
    /// @param minBytes of local memory, with all that it calls, or [#UNKNOWN] for recursion
    /// @param callReturnUnits of the warp's stack of calls and divergence, 0 if the file does not
    ///   say; gdev takes a unit for 16 bytes
    public record Stack(int frameBytes, int minBytes, int callReturnUnits) {
        public static final int UNKNOWN = -1;
        public static final Stack NONE = new Stack(0, 0, 0);
    }

    public CubinFunction {
        String where = "function " + name;
        check(where, "registers", registers, MAX_REGISTERS);
        check(where, "barriers", barriers, MAX_BARRIERS);
        check(where, "shared bytes", sharedBytes, MAX_SHARED_BYTES);
        check(where, "local bytes", localBytes, MAX_LOCAL_BYTES);
        check(where, "parameter offset", parameterOffset, ConstantSection.BYTES);
        check(where, "parameter bytes", parameterBytes, MAX_PARAMETER_BYTES);
        if (code.byteSize() % Integer.BYTES != 0) {
            throw CubinException.at(where, "bytes of code", code.byteSize(), "a multiple of 4");
        }
        code = code.asReadOnly();
        parameters =
                parameters.stream()
                        .sorted(Comparator.comparingInt(KernelParameter::ordinal))
                        .toList();
        constants =
                constants.stream().sorted(Comparator.comparingInt(ConstantSection::index)).toList();
        textures = List.copyOf(textures);
        info = List.copyOf(info);
        checkParameters(where, parameters, parameterBytes);
        checkTextures(where, textures);
        for (int i = 1; i < constants.size(); i++) {
            if (constants.get(i).index() == constants.get(i - 1).index()) {
                throw CubinException.at(
                        where, "sections of bank " + constants.get(i).index(), 2, 1);
            }
        }
    }

    private static void checkParameters(String where, List<KernelParameter> list, int bytes) {
        for (int i = 0; i < list.size(); i++) {
            KernelParameter parameter = list.get(i);
            if (parameter.ordinal() != i) {
                throw CubinException.at(where, "ordinal of a parameter", parameter.ordinal(), i);
            }
            if (parameter.offset() + parameter.sizeBytes() > bytes) {
                throw CubinException.at(
                        where,
                        "end of parameter " + i,
                        parameter.offset() + parameter.sizeBytes(),
                        bytes);
            }
        }
    }

    /// Where its code starts.
    public Location location() {
        return new Location(Location.Part.CODE, name, 0, 0);
    }

    /// The words of an attribute, or null if the file has it not.
    ///
    /// @param least how many words there must be
    /// @throws CubinException if there are fewer, or bytes of half a word
    public int[] words(InfoAttribute attribute, int least) {
        for (InfoRecord record : info) {
            if (record.is(attribute)) {
                return record.words("function " + name, least);
            }
        }
        return null;
    }

    private static void checkTextures(String where, List<TextureSlot> list) {
        boolean[] taken = new boolean[TextureSlot.MAX_SLOT + 1];
        for (TextureSlot texture : list) {
            if (taken[texture.slot()]) {
                throw CubinException.at(where, "textures in slot " + texture.slot(), 2, 1);
            }
            taken[texture.slot()] = true;
        }
    }

    static void check(String where, String name, long value, long limit) {
        if (value < 0 || value > limit) {
            throw CubinException.at(where, name, value, limit);
        }
    }
}
