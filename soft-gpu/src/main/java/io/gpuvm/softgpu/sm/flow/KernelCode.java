package io.gpuvm.softgpu.sm.flow;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Code of a kernel: all instructions that threads can reach from its entry, as far as can be
/// determined from the code.
///
/// The successors of a block are the blocks at which a thread may continue. After a join, break,
/// continue, return or long jump, a thread continues at the target of an entry of the warp's stack;
/// the successors are then the targets of all entries that may apply. Unknown code may push entries
/// and return. Therefore, if a thread may leave for unknown code, it may also leave wherever it
/// takes an entry.
public final class KernelCode {
    /// Maximum number of instructions in a block.
    public static final int LONGEST_BLOCK = 96;

    /// Maximum number of instructions before a store: a store further from its block's start begins
    /// a new block. The limit allows a warp that lags behind the other warps of its thread block to
    /// read data before another warp overwrites the data; some programs depend on this.
    public static final int PACE = 24;

    private final int entry;
    private final NavigableMap<Integer, BasicBlock> blocks;
    private final StackFlow stack;

    private KernelCode(int entry, NavigableMap<Integer, BasicBlock> blocks, StackFlow stack) {
        this.entry = entry;
        this.blocks = blocks;
        this.stack = stack;
    }

    /// Follows code from a kernel's entry.
    ///
    /// @param most maximum number of instructions to read; blocks that are cut off lead to unknown
    ///   code
    public static KernelCode of(CodeSource source, int entry, int most) {
        return new Discovery(source, entry, most).kernel();
    }

    /// Returns the offset of the entry from the start of the code segment.
    public int entry() {
        return entry;
    }

    /// Returns the blocks in order of address.
    public Collection<BasicBlock> blocks() {
        return blocks.values();
    }

    /// Returns the block that starts at an offset; null if there is none.
    public BasicBlock block(int start) {
        return blocks.get(start);
    }

    /// Returns whether a thread may leave for unknown code.
    public boolean leaves() {
        return blocks.values().stream().anyMatch(BasicBlock::leaves);
    }

    /// Returns the analysis of the warp's stack.
    StackFlow stack() {
        return stack;
    }

    /// Returns the number of instructions.
    public int size() {
        return blocks.values().stream().mapToInt(b -> b.instructions().size()).sum();
    }

    /// Returns whether an instruction may be followed by an instruction other than the next, or may
    /// make its warp wait.
    public static boolean endsBlock(Instruction i) {
        return i.joins
                || i.error != null
                || switch (i.opcode) {
                    case BRA, JMP, BRX, JMX, CAL, JCAL -> true;
                    case RET, BRK, CONT, LONGJMP, EXIT, KIL, BAR -> true;
                    default -> false;
                };
    }

    /// Returns whether a branch, call or push contains its target, instead of reading it from a
    /// register or constant.
    public static boolean isDirect(Instruction i) {
        return i.a == Rows.ZERO && i.field(Field.B_BANK, -1) < 0;
    }

    /// Returns whether an instruction changes memory that other warps can read.
    public static boolean isStore(Instruction i) {
        return switch (i.opcode) {
            case ST, STS, STSUL, STUL, ATOM, RED -> true;
            default -> false;
        };
    }

    /// Finds the instructions, then the starts of blocks, then the successors: first the successors
    /// without the stack, then the successors from the stack.
    private static final class Discovery {
        private final CodeSource source;
        private final int entry;
        private final NavigableMap<Integer, Instruction> found = new TreeMap<>();
        private final Set<Integer> starts = new TreeSet<>();
        private final Deque<Integer> open = new ArrayDeque<>();
        private final NavigableMap<Integer, BasicBlock> blocks = new TreeMap<>();
        private int left;

        Discovery(CodeSource source, int entry, int most) {
            this.source = source;
            this.entry = entry;
            left = most;
            start(entry);
        }

