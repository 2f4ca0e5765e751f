package io.gpuvm.softgpu.sm.compiler;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.gpuvm.softgpu.sm.alu.Floats;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Collections;

/// Names that generated classes refer to. Generated classes belong to the package in which they are
/// defined, and use the package-private members of that package.
final class GeneratedNames {
    static final String PACKAGE = "io.gpuvm.softgpu.sm";

    static final ClassDesc COMPILED_KERNEL = ofPackage("CompiledKernel");
    static final ClassDesc WARP = ofPackage("Warp");
    static final ClassDesc INTERPRETER = ofPackage("Interpreter");
    static final ClassDesc CONSTANTS = ofPackage("ConstantCache");
    static final ClassDesc SHARED = ofPackage("SharedMemory");
    static final ClassDesc INSTRUCTION = Instruction.class.describeConstable().orElseThrow();
    static final ClassDesc INSTRUCTIONS = INSTRUCTION.arrayType();
    static final ClassDesc UNSAFE = ClassDesc.of("sun.misc.Unsafe");
    static final ClassDesc ROW_ACCESS = RowAccess.class.describeConstable().orElseThrow();
    static final ClassDesc MATH = Math.class.describeConstable().orElseThrow();
    static final ClassDesc FLOATS = Floats.class.describeConstable().orElseThrow();
    static final ClassDesc INTS = CD_int.arrayType();

    /// Class data of the generated class.
    static final DynamicConstantDesc<?> CODE =
            DynamicConstantDesc.ofNamed(
                    ConstantDescs.BSM_CLASS_DATA, ConstantDescs.DEFAULT_NAME, INSTRUCTIONS);

    /// Type of `int enter(Warp, Interpreter, int left)` and of a region's method.
    static final MethodTypeDesc ENTER = MethodTypeDesc.of(CD_int, WARP, INTERPRETER, CD_int);

    /// Type of `boolean laneLoop(Warp, Interpreter)`.
    static final MethodTypeDesc LANE_LOOP = MethodTypeDesc.of(CD_boolean, WARP, INTERPRETER);

    static final MethodTypeDesc STEP = MethodTypeDesc.of(CD_void, WARP, INSTRUCTION);
    static final MethodTypeDesc RUN =
            MethodTypeDesc.of(CD_void, WARP, INSTRUCTIONS, CD_int, CD_int);
    static final MethodTypeDesc OBTAINS = MethodTypeDesc.of(CD_boolean, CD_int, CD_int);
    static final MethodTypeDesc AT = MethodTypeDesc.of(CD_int, CD_int, CD_int);
    static final MethodTypeDesc INT_TO_INT = MethodTypeDesc.of(CD_int, CD_int);
    static final MethodTypeDesc COVERS =
            MethodTypeDesc.of(CD_boolean, INTS, CD_int, CD_int, CD_int, CD_int, CD_int, CD_int);
    static final MethodTypeDesc WORD = MethodTypeDesc.of(CD_int, CD_int);
    static final MethodTypeDesc GET_INT = MethodTypeDesc.of(CD_int, CD_Object, CD_long);
    static final MethodTypeDesc PUT_INT = MethodTypeDesc.of(CD_void, CD_Object, CD_long, CD_int);
    static final MethodTypeDesc GET_FLOAT = MethodTypeDesc.of(CD_float, CD_Object, CD_long);
    static final MethodTypeDesc PUT_FLOAT =
            MethodTypeDesc.of(CD_void, CD_Object, CD_long, CD_float);
    static final MethodTypeDesc INT_TO_FLOAT = MethodTypeDesc.of(CD_float, CD_int);
    static final MethodTypeDesc FLOAT_TO_INT = MethodTypeDesc.of(CD_int, CD_float);
    static final MethodTypeDesc FLOAT_TO_FLOAT = MethodTypeDesc.of(CD_float, CD_float);
    static final MethodTypeDesc WIDE = MethodTypeDesc.of(CD_long, CD_int, CD_int);
    static final MethodTypeDesc FMA = MethodTypeDesc.of(CD_float, CD_float, CD_float, CD_float);
    static final MethodTypeDesc ONE_NAN = MethodTypeDesc.of(CD_void, INTS, CD_int, CD_int);

    private GeneratedNames() {}

    /// Returns the type of a function of integers.
    static MethodTypeDesc ofInts(int count) {
        return MethodTypeDesc.of(CD_int, Collections.nCopies(count, CD_int));
    }

    private static ClassDesc ofPackage(String name) {
        return ClassDesc.of(PACKAGE, name);
    }
}
