package io.gpuvm.gf100.cubin;

import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;

/// Kernel, or function that kernels call.
///
/// @param kernel whether the function can be launched
/// @param code machine code, read-only
/// @param registers number of general registers of a thread
/// @param barriers number of a block's barriers that the function uses
/// @param sharedBytes bytes of a block's shared memory, excluding the bytes that a launch adds
/// @param localBytes bytes of a thread's local memory, excluding its stack
/// @param stack stack memory that the function needs
/// @param parameterOffset offset of the parameters in bank 0
/// @param parameterBytes bytes of all parameters
/// @param parameters parameters, in the order of their ordinals; older files may omit this list
///   although `parameterBytes` is not 0
/// @param constants the function's own banks, in the order of their indices; bank 0 is all zeros in
///   files
/// @param textures textures, in the order of the file, each in a separate slot
/// @param info all attributes in the file that apply only to this function
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
    /// Maximum number of general registers of a thread; the 64th reads as zero.
    public static final int MAX_REGISTERS = 63;

    /// Number of barriers of a block.
    public static final int MAX_BARRIERS = 16;

    /// Maximum size of a block's shared memory, in bytes.
    public static final int MAX_SHARED_BYTES = 48 << 10;

    /// Maximum size of a thread's local memory, in bytes.
    public static final int MAX_LOCAL_BYTES = 512 << 10;

    /// Maximum size of a launch's parameters, in bytes; CUDA's limit for sm_20.
    public static final int MAX_PARAMETER_BYTES = 4 << 10;

    /// Number of words of [InfoAttribute#MAX_THREADS] and [InfoAttribute#REQNTID]: one per
    /// dimension of a block.
    public static final int DIMENSIONS = 3;

    /// Space that a function needs on the two stacks.
    ///
    /// @param frameBytes bytes of local memory for this function only, or [#UNKNOWN]
    /// @param minBytes bytes of local memory, including all called functions, or [#UNKNOWN] for
    ///   recursion
    /// @param callReturnUnits units of the warp's call and divergence stack, 0 if the file does not
    ///   specify it; gdev interprets a unit as 16 bytes
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
                throw new CubinException(
                        where
                                + ": ordinal of a parameter="
                                + parameter.ordinal()
                                + ", expected="
                                + i);
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

    /// Returns the start of the function's code.
    public Location location() {
        return new Location(Location.Part.CODE, name, 0, 0);
    }

    /// Returns the words of an attribute, or null if the function does not have the attribute.
    ///
    /// @param least minimum number of words
    /// @throws CubinException if the attribute has fewer words, or a partial word
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
