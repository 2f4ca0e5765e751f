package io.gpuvm.softgpu.sm.flow;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A kernel's code: all that threads can come to from its entry, as far as the code says it.
///
/// Successors are a thread's. Where it goes on depends on the warp's stack if it joins, breaks,
/// continues, returns or jumps out: then all places that instructions of the kernel have pushed for
/// that are successors.
public final class KernelCode {
    /// Instructions that a block has at the most.
    public static final int LONGEST_BLOCK = 96;

    /// Instructions before a store: where it would be further from its block's start, a block
    /// starts with it. A warp that is behind the others of its block of threads has so much time to
    /// read what is overwritten, which there are programs that count on.
    public static final int PACE = 24;

    /// What a thread goes on to by way of the warp's stack.
    private enum Way {
        JOIN,
        BREAK,
        CONTINUE,
        RETURN,
        LONG_JUMP
    }

    private final int entry;
    private final NavigableMap<Integer, BasicBlock> blocks = new TreeMap<>();

    private KernelCode(int entry) {
        this.entry = entry;
    }

    /// Follows code from a kernel's entry.
    ///
    /// @param most instructions to look at; where it is not gone on, blocks lead to nowhere known
    public static KernelCode of(CodeSource source, int entry, int most) {
        return new Discovery(source, entry, most).kernel();
    }

    /// Where it starts, from the start of the code segment.
    public int entry() {
        return entry;
    }

    /// Its blocks in order of address.
    public Collection<BasicBlock> blocks() {
        return blocks.values();
    }

    /// The block that starts at an offset; null if none does.
    public BasicBlock block(int start) {
        return blocks.get(start);
    }

    /// How many instructions it has.
    public int size() {
        return blocks.values().stream().mapToInt(b -> b.instructions().size()).sum();
    }

    /// Whether an instruction may be followed by another one than the next, or may have its warp
    /// wait.
    private static boolean endsBlock(Instruction i) {
        return i.joins
                || i.error != null
                || switch (i.opcode) {
                    case BRA, JMP, BRX, JMX, CAL, JCAL -> true;
                    case RET, BRK, CONT, LONGJMP, EXIT, KIL, BAR -> true;
                    default -> false;
                };
    }

    /// Whether an instruction changes memory that other warps see.
    public static boolean isStore(Instruction i) {
        return switch (i.opcode) {
            case ST, STS, STSUL, STUL, ATOM, RED -> true;
            default -> false;
        };
    }

    /// Whether the target is in the instruction alone.
    private static boolean isDirect(Instruction i) {
        return i.a == Rows.ZERO && i.field(Field.B_BANK, -1) < 0;
    }

    private static Way pushes(Instruction i) {
        return switch (i.opcode) {
            case SSY -> Way.JOIN;
            case PBK -> Way.BREAK;
            case PCNT -> Way.CONTINUE;
            case PRET -> Way.RETURN;
            case PLONGJMP -> Way.LONG_JUMP;
            default -> null;
        };
    }

    private static Way takes(Instruction i) {
        return switch (i.opcode) {
            case BRK -> Way.BREAK;
            case CONT -> Way.CONTINUE;
            case RET -> Way.RETURN;
            case LONGJMP -> Way.LONG_JUMP;
            default -> null;
        };
    }

    /// Finds instructions first, then where blocks start, then what follows what.
    private static final class Discovery {
        private final CodeSource source;
        private final KernelCode kernel;
        private final NavigableMap<Integer, Instruction> found = new TreeMap<>();
        private final Set<Integer> starts = new TreeSet<>();
        private final Deque<Integer> open = new ArrayDeque<>();
        private final Map<Way, Set<Integer>> pushed = new EnumMap<>(Way.class);
        private int left;
        private boolean pushesUnknown;

        Discovery(CodeSource source, int entry, int most) {
            this.source = source;
            kernel = new KernelCode(entry);
            left = most;
            for (Way way : Way.values()) {
                pushed.put(way, new TreeSet<>());
            }
            start(entry);
        }

        KernelCode kernel() {
            while (!open.isEmpty()) {
                follow(open.pop());
            }
            makeBlocks();
            boolean leaves = kernel.blocks.values().stream().anyMatch(BasicBlock::leaves);
            if (leaves && !pushesUnknown) {
                // What is not known may push, and come back.
                pushesUnknown = true;
                makeBlocks();
            }
            return kernel;
        }

        private void makeBlocks() {
            kernel.blocks.clear();
            for (int start : starts) {
                if (found.containsKey(start)) {
                    block(start);
                }
            }
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
                pushed(i);
                if (endsBlock(i)) {
                    targets(i);
                    return;
                }
                pc = i.next;
            }
        }

        private void pushed(Instruction i) {
            Way way = pushes(i);
            if (i.error != null || way == null) {
                return;
            }
            if (isDirect(i)) {
                pushed.get(way).add(i.target);
                start(i.target);
            } else {
                pushesUnknown = true;
            }
        }

        private void targets(Instruction i) {
            if (i.error == null) {
                switch (i.opcode) {
                    case BRA, JMP, BRX, JMX, CAL, JCAL -> {
                        if (isDirect(i)) {
                            start(i.target);
                        }
                        if (i.opcode.name().endsWith("CAL")) {
                            pushed.get(Way.RETURN).add(i.next);
                        }
                    }
                    default -> {}
                }
            }
            if (mayGoOn(i)) {
                start(i.next);
            }
        }

        /// Whether a thread may come to the next instruction, or return to it.
        private static boolean mayGoOn(Instruction i) {
            if (!Effects.isAlways(i)) {
                return true;
            }
            return i.error == null
                    && !i.joins
                    && switch (i.opcode) {
                        case BRA, JMP -> i.mode != 0;
                        case CAL, JCAL -> true;
                        case BRX, JMX, RET, BRK, CONT, LONGJMP, EXIT, KIL -> false;
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
                    kernel.blocks.put(start, ended(start, instructions));
                    return;
                }
                boolean isCut = found.containsKey(pc) && isCut(instructions.size(), found.get(pc));
                if (starts.contains(pc) || isCut || !found.containsKey(pc)) {
                    boolean leaves = !found.containsKey(pc);
                    List<Integer> next = leaves ? List.of() : List.of(pc);
                    kernel.blocks.put(start, new BasicBlock(start, instructions, next, leaves));
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
            if (i.error == null) {
                switch (i.opcode) {
                    case BRA, JMP, BRX, JMX, CAL, JCAL -> {
                        if (isDirect(i)) {
                            next.add(i.target);
                        } else {
                            leaves = true;
                        }
                    }
                    default -> {}
                }
                Way way = takes(i);
                if (way != null) {
                    next.addAll(pushed.get(way));
                    leaves |= pushesUnknown;
                }
                if (i.joins) {
                    // Nobody checks what lanes wait for that join before the others do.
                    pushed.values().forEach(next::addAll);
                    leaves |= pushesUnknown;
                }
            }
            boolean calls = i.opcode.name().endsWith("CAL") && i.error == null;
            if (mayGoOn(i) && !(calls && Effects.isAlways(i))) {
                next.add(i.next);
            }
            leaves |= !found.keySet().containsAll(next);
            next.retainAll(found.keySet());
            return new BasicBlock(start, instructions, List.copyOf(next), leaves);
        }
    }
}
