package io.gpuvm.softgpu.sm.compiler;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;

import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.flow.BasicBlock;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/// Writes the method of a region: consecutive blocks, and the branches between them.
///
/// `int region(Warp, Interpreter, int left)` begins with the warp's current block and continues
/// while the next block is in the region and the warp's turn has not ended. Backward branches pass
/// through the method's head, so that loops have one entry, as the JVM's compiler requires.
final class RegionWriter {
    private static final int WARP = 0;
    private static final int INTERPRETER = 1;
    private static final int LEFT = 2;

    private final ClassDesc ownClass;
    private final NavigableMap<Integer, RegionBlock> blocks;
    private final Map<Integer, Label> labels = new HashMap<>();
    private Label head;
    private Label leave;

    /// Local variable: the warp's position.
    private int pc;

    /// Local variable: the index in the class data of the instruction that the warp executed last;
    /// -1 before the first.
    private int last;

    /// Block, and the code generated for it.
    ///
    /// @param first index of the block's first instruction in the class data
    /// @param laneLoops names of the methods of lane loops, by part; null for parts that are not
    ///   lane loops
    record RegionBlock(BasicBlock block, int first, List<Part> parts, List<String> laneLoops) {
        int size() {
            return block.instructions().size();
        }

        boolean stores() {
            return block.instructions().stream().anyMatch(KernelCode::isStore);
        }
    }

    /// @param blocks blocks of the region, by start
    RegionWriter(ClassDesc ownClass, NavigableMap<Integer, RegionBlock> blocks) {
        this.ownClass = ownClass;
        this.blocks = blocks;
    }

    void write(CodeBuilder code) {
        pc = code.allocateLocal(TypeKind.INT);
        last = code.allocateLocal(TypeKind.INT);
        head = code.newLabel();
        leave = code.newLabel();
        Label unknown = code.newLabel();
        List<SwitchCase> cases = new ArrayList<>();
        for (int start : blocks.keySet()) {
            Label label = code.newLabel();
            labels.put(start, label);
            cases.add(SwitchCase.of(start, label));
        }
        code.aload(WARP).getfield(GeneratedNames.WARP, "pc", CD_int).istore(pc);
        code.iconst_m1().istore(last);
        code.labelBinding(head);
        code.iload(LEFT).ifle(leave);
        code.iload(pc).lookupswitch(unknown, cases);
        code.labelBinding(unknown);
        code.labelBinding(leave);
        leave(code);
        for (RegionBlock block : blocks.values()) {
            code.labelBinding(labels.get(block.block().start()));
            write(code, block);
        }
    }

    /// Stores the warp's position and its last instruction.
    private void leave(CodeBuilder code) {
        Label done = code.newLabel();
        code.iload(last).iflt(done);
        code.aload(WARP).iload(pc).putfield(GeneratedNames.WARP, "pc", CD_int);
        code.aload(WARP).loadConstant(GeneratedNames.CODE).iload(last).aaload();
        code.putfield(GeneratedNames.WARP, "current", GeneratedNames.INSTRUCTION);
        code.labelBinding(done);
        code.iload(LEFT).ireturn();
    }

    private void write(CodeBuilder code, RegionBlock region) {
        List<Part> parts = region.parts();
        code.iinc(LEFT, -region.size());
        code.loadConstant(region.first() + region.size() - 1).istore(last);
        for (int n = 0; n < parts.size(); n++) {
            Part part = parts.get(n);
            switch (part.kind()) {
                case VECTORS, SCALARS -> laneLoop(code, region, part, region.laneLoops().get(n));
                case STEPS -> steps(code, region, part);
                case BRANCH -> {
                    branch(code, region, part);
                    return;
                }
            }
        }
        if (parts.getLast().kind() == Part.Kind.STEPS
                && KernelCode.endsBlock(region.block().last())) {
            dispatch(code);
        } else {
            go(code, region, region.block().end());
        }
    }

    private void laneLoop(CodeBuilder code, RegionBlock region, Part part, String name) {
        Label done = code.newLabel();
        code.aload(WARP).aload(INTERPRETER).invokestatic(ownClass, name, GeneratedNames.LANE_LOOP);
        code.ifne(done);
        steps(code, region, part);
        code.labelBinding(done);
    }

    private static void steps(CodeBuilder code, RegionBlock region, Part part) {
        int from = region.first() + part.from();
        code.aload(INTERPRETER).aload(WARP).loadConstant(GeneratedNames.CODE);
        if (part.to() - part.from() == 1) {
            code.loadConstant(from).aaload();
            code.invokevirtual(GeneratedNames.INTERPRETER, "step", GeneratedNames.STEP);
        } else {
            code.loadConstant(from).loadConstant(region.first() + part.to());
            code.invokevirtual(GeneratedNames.INTERPRETER, "run", GeneratedNames.RUN);
        }
    }

    /// Continues at the position to which the interpreter has moved the warp, unless the warp has
    /// stopped.
    private void dispatch(CodeBuilder code) {
        code.aload(WARP).getfield(GeneratedNames.WARP, "pc", CD_int).istore(pc);
        Label stop = code.newLabel();
        code.aload(WARP).getfield(GeneratedNames.WARP, "barrier", CD_int).ifge(stop);
        code.aload(WARP).getfield(GeneratedNames.WARP, "alive", CD_int).ifne(head);
        code.labelBinding(stop);
        code.iload(LEFT).ireturn();
    }

    private void branch(CodeBuilder code, RegionBlock region, Part part) {
        Instruction i = region.block().instructions().get(part.from());
        if (i.guard == Instruction.TRUE_PREDICATE) {
            go(code, region, i.guardFlip == 0 ? i.target : i.next);
            return;
        }
        int active = code.allocateLocal(TypeKind.INT);
        int mask = code.allocateLocal(TypeKind.INT);
        code.aload(WARP).getfield(GeneratedNames.WARP, "active", CD_int).istore(active);
        code.aload(WARP).getfield(GeneratedNames.WARP, "predicates", GeneratedNames.INTS);
        code.loadConstant(i.guard).iaload();
        if (i.guardFlip != 0) {
            code.iconst_m1().ixor();
        }
        code.iload(active).iand().istore(mask);
        Label some = code.newLabel();
        Label parted = code.newLabel();
        code.iload(mask).ifne(some);
        go(code, region, i.next);
        code.labelBinding(some);
        code.iload(mask).iload(active).if_icmpne(parted);
        go(code, region, i.target);
        code.labelBinding(parted);
        steps(code, region, part);
        dispatch(code);
    }

    /// Continues at a block, unless the turn has ended.
    private void go(CodeBuilder code, RegionBlock from, int target) {
        RegionBlock block = blocks.get(target);
        if (block == null) {
            code.loadConstant(target).istore(pc).goto_(leave);
            return;
        }
        boolean isBack = target < from.block().start();
        if (!block.stores() && isBack) {
            code.loadConstant(target).istore(pc).goto_(head);
            return;
        }
        code.iload(LEFT).loadConstant(block.stores() ? KernelCompiler.TURN - KernelCode.PACE : 0);
        Label over = code.newLabel();
        code.if_icmple(over);
        if (isBack) {
            code.loadConstant(target).istore(pc).goto_(head);
        } else {
            code.goto_(labels.get(target));
        }
        code.labelBinding(over);
        if (block.stores()) {
            code.aload(WARP).iconst_1().putfield(GeneratedNames.WARP, "isAhead", CD_boolean);
        }
        code.loadConstant(target).istore(pc).goto_(leave);
    }
}
