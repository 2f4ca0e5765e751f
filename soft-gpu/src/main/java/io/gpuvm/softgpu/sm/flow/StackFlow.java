package io.gpuvm.softgpu.sm.flow;

import io.gpuvm.softgpu.sm.code.Instruction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The divergence stack as a thread sees it: which instructions may have pushed what is on top of
/// it where, and so where a thread goes on when it joins, breaks, continues, returns or jumps out.
///
/// A thread sees those entries that it is among the lanes of. When it joins, it goes on where the
/// top one leads, whatever that was pushed for; when it leaves in another way, where the first one
/// of that kind leads, and those above are gone. Entries that branches push are of no concern: a
/// thread that waits in one only goes on where it branched to.
///
/// Contexts are not kept apart: an instruction that pushes has one set of what may be beneath.
final class StackFlow {
    /// What an entry is pushed for.
    enum Way {
        JOIN,
        BREAK,
        CONTINUE,
        RETURN,
        LONG_JUMP
    }

    /// An instruction that pushes.
    ///
    /// @param target where the entry leads; of calls, to the next instruction
    record Push(Instruction instruction, Way way, int target) {}

    /// What becomes of the stack where a thread's path ends.
    ///
    /// @param entries numbers of those that lead on
    /// @param dropped numbers of those that were above them
    record Taken(BitSet entries, BitSet dropped) {}

    /// How many instructions that push are looked at, and how often a block may be gone through or
    /// found to take an entry: beyond it is not known where threads go. Limits for who means harm.
    private static final int MOST_PUSHES = 1 << 12;

    private static final int MOST_STEPS = 1 << 16;

    private final List<Push> pushes = new ArrayList<>();
    private final Map<Instruction, Integer> numbers = new HashMap<>();

    /// By number of an instruction that pushes: what may be on top when it does.
    private final List<BitSet> beneath = new ArrayList<>();

    /// By number: blocks that go by what is beneath.
    private final List<BitSet> readers = new ArrayList<>();

    private final List<BasicBlock> blocks;
    private final Map<Integer, Integer> blockNumbers = new HashMap<>();
    private final BitSet[] atStart;
    private final BitSet[] atEnd;
    private final Taken[] taken;
    private final Deque<Integer> open = new ArrayDeque<>();
    private boolean isKnown;

    /// How often blocks have been gone through, and entries found to be taken or dropped, again and
    /// again.
    private int steps;

    /// @param blocks with those successors that threads come to without the stack
    StackFlow(List<BasicBlock> blocks) {
        this.blocks = blocks;
        atStart = new BitSet[blocks.size()];
        atEnd = new BitSet[blocks.size()];
        taken = new Taken[blocks.size()];
        for (int n = 0; n < blocks.size(); n++) {
            BasicBlock block = blocks.get(n);
            blockNumbers.put(block.start(), n);
            block.instructions().forEach(this::add);
        }
        isKnown =
                pushes.stream().allMatch(push -> leadsToCode(push.instruction()))
                        && pushes.size() <= MOST_PUSHES;
        if (isKnown) {
            follow();
        }
    }

    private void add(Instruction i) {
        Way way = pushes(i);
        if (way != null) {
            numbers.put(i, pushes.size());
            pushes.add(new Push(i, way, isCall(i) ? i.next : i.target));
            beneath.add(new BitSet());
            readers.add(new BitSet());
        }
    }

    private static boolean leadsToCode(Instruction i) {
        return isCall(i) || KernelCode.isDirect(i);
    }

    /// Whether all is known: no entry leads to a computed address, and there are not too many.
    boolean isKnown() {
        return isKnown;
    }

    /// The kernel's blocks, in order of address, with those successors that threads come to without
    /// the stack.
    List<BasicBlock> blocks() {
        return blocks;
    }

    /// Instructions that push, by number.
    List<Push> pushes() {
        return pushes;
    }

    /// The number of an instruction that pushes; -1 of others.
    int number(Instruction i) {
        return numbers.getOrDefault(i, -1);
    }

    /// Numbers of what may be on top where a block ends.
    BitSet atEnd(BasicBlock block) {
        return atEnd[blockNumbers.get(block.start())];
    }

    /// What a thread that comes to the end of a block takes from the stack there; null if it goes
    /// on in other ways only.
    Taken taken(BasicBlock block) {
        return taken[blockNumbers.get(block.start())];
    }

