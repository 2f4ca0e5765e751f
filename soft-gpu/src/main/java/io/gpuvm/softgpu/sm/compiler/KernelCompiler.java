package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.compiler.RegionWriter.RegionBlock;
import io.gpuvm.softgpu.sm.flow.BasicBlock;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import io.gpuvm.softgpu.sm.flow.Liveness;
import io.gpuvm.softgpu.sm.flow.ThreadValues;
import io.gpuvm.softgpu.sm.flow.Uniformity;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Compiles a kernel to a Java class.
public final class KernelCompiler {
    /// Maximum number of instructions in a warp's turn. The number is higher than the
    /// interpreter's, because the start and end of a turn are expensive; see also
    /// [KernelCode#PACE].
    public static final int TURN = 64;

    /// Maximum number of instructions in a region. The JVM's compiler generates better code for
    /// several methods of this size than for one large method, and none for a very large method.
    private static final int REGION_INSTRUCTIONS = 128;

    /// Maximum number of blocks in a region. Each block requires about 100 bytes of bytecode, and
    /// the JVM compiles no method longer than 8000 bytes.
    private static final int REGION_BLOCKS = 48;

    private static final ClassDesc NAME = ClassDesc.of(GeneratedNames.PACKAGE, "Kernel");
    private static final int STATIC = ClassFile.ACC_STATIC;

    private final KernelCode kernel;
    private final List<Instruction> instructions = new ArrayList<>();
    private final Liveness liveness;
    private final Uniformity uniformity;
    private int laneLoops;

    private KernelCompiler(KernelCode kernel, ThreadValues atExit) {
        this.kernel = kernel;
        liveness = Liveness.of(kernel, atExit);
        uniformity = Uniformity.of(kernel);
    }

    /// Compiles a kernel.
    public static KernelClass compile(KernelCode kernel) {
        return compile(kernel, ThreadValues.NONE);
    }

    /// Compiles a kernel.
    ///
    /// @param atExit values that are read after a thread has ended: none, except in tests
    public static KernelClass compile(KernelCode kernel, ThreadValues atExit) {
        return new KernelCompiler(kernel, atExit).compile();
    }

    private KernelClass compile() {
        byte[] bytes = ClassFile.of().build(NAME, this::writeClass);
        return new KernelClass(bytes, instructions.toArray(Instruction[]::new));
    }

    private void writeClass(ClassBuilder type) {
        type.withFlags(ClassFile.ACC_FINAL).withSuperclass(GeneratedNames.COMPILED_KERNEL);
        type.withMethodBody(
                ConstantDescs.INIT_NAME,
                ConstantDescs.MTD_void,
                0,
                code ->
                        code.aload(0)
                                .invokespecial(
                                        GeneratedNames.COMPILED_KERNEL,
                                        ConstantDescs.INIT_NAME,
                                        ConstantDescs.MTD_void)
                                .return_());
        List<NavigableMap<Integer, RegionBlock>> regions = regions(type);
        for (int n = 0; n < regions.size(); n++) {
            RegionWriter writer = new RegionWriter(NAME, regions.get(n));
            type.withMethodBody("region" + n, GeneratedNames.ENTER, STATIC, writer::write);
        }
        type.withMethodBody("enter", GeneratedNames.ENTER, 0, code -> enter(code, regions));
    }

    private List<NavigableMap<Integer, RegionBlock>> regions(ClassBuilder type) {
        List<NavigableMap<Integer, RegionBlock>> regions = new ArrayList<>();
        int size = REGION_INSTRUCTIONS;
        for (BasicBlock block : kernel.blocks()) {
            size += block.instructions().size();
            boolean isFull = !regions.isEmpty() && regions.getLast().size() == REGION_BLOCKS;
            if (size > REGION_INSTRUCTIONS || isFull) {
                regions.add(new TreeMap<>());
                size = block.instructions().size();
            }
            regions.getLast().put(block.start(), prepare(type, block));
        }
        return regions;
    }

    /// Divides a block into parts and writes its lane loops.
    private RegionBlock prepare(ClassBuilder type, BasicBlock block) {
        int first = instructions.size();
        instructions.addAll(block.instructions());
        List<Part> parts = Partition.of(block, uniformity);
        List<String> names = new ArrayList<>();
        for (Part part : parts) {
            boolean isLaneLoop =
                    part.kind() == Part.Kind.VECTORS || part.kind() == Part.Kind.SCALARS;
            names.add(isLaneLoop ? laneLoop(type, block, part) : null);
        }
        return new RegionBlock(block, first, parts, names);
    }

    private String laneLoop(ClassBuilder type, BasicBlock block, Part part) {
        String name = "laneLoop" + laneLoops++;
        LaneLoopWriter writer = new LaneLoopWriter(block, part, liveness, uniformity);
        Consumer<CodeBuilder> full = code -> writer.write(code, NAME, name);
        Consumer<CodeBuilder> masked = code -> writer.write(code, NAME, null);
        type.withMethodBody(name, GeneratedNames.LANE_LOOP, STATIC, full);
        type.withMethodBody(LaneLoopWriter.MASKED + name, GeneratedNames.LANE_LOOP, STATIC, masked);
        return name;
    }

    /// Writes `enter`, which dispatches the warp to the method of its region.
    private void enter(CodeBuilder code, List<NavigableMap<Integer, RegionBlock>> regions) {
        Label unknown = code.newLabel();
        List<SwitchCase> cases = new ArrayList<>();
        List<Label> labels = new ArrayList<>();
        for (NavigableMap<Integer, RegionBlock> region : regions) {
            Label label = code.newLabel();
            labels.add(label);
            region.keySet().forEach(start -> cases.add(SwitchCase.of(start, label)));
        }
        code.aload(1).getfield(GeneratedNames.WARP, "pc", ConstantDescs.CD_int);
        code.lookupswitch(unknown, cases);
        for (int n = 0; n < regions.size(); n++) {
            code.labelBinding(labels.get(n));
            code.aload(1).aload(2).iload(3);
            code.invokestatic(NAME, "region" + n, GeneratedNames.ENTER).ireturn();
        }
        code.labelBinding(unknown);
        code.iload(3).ireturn();
    }
}
