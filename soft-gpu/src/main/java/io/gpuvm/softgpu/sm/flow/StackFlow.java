package io.gpuvm.softgpu.sm.flow;

import io.gpuvm.softgpu.sm.code.Instruction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Divergence stack from a thread's perspective: the instructions that may have pushed the thread's
/// topmost entry at each point, and therefore the targets of joins, breaks, continues, returns and
/// long jumps.
///
/// A thread's entries are the entries whose lanes include the thread. A join continues at the
/// target of the topmost entry of any kind. A break, continue, return or long jump continues at the
/// target of the topmost entry of its kind, and drops the entries above that entry. Entries that
/// branches push do not matter: a thread that waits in such an entry continues at the branch's
/// target.
///
/// The analysis does not distinguish contexts: a pushing instruction has one set of entries that
/// may be beneath its own.
final class StackFlow {
    /// Purpose of an entry.
    enum Way {
        JOIN,
        BREAK,
        CONTINUE,
        RETURN,
        LONG_JUMP
    }

    /// Instruction that pushes an entry.
    ///
    /// @param target target of the entry; for calls, the next instruction
    record Push(Instruction instruction, Way way, int target) {}

    /// Effect on the stack at the end of a thread's path.
    ///
    /// @param entries numbers of the entries that may determine the target
    /// @param dropped numbers of the entries that may have been above these entries
    record Taken(BitSet entries, BitSet dropped) {}

    /// Maximum number of pushing instructions; beyond this limit, the targets of threads are
    /// unknown. The limit bounds the work for hostile code.
    private static final int MOST_PUSHES = 1 << 12;

    /// Maximum of [#steps]; beyond this limit, the targets of threads are unknown. The limit bounds
    /// the work for hostile code.
    private static final int MOST_STEPS = 1 << 16;

    private final List<Push> pushes = new ArrayList<>();
    private final Map<Instruction, Integer> numbers = new HashMap<>();

    /// Entries that may be on top when an instruction pushes, by number of the instruction.
    private final List<BitSet> beneath = new ArrayList<>();

    /// Blocks that depend on the entries beneath, by number of the instruction.
    private final List<BitSet> readers = new ArrayList<>();

    private final List<BasicBlock> blocks;
    private final Map<Integer, Integer> blockNumbers = new HashMap<>();
    private final BitSet[] atStart;
    private final BitSet[] atEnd;
    private final Taken[] taken;
    private final Deque<Integer> open = new ArrayDeque<>();
    private boolean isKnown;

    /// Number of visits to blocks, and of entries found to be taken or dropped, with repetitions.
    private int steps;

    /// @param blocks blocks with the successors that threads reach without the stack
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

    /// Returns whether the result is complete: no entry has a computed target, and no limit was
    /// exceeded.
    boolean isKnown() {
        return isKnown;
    }

    /// Returns the kernel's blocks, in order of address, with the successors that threads reach
    /// without the stack.
    List<BasicBlock> blocks() {
        return blocks;
    }

    /// Returns the pushing instructions, by number.
    List<Push> pushes() {
        return pushes;
    }

    /// Returns the number of a pushing instruction; -1 for other instructions.
    int number(Instruction i) {
        return numbers.getOrDefault(i, -1);
    }

    /// Returns the numbers of entries that may be on top at the end of a block.
    BitSet atEnd(BasicBlock block) {
        return atEnd[blockNumbers.get(block.start())];
    }

    /// Returns the entries that a thread takes from the stack at the end of a block; null if the
    /// thread does not continue at an entry of the stack.
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
            // Appended to the queue, because other entries may reach a block until its visit,
            // such as those of all calls of a function.
            reopened.stream().forEach(open::add);
            isKnown = steps <= MOST_STEPS;
        }
    }

    /// @return blocks that must be visited again
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

    /// Returns whether an instruction makes threads continue at an entry of the stack.
    static boolean takes(Instruction i) {
        return i.error == null && (i.joins || leftBy(i) != null);
    }

    /// Returns whether an instruction other than a join makes threads continue at an entry of the
    /// stack.
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

    /// Returns the kind of entry at which a thread continues after an instruction other than a
    /// join; null if the instruction takes no entry.
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

    /// Returns the target that an instruction other than a call pushes; null if it pushes nothing,
    /// or a computed address.
    static Integer pushedTarget(Instruction i) {
        return pushes(i) != null && !isCall(i) && KernelCode.isDirect(i) ? i.target : null;
    }
}