    private void follow() {
        for (int n = 0; n < blocks.size(); n++) {
            atStart[n] = new BitSet();
            atEnd[n] = new BitSet();
            open.add(n);
        }
        BitSet isOpen = new BitSet();
        isOpen.set(0, blocks.size());
        while (!open.isEmpty() && isKnown) {
            int number = open.pop();
            isOpen.clear(number);
            BitSet reopened = update(number);
            reopened.andNot(isOpen);
            isOpen.or(reopened);
            // Behind all others, since more may come to it until then: all calls of a function.
            reopened.stream().forEach(open::add);
            isKnown = steps <= MOST_STEPS;
        }
    }

    /// @return blocks that have to be looked at again
    private BitSet update(int number) {
        steps++;
        BasicBlock block = blocks.get(number);
        BitSet reopened = new BitSet();
        BitSet top = (BitSet) atStart[number].clone();
        for (Instruction i : block.instructions()) {
            int push = number(i);
            if (push >= 0) {
                if (grow(beneath.get(push), top)) {
                    reopened.or(readers.get(push));
                }
                top.clear();
                top.set(push);
            }
        }
        atEnd[number] = top;
        for (int next : block.successors()) {
            come(next, top, reopened);
        }
        if (takes(block.last())) {
            Taken now = taken(block.last(), top);
            taken[number] = now;
            steps += now.entries.cardinality() + now.dropped.cardinality();
            now.dropped.stream().forEach(entry -> readers.get(entry).set(number));
            now.entries.stream()
                    .forEach(entry -> {
                        readers.get(entry).set(number);
                        come(pushes.get(entry).target(), beneath.get(entry), reopened);
                    });
        }
        return reopened;
    }

    private void come(int start, BitSet top, BitSet reopened) {
        Integer number = blockNumbers.get(start);
        if (number != null && grow(atStart[number], top)) {
            reopened.set(number);
        }
    }

    private static boolean grow(BitSet set, BitSet more) {
        int before = set.cardinality();
        set.or(more);
        return set.cardinality() != before;
    }

    private Taken taken(Instruction i, BitSet top) {
        BitSet entries = new BitSet();
        BitSet dropped = new BitSet();
        if (i.error == null && i.joins) {
            entries.or(top);
        }
        Way way = leftBy(i);
        if (way != null) {
            BitSet rest = (BitSet) top.clone();
            while (!rest.isEmpty()) {
                int entry = rest.nextSetBit(0);
                rest.clear(entry);
                if (pushes.get(entry).way() == way) {
                    entries.set(entry);
                } else if (!dropped.get(entry)) {
                    dropped.set(entry);
                    rest.or(beneath.get(entry));
                    rest.andNot(dropped);
                }
            }
        }
        return new Taken(entries, dropped);
    }

    /// Whether threads that execute an instruction go on by way of the stack.
    static boolean takes(Instruction i) {
        return i.error == null && (i.joins || leftBy(i) != null);
    }

    /// Whether it is by other than a join.
    static boolean leaves(Instruction i) {
        return leftBy(i) != null;
    }

    private static Way pushes(Instruction i) {
        if (i.error != null) {
            return null;
        }
        return switch (i.opcode) {
            case SSY -> Way.JOIN;
            case PBK -> Way.BREAK;
            case PCNT -> Way.CONTINUE;
            case PRET, CAL, JCAL -> Way.RETURN;
            case PLONGJMP -> Way.LONG_JUMP;
            default -> null;
        };
    }

    /// What a thread leaves that executes it, other than by a join; null if it does not.
    private static Way leftBy(Instruction i) {
        if (i.error != null) {
            return null;
        }
        return switch (i.opcode) {
            case BRK -> Way.BREAK;
            case CONT -> Way.CONTINUE;
            case RET -> Way.RETURN;
            case LONGJMP -> Way.LONG_JUMP;
            default -> null;
        };
    }

    static boolean isCall(Instruction i) {
        return i.error == null
                && switch (i.opcode) {
                    case CAL, JCAL -> true;
                    default -> false;
                };
    }

    /// Where an instruction that is no call pushes a way to; null if it does not, or to a computed
    /// address.
    static Integer pushedTarget(Instruction i) {
        return pushes(i) != null && !isCall(i) && KernelCode.isDirect(i) ? i.target : null;
    }
}
