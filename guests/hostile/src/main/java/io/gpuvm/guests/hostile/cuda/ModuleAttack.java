package io.gpuvm.guests.hostile.cuda;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

/// Modules that lie about their sizes, decompress to a multiple of their length, need more memory
/// than they are long, or change while the backend reads them.
final class ModuleAttack {
    private static final long DATA_BYTES = 128 << 20;

    /// Offset in the data area of large images.
    private static final long IMAGE = 4 << 20;

    private static final int MIB = 1 << 20;

    /// Greatest length of an image that the backend accepts, and one more.
    private static final int TOO_LARGE = 32 * MIB + 1;

    private final HostileSession session;
    private final Findings findings;
    private final Random random;
    private long module = 1;

    private ModuleAttack(HostileSession session, Findings findings, Random random) {
        this.session = session;
        this.findings = findings;
        this.random = random;
        session.openContext(findings);
    }

    static void run(HostileGround ground, Findings findings) {
        try (HostileSession session = HostileSession.open(ground.socket(), DATA_BYTES)) {
            ModuleAttack attack = new ModuleAttack(session, findings, ground.random("modules"));
            attack.ranges();
            attack.lies();
            attack.damaged(ground.settings().images());
            attack.changing(ground);
            attack.bombs();
            findings.expect(
                    "good module afterwards", attack.load(HostileModule.CUBIN), CudaStatus.SUCCESS);
        }
    }

    private HostileSession.Answer load(byte[] image) {
        MemorySegment.copy(image, 0, session.data(), ValueLayout.JAVA_BYTE, IMAGE, image.length);
        return session.call(call(IMAGE, image.length, 0, 64 << 10, HostileModule.sha256(image)));
    }

    private CudaCall.ModuleLoadData call(
            long image, long bytes, long description, long capacity, byte[] hash) {
        return new CudaCall.ModuleLoadData(
                1, module++ % 4096 + 1, image, bytes, description, capacity, ByteBuffer.wrap(hash));
    }

    /// Ranges of images and descriptions outside of the data area.
    private void ranges() {
        byte[] hash = HostileModule.sha256(HostileModule.CUBIN);
        MemorySegment.copy(
                HostileModule.CUBIN,
                0,
                session.data(),
                ValueLayout.JAVA_BYTE,
                IMAGE,
                HostileModule.CUBIN.length);
        long bytes = HostileModule.CUBIN.length;
        long data = session.data().byteSize();
        long[][] ranges = {
            {data, bytes, 0, 4096},
            {-1, bytes, 0, 4096},
            {data - 1, 2, 0, 4096},
            {IMAGE, -1, 0, 4096},
            {IMAGE, Long.MAX_VALUE, 0, 4096},
            {IMAGE, TOO_LARGE, 0, 4096},
            {IMAGE, bytes, data, 1},
            {IMAGE, bytes, -8, 16},
            {IMAGE, bytes, 8, Long.MAX_VALUE},
            {IMAGE, bytes, 0, -1},
            {IMAGE, bytes, 0, 0},
        };
        for (long[] range : ranges) {
            findings.expect(
                    "load with ranges " + Arrays.toString(range),
                    session.call(call(range[0], range[1], range[2], range[3], hash)),
                    CudaStatus.INVALID_VALUE);
        }
        findings.expect(
                "unknown hash",
                session.call(call(0, 0, 0, 4096, new byte[32])),
                CudaStatus.NOT_FOUND);
        findings.expect(
                "wrong hash",
                session.call(call(IMAGE, bytes, 0, 4096, new byte[32])),
                CudaStatus.INVALID_VALUE);
        findings.expect(
                "description over the image",
                session.call(call(IMAGE, bytes, IMAGE, 4096, hash)),
                CudaStatus.SUCCESS);
    }

    /// Files with stated lengths that are not theirs.
    private void lies() {
        byte[] zeros = ForgedFile.zeros(1000);
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put("no file", new byte[100]);
        files.put("only a header", Arrays.copyOf(HostileModule.CUBIN, 64));
        for (long size : new long[] {17, Integer.MAX_VALUE, 1L << 40, Long.MAX_VALUE, -1}) {
            files.put(
                    "code of %d bytes".formatted(size),
                    new ForgedFile()
                            .addLying(".text.f", ForgedFile.PROGBITS, size, new byte[16])
                            .toBytes());
            files.put(
                    "zeros of %d bytes".formatted(size | 1L << 50),
                    new ForgedFile()
                            .function("f")
                            .addLying(".nv.global", ForgedFile.NOBITS, size | 1L << 50, new byte[0])
                            .toBytes());
        }
        for (int stated : new int[] {-1, 0, zeros.length + 100, Integer.MAX_VALUE}) {
            files.put(
                    "compressed bytes=" + stated,
                    ForgedFile.fatbin(zeros, ForgedFile.LZ4, stated, 1000));
        }
        for (long stated : new long[] {-1, 0, 1, 999, 1001, TOO_LARGE, 1L << 40, Long.MAX_VALUE}) {
            files.put(
                    "uncompressed bytes=" + stated,
                    ForgedFile.fatbin(zeros, ForgedFile.LZ4, zeros.length, stated));
        }
        files.put("unknown compression", ForgedFile.fatbin(zeros, 0xf000, zeros.length, 1000));
        files.put("no ELF in a fatbin", ForgedFile.fatbin(zeros, 0, 0, 0));
        files.forEach((name, file) -> findings.expectRefusal(name, load(file)));
    }

