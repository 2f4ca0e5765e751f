package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.alu.Conditions;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.flow.Effects;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A lane's predicates and the bits of its condition code ([Flag]), and whether it executes the
/// current instruction: words of 0 or -1 in local variables. Methods that push or pop refer to the
/// operand stack of the generated method.
final class LaneFlags {
    /// Value that a guarded instruction has computed; valid for instructions with the same guard.
    ///
    /// @param slot local variable: the value
    /// @param guard local variable: the guard
    private record Fresh(int slot, int guard) {}

    private static final int NONE = -1;
    private static final int ALL = WordCode.ALL;

    private final WordCode words;
    private final CodeBuilder code;
    private final LaneRows rows;
    private final LaneLoopFrame frame;

    /// Local variables of flags that were read or written, by number ([Flag]).
    private final Map<Integer, Integer> slots = new TreeMap<>();

    private final Set<Integer> changed = new TreeSet<>();

    /// Value from the last instruction that set a flag, by number ([Flag]).
    private final Map<Integer, Fresh> fresh = new HashMap<>();

    /// Local variables of evaluated guards, by guard.
    private final Map<Integer, Integer> masks = new HashMap<>();

    /// Local variable: -1 if the lane, provided that it is active, executes the current
    /// instruction, else 0; [#NONE] if every lane executes it.
    private int guard = NONE;

    LaneFlags(WordCode words, LaneRows rows, LaneLoopFrame frame) {
        this.words = words;
        this.rows = rows;
        this.frame = frame;
        code = words.code();
    }

    /// Begins an instruction.
    void begin(Instruction i) {
        guard = NONE;
        boolean isGuarded = i.guard != Instruction.TRUE_PREDICATE || i.guardFlip != 0;
        if (i.condition != Instruction.ALWAYS) {
            pushTest(i.condition);
            if (isGuarded) {
                push(i.guard, i.guardFlip);
                code.iand();
            }
            guard = words.store();
        } else if (isGuarded) {
            guard =
                    masks.computeIfAbsent(
                            i.guard << 1 | i.guardFlip & 1,
                            _ -> {
                                push(i.guard, i.guardFlip);
                                return words.store();
                            });
        }
    }

    /// Returns whether the current instruction has a guard.
    boolean isGuarded() {
        return guard != NONE;
    }

    /// Pushes -1 if the condition code passes a test, else 0.
    ///
    /// @param test ordinal of [io.gpuvm.gf100.isa.ConditionCode]
    void pushTest(int test) {
        int deciding = Effects.conditionsOfTest(test);
        words.push(test);
        for (int flag = Flag.ZERO; flag <= Flag.OVERFLOW; flag++) {
            if ((deciding >>> flag - Flag.ZERO & 1) != 0) {
                push(flag, 0);
            } else {
                words.push(0);
            }
        }
        words.call(Conditions.class, "test", GeneratedNames.ofInts(5));
    }

    /// Pushes a flag, 0 or -1, which is valid for the lanes that execute the current instruction.
    ///
    /// @param flip -1 to push the opposite
    void push(int number, int flip) {
        if (number == Flag.TRUE) {
            code.loadConstant(ALL ^ flip);
            return;
        }
        Fresh known = fresh.get(number);
        if (known != null && known.guard() == guard) {
            code.iload(known.slot());
        } else {
            pushWhole(number);
        }
        if (flip != 0) {
            words.invert();
        }
    }

    /// Pushes a flag, 0 or -1, which is valid for all lanes.
    void pushWhole(int number) {
        Integer known = slots.get(number);
        if (known == null) {
            code.iload(frame.flagWord(number));
            rows.laneBitToMask();
            known = words.store();
            slots.put(number, known);
        }
        code.iload(known);
    }

    /// Pops 0 or -1, and assigns it to a predicate or a bit of the condition code, for the lanes
    /// that execute.
    void set(int number) {
        if (number == Flag.TRUE) {
            code.pop();
            return;
        }
        fresh.remove(number);
        if (guard != NONE) {
            int written = words.store();
            pushWhole(number);
            blend(written);
            fresh.put(number, new Fresh(written, guard));
        }
        slots.put(number, words.store());
        changed.add(number);
        masks.keySet().removeIf(key -> key >> 1 == number);
    }

    /// Assigns a value that other code has computed, for all lanes.
    ///
    /// @param slot local variable: 0 or -1
    void take(int flag, int slot) {
        slots.put(flag, slot);
        fresh.remove(flag);
        changed.add(flag);
        masks.keySet().removeIf(key -> key >> 1 == flag);
    }

    /// Pops a word, and assigns its sign to a flag.
    void setToSign(int flag) {
        words.spreadSign();
        set(flag);
    }

    /// Sets the zero and sign flags from an integer in a local variable; clears the other bits of
    /// the condition code.
    void setConditions(int slot) {
        words.pushIsZero(slot);
        set(Flag.ZERO);
        code.iload(slot);
        setToSign(Flag.SIGN);
        code.iconst_0();
        set(Flag.CARRY);
        code.iconst_0();
        set(Flag.OVERFLOW);
    }

    /// Pops the old value, and pushes the new one; lanes that do not execute keep the old value.
    ///
    /// @param written local variable: the value for the lanes that execute
    void blend(int written) {
        code.dup().iload(written).ixor().iload(guard).iand().ixor();
    }

    /// Collects the changed flags that are needed.
    void finish() {
        changed.forEach(number -> {
            if (frame.isFlagNeeded(number)) {
                pushWhole(number);
                rows.collect(number);
            }
        });
    }

    /// Pops an argument, and pushes the result of an expensive function of the argument, or an
    /// undefined word if the lane does not execute.
    void callIfExecuted(Runnable function) {
        if (guard == NONE && !frame.isMasked()) {
            function.run();
            return;
        }
        int argument = words.store();
        code.iconst_0();
        int result = words.store();
        words.push(ALL);
        keepIfExecuting();
        Label skipped = code.newLabel();
        code.ifeq(skipped);
        code.iload(argument);
        function.run();
        code.istore(result);
        code.labelBinding(skipped);
        code.iload(result);
    }

    /// Pops a word, and pushes it if the lane is active and executes the instruction, else 0.
    void keepIfExecuting() {
        if (guard != NONE) {
            code.iload(guard).iand();
        }
        if (frame.isMasked()) {
            push(Flag.ACTIVE, 0);
            code.iand();
        }
    }
}
