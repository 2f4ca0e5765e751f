package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.compiler.KernelClass;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// Generates classes that delegate to the interpreter, and counts calls.
final class StubCompiler implements Function<KernelCode, KernelClass> {
    private static final ClassDesc SUPER = desc(CompiledKernel.class);
    private static final String ENTER = "enter";

    private static final MethodTypeDesc ENTER_TYPE =
            MethodTypeDesc.of(
                    ConstantDescs.CD_int,
                    desc(Warp.class),
                    desc(Interpreter.class),
                    ConstantDescs.CD_int);

    private static final AtomicInteger ENTERED = new AtomicInteger();

    private static final byte[] BYTES = bytes(StubCompiler.class);

    private final AtomicInteger compiled = new AtomicInteger();

    /// Returns a subclass of [CompiledKernel] that delegates to the static method `enter` of the
    /// given class.
    static byte[] bytes(Class<?> enters) {
        return ClassFile.of()
                .build(
                        ClassDesc.of(CompiledKernel.class.getPackageName(), "Stub"),
                        type -> {
                            type.withSuperclass(SUPER);
                            type.withMethodBody(
                                    ConstantDescs.INIT_NAME,
                                    ConstantDescs.MTD_void,
                                    0,
                                    code ->
                                            code.aload(0)
                                                    .invokespecial(
                                                            SUPER,
                                                            ConstantDescs.INIT_NAME,
                                                            ConstantDescs.MTD_void)
                                                    .return_());
                            type.withMethodBody(
                                    ENTER,
                                    ENTER_TYPE,
                                    0,
                                    code ->
                                            code.aload(1)
                                                    .aload(2)
                                                    .iload(3)
                                                    .invokestatic(desc(enters), ENTER, ENTER_TYPE)
                                                    .ireturn());
                        });
    }

    private static ClassDesc desc(Class<?> type) {
        return ClassDesc.ofDescriptor(type.descriptorString());
    }

    /// Called by generated classes. Executes the warp with the interpreter, and counts the call.
    static int enter(Warp warp, Interpreter interpreter, int left) {
        ENTERED.incrementAndGet();
        return left - interpreter.run(warp, left);
    }

    /// Returns the number of entries into all stubs.
    static int entered() {
        return ENTERED.get();
    }

    /// Returns the number of generated classes.
    int compiled() {
        return compiled.get();
    }

    @Override
    public KernelClass apply(KernelCode code) {
        compiled.incrementAndGet();
        return new KernelClass(BYTES, new Instruction[0]);
    }
}