        KernelCode kernel() {
            while (!open.isEmpty()) {
                follow(open.pop());
            }
            for (int start : starts) {
                if (found.containsKey(start)) {
                    block(start);
                }
            }
            StackFlow stack = new StackFlow(List.copyOf(blocks.values()));
            boolean leaves = !stack.isKnown();
            for (BasicBlock block : blocks.values()) {
                leaves |= block.leaves();
            }
            for (StackFlow.Push push : stack.pushes()) {
                leaves |= !found.containsKey(push.target());
            }
            for (BasicBlock block : List.copyOf(blocks.values())) {
                if (StackFlow.takes(block.last())) {
                    blocks.put(block.start(), taking(block, stack, leaves));
                }
            }
            return new KernelCode(entry, blocks, stack);
        }

        /// Returns a block at whose end threads take an entry of the stack, with its successors
        /// completed.
        private BasicBlock taking(BasicBlock block, StackFlow stack, boolean leaves) {
            Set<Integer> next = new TreeSet<>(block.successors());
            if (stack.isKnown()) {
                BitSet entries = stack.taken(block).entries();
                entries.stream().forEach(entry -> next.add(stack.pushes().get(entry).target()));
                next.retainAll(found.keySet());
            }
            return new BasicBlock(block.start(), block.instructions(), List.copyOf(next), leaves);
        }

        private void start(int pc) {
            if (starts.add(pc)) {
                open.push(pc);
            }
        }

        private void follow(int from) {
            int pc = from;
            while (!found.containsKey(pc) && left > 0) {
                Instruction i = source.at(pc);
                if (i == null) {
                    return;
                }
                left--;
                found.put(pc, i);
                Integer pushed = StackFlow.pushedTarget(i);
                if (pushed != null) {
                    start(pushed);
                }
                if (endsBlock(i)) {
                    targets(i);
                    return;
                }
                pc = i.next;
            }
        }

        private void targets(Instruction i) {
            if (branchesTo(i) && isDirect(i)) {
                start(i.target);
            }
            if (mayGoOn(i) || StackFlow.isCall(i)) {
                start(i.next);
            }
        }

        private static boolean branchesTo(Instruction i) {
            return i.error == null
                    && switch (i.opcode) {
                        case BRA, JMP, BRX, JMX, CAL, JCAL -> true;
                        default -> false;
                    };
        }

        /// Returns whether a thread may reach the next instruction without the stack.
        private static boolean mayGoOn(Instruction i) {
            if (!Effects.isAlways(i)) {
                return true;
            }
            return i.error == null
                    && !i.joins
                    && switch (i.opcode) {
                        case BRA, JMP, BRX, JMX, CAL, JCAL -> false;
                        case RET, BRK, CONT, LONGJMP, EXIT, KIL -> false;
                        default -> true;
                    };
        }

        private void block(int start) {
            List<Instruction> instructions = new ArrayList<>();
            int pc = start;
            while (true) {
                Instruction i = found.get(pc);
                instructions.add(i);
                pc = i.next;
                if (endsBlock(i)) {
                    blocks.put(start, ended(start, instructions));
                    return;
                }
                boolean isCut = found.containsKey(pc) && isCut(instructions.size(), found.get(pc));
                if (starts.contains(pc) || isCut || !found.containsKey(pc)) {
                    boolean leaves = !found.containsKey(pc);
                    List<Integer> next = leaves ? List.of() : List.of(pc);
                    blocks.put(start, new BasicBlock(start, instructions, next, leaves));
                    if (isCut && !starts.contains(pc)) {
                        block(pc);
                    }
                    return;
                }
            }
        }

        private static boolean isCut(int size, Instruction next) {
            return size == LONGEST_BLOCK || size >= PACE && isStore(next);
        }

        private BasicBlock ended(int start, List<Instruction> instructions) {
            Instruction i = instructions.getLast();
            Set<Integer> next = new TreeSet<>();
            boolean leaves = false;
            if (branchesTo(i)) {
                if (isDirect(i)) {
                    next.add(i.target);
                } else {
                    leaves = true;
                }
            }
            if (mayGoOn(i)) {
                next.add(i.next);
            }
            leaves |= !found.keySet().containsAll(next);
            next.retainAll(found.keySet());
            return new BasicBlock(start, instructions, List.copyOf(next), leaves);
        }
    }
}
