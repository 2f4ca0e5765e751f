package io.gpuvm.guests.hostile;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.mmu.MemoryTarget;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/// Kernels that never end, invalid kernels, and kernels of random instructions.
final class KernelAttacks {
    private static final int RANDOM_KERNELS = 6;
    private static final int RANDOM_WORDS = 64;
    private static final int MOST_THREADS = 1024;
    private static final int MOST_BLOCKS = 65535;
    private static final List<Form> FORMS = InstructionTable.forms();

    /// Kernel that loops indefinitely.
    private static final String ENDLESS = "loop: BRA loop";

    /// Deadlock: the first warp waits at one barrier, the other warps at another.
    private static final String DEADLOCK =
            """
                  S2R R0, SR_TID.X
                  ISETP.LT.AND P0, PT, R0, 32, PT
                  @P0 BRA first
                  BAR.SYNC 0
                  EXIT
            first:
                  BAR.SYNC 1
                  EXIT
            """;

    /// Kernel that calls itself endlessly.
    private static final String RECURSION = "self: CAL self";

    /// Kernel that pushes until the warp's stack is full.
    private static final String PUSHES = "push: SSY push; BRA push";

    private static final String EMPTY = "EXIT";

    private final HostileGuest guest;
    private final HostileChannel channel;

    KernelAttacks(HostileGuest guest) {
        this.guest = guest;
        Tables tables = new Tables(guest, MemoryTarget.SYSTEM_COHERENT);
        channel = new HostileChannel(guest, tables, 0).requireWorking();
    }

    /// Launches all kernels, one after another. The channel must still work afterwards.
    void all() {
        expectNoEnd(ENDLESS, MOST_THREADS, MOST_BLOCKS);
        expectNoEnd(DEADLOCK, 2 * Integer.SIZE, 2);
        expectNoEnd(EMPTY, MOST_THREADS, MOST_BLOCKS);
        channel.launch(code(RECURSION), MOST_THREADS, 2);
        channel.launch(code(PUSHES), MOST_THREADS, 2);
        long seed = ThreadLocalRandom.current().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < RANDOM_KERNELS; i++) {
            channel.launch(code(random), 1 + random.nextInt(MOST_THREADS), 4);
        }
        channel.open();
        if (!channel.writeWord(HostileGuest.DATA, 1)) {
            guest.found("the channel fails after random kernels, seed=%d".formatted(seed));
        }
    }

    private void expectNoEnd(String source, int threads, int blocks) {
        if (channel.launch(code(source), threads, blocks)) {
            guest.found("an endless kernel completes: " + source);
        }
    }

    private static long[] code(String source) {
        return Assembler.code("kernel", source);
    }

    private static long[] code(Random random) {
        long[] words = new long[RANDOM_WORDS];
        for (int i = 0; i < words.length; i++) {
            words[i] = word(random);
        }
        return words;
    }

    private static long word(Random random) {
        while (true) {
            Form form = FORMS.get(random.nextInt(FORMS.size()));
            long word = form.template();
            for (Field field : form.fields()) {
                if (!form.isConstant(field)) {
                    word = form.set(field, form.get(field, random.nextLong()), word);
                }
            }
            if (form.accepts(word)) {
                return word;
            }
        }
    }
}