    /// Good modules with random changes, and truncated ones.
    private void damaged(int count) {
        for (int i = 0; i < count; i++) {
            byte[] file = HostileModule.CUBIN.clone();
            for (int n = random.nextInt(4); n >= 0; n--) {
                int at = random.nextInt(2) == 0 ? random.nextInt(file.length) : random.nextInt(64);
                file[at] = (byte) (random.nextBoolean() ? -1 : random.nextInt());
            }
            int length = random.nextInt(4) == 0 ? random.nextInt(file.length) : file.length;
            HostileSession.Answer answer = load(Arrays.copyOf(file, length));
            if (answer.status() == CudaStatus.SUCCESS) {
                session.ask(new CudaCall.ModuleUnload((module - 1) % 4096 + 1));
            }
        }
    }

    /// Changes an image while the backend copies and hashes it: no other session may get another
    /// module under its hash.
    private void changing(HostileGround ground) {
        byte[] image = HostileModule.WITHOUT_SPIN;
        byte[] hash = HostileModule.sha256(image);
        MemorySegment.copy(image, 0, session.data(), ValueLayout.JAVA_BYTE, IMAGE, image.length);
        AtomicBoolean ended = new AtomicBoolean();
        Thread scribbler =
                Thread.ofPlatform()
                        .start(() -> {
                            while (!ended.get()) {
                                long at = IMAGE + image.length / 2;
                                byte good = image[image.length / 2];
                                session.data().set(ValueLayout.JAVA_BYTE, at, (byte) ~good);
                                session.data().set(ValueLayout.JAVA_BYTE, at, good);
                            }
                        });
        try {
            for (int i = 0; i < 50; i++) {
                findings.expect(
                        "changing image",
                        session.call(call(IMAGE, image.length, 0, 4096, hash)),
                        CudaStatus.SUCCESS,
                        CudaStatus.INVALID_VALUE);
            }
        } finally {
            ended.set(true);
            join(scribbler);
        }
        try (HostileSession other = ground.connect()) {
            other.call(new CudaCall.CtxCreate(1, 0, 0, 1));
            HostileSession.Answer answer = other.call(HostileModule.load(1, 1, 0, hash));
            if (answer.status() == CudaStatus.SUCCESS) {
                verifyAdd(other);
            } else {
                findings.expect("image by its hash", answer, CudaStatus.NOT_FOUND);
            }
        }
    }

    private void verifyAdd(HostileSession other) {
        other.data().set(ValueLayout.JAVA_INT, 0, 5);
        other.ask(HostileModule.launch(1, HostileModule.ADD, 1, HostileSession.DATA_ADDRESS, 37));
        findings.expect(
                "kernel of the module with this hash",
                other.call(new CudaCall.StreamSynchronize(1)),
                CudaStatus.SUCCESS);
        findings.check(
                other.data().get(ValueLayout.JAVA_INT, 0) == 42, "another module has this hash");
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Files that need much memory or time.
    private void bombs() {
        int all = 30 * MIB;
        int many = all / 30;
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put(
                "attributes",
                new ForgedFile()
                        .function("f")
                        .add(".nv.info.f", ForgedFile.INFO, 0, 0, ForgedFile.attributes(all / 4))
                        .toBytes());
        files.put(
                "symbols",
                new ForgedFile()
                        .function("f")
                        .add(".strtab", ForgedFile.STRTAB, 0, 0, new byte[1])
                        .add(".symtab", ForgedFile.SYMTAB, 0, 2, ForgedFile.symbols(all / 24, 0, 0))
                        .toBytes());
        files.put(
                "variables",
                new ForgedFile()
                        .function("f")
                        .add(".strtab", ForgedFile.STRTAB, 0, 0, ForgedFile.names(many))
                        .add(".symtab", ForgedFile.SYMTAB, 0, 2, ForgedFile.symbols(many, 4, 6))
                        .addLying(".nv.global", ForgedFile.NOBITS, 4096, new byte[0])
                        .toBytes());
        ForgedFile functions = new ForgedFile();
        for (int i = 0; i < 30_000; i++) {
            functions.function("f" + i);
        }
        for (int i = 0; i < 30_000; i++) {
            functions.add(".nv.info", ForgedFile.INFO, 0, 0, new byte[0]);
        }
        files.put("attributes of all functions", functions.toBytes());
        byte[] zeros = ForgedFile.zeros(TOO_LARGE - 1);
        files.put(
                "32 MiB of zeros, compressed",
                ForgedFile.fatbin(zeros, ForgedFile.LZ4, zeros.length, TOO_LARGE - 1));
        byte[] more = ForgedFile.zeros(4 * TOO_LARGE);
        files.put(
                "128 MiB of zeros, compressed",
                ForgedFile.fatbin(more, ForgedFile.LZ4, more.length, 4L * TOO_LARGE));
        files.forEach((name, file) -> findings.expectRefusal(name, load(file)));
        byte[] big =
                new ForgedFile()
                        .function("f")
                        .add(".nv.global.init", ForgedFile.PROGBITS, 0, 0, new byte[all])
                        .toBytes();
        long[] calls = new long[16];
        load(big);
        for (int i = 0; i < calls.length; i++) {
            calls[i] = session.send(call(0, 0, 0, 4096, HostileModule.sha256(big)));
        }
        for (long call : calls) {
            findings.expect(
                    "large module, many times",
                    session.await(call),
                    CudaStatus.SUCCESS,
                    CudaStatus.NOT_FOUND,
                    CudaStatus.OUT_OF_MEMORY);
        }
    }
}
