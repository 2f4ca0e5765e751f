package io.gpuvm.guests.hostile.cuda;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.cuda.protocol.LinkRequest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Sources in PTX that are damaged, or need much more memory or time than they are long, and
/// requests of links that lie about their lengths.
final class PtxAttack {
    private static final long DATA_BYTES = 64 << 20;

    /// Offset in the data area of requests.
    private static final long REQUEST = 4 << 20;

    /// Offset in the data area of responses.
    private static final long RESPONSE = 48 << 20;

    private static final long RESPONSE_BYTES = 4 << 20;

    private static final String HEADER = ".version 3.0\n.target sm_20\n.address_size 64\n";

    private static final String GOOD =
            HEADER
                    + """
                    .global .u32 table[4] = {1, 2, 3, 4};
                    .visible .entry k(.param .u64 out, .param .u32 count)
                    {
                        .reg .pred %p<2>;
                        .reg .u32 %r<8>;
                        .reg .u64 %at<4>;
                        .shared .align 4 .b8 block[128];
                        mov.u32 %r0, %tid.x;
                        ld.param.u32 %r1, [count];
                        ld.param.u64 %at0, [out];
                        setp.ge.u32 %p0, %r0, %r1;
                        @%p0 bra done;
                        mul.wide.u32 %at1, %r0, 4;
                        add.u64 %at0, %at0, %at1;
                        ld.global.u32 %r2, [%at0];
                        div.u32 %r3, %r2, %r1;
                        st.shared.u32 [block], %r3;
                        bar.sync 0;
                        ld.shared.u32 %r4, [block];
                        st.global.u32 [%at0], %r4;
                    done:
                        ret;
                    }
                    """;

    private final HostileSession session;
    private final Findings findings;
    private final Random random;

    private PtxAttack(HostileSession session, Findings findings, Random random) {
        this.session = session;
        this.findings = findings;
        this.random = random;
        session.openContext(findings);
    }

    static void run(HostileGround ground, Findings findings) {
        try (HostileSession session = HostileSession.open(ground.socket(), DATA_BYTES)) {
            PtxAttack attack = new PtxAttack(session, findings, ground.random("ptx"));
            attack.ranges();
            attack.lies();
            attack.damaged(ground.settings().images());
            attack.bombs();
            findings.expect("good source afterwards", attack.link(GOOD), CudaStatus.SUCCESS);
        }
    }

    private static byte[] request(String source) {
        return new LinkRequest(
                        0,
                        4,
                        true,
                        List.of(
                                new LinkRequest.Input(
                                        "PTX", source.getBytes(StandardCharsets.ISO_8859_1))))
                .toBytes();
    }

    private HostileSession.Answer link(String source) {
        return link(request(source));
    }

    private HostileSession.Answer link(byte[] request) {
        MemorySegment.copy(
                request, 0, session.data(), ValueLayout.JAVA_BYTE, REQUEST, request.length);
        return session.call(
                new CudaCall.PtxLink(1, REQUEST, request.length, RESPONSE, RESPONSE_BYTES));
    }

    /// Ranges outside of the data area, or of each other.
    private void ranges() {
        byte[] request = request(GOOD);
        link(request);
        long data = session.data().byteSize();
        long[][] ranges = {
            {data, 8, RESPONSE, 64},
            {-1, 8, RESPONSE, 64},
            {REQUEST, -1, RESPONSE, 64},
            {REQUEST, Long.MAX_VALUE, RESPONSE, 64},
            {REQUEST, (32 << 20) + 1, RESPONSE, 64},
            {REQUEST, request.length, data, 1},
            {REQUEST, request.length, -8, 16},
            {REQUEST, request.length, RESPONSE, -1},
            {REQUEST, request.length, RESPONSE, 0},
            {REQUEST, request.length, RESPONSE, 31},
        };
        for (long[] range : ranges) {
            findings.expect(
                    "link with ranges " + Arrays.toString(range),
                    session.call(new CudaCall.PtxLink(1, range[0], range[1], range[2], range[3])),
                    CudaStatus.INVALID_VALUE);
        }
        findings.expect(
                "response over the request",
                session.call(
                        new CudaCall.PtxLink(1, REQUEST, request.length, REQUEST, RESPONSE_BYTES)),
                CudaStatus.SUCCESS);
    }

    /// Requests with stated numbers that are not theirs.
    private void lies() {
        byte[] good = request(GOOD);
        for (int at = 0; at < 40; at++) {
            for (int value : new int[] {0, 1, 0x7f, 0x80, 0xff}) {
                byte[] changed = good.clone();
                changed[at] = (byte) value;
                link(changed);
            }
        }
        for (int bytes = 1; bytes < 48; bytes++) {
            findings.expectRefusal("request of " + bytes, link(Arrays.copyOf(good, bytes)));
        }
    }

    /// Good sources with random changes, and truncated ones.
    private void damaged(int count) {
        for (int i = 0; i < count; i++) {
            StringBuilder text = new StringBuilder(GOOD);
            for (int n = random.nextInt(4); n >= 0; n--) {
                int at = HEADER.length() + random.nextInt(text.length() - HEADER.length());
                switch (random.nextInt(4)) {
                    case 0 -> text.setCharAt(at, (char) random.nextInt(256));
                    case 1 -> text.deleteCharAt(at);
                    case 2 -> {
                        int from = random.nextInt(GOOD.length());
                        text.insert(at, GOOD, from, Math.min(from + 40, GOOD.length()));
                    }
                    default -> text.insert(at, random.nextLong());
                }
            }
            int length = random.nextInt(8) == 0 ? random.nextInt(text.length()) : text.length();
            link(text.substring(0, length));
        }
    }

    /// Sources that need much memory or time.
    private void bombs() {
        Map<String, String> sources = new LinkedHashMap<>();
        sources.put("braces", body("{".repeat(1 << 20)));
        sources.put("brackets", HEADER + ".global .u32 x = " + "(".repeat(1 << 20) + "1;");
        sources.put("initial values", HEADER + ".global .u32 x[] = " + "{".repeat(1 << 20));
        sources.put("a long name", body("bra " + "n".repeat(1 << 20) + ";"));
        sources.put("two thousand million registers", body(".reg .u32 %r<2147483647>;"));
        sources.put("errors", body("foo;\n".repeat(1 << 18)));
        sources.put("a large variable", HEADER + ".global .b8 x[1099511627776];" + kernel());
        sources.put("a large initial value", HEADER + ".const .b8 x[1000000] = {1};" + kernel());
        sources.put("shared memory", body(".shared .b8 x[1048576]; st.shared.u8 [x], 1;"));
        sources.put("local memory", body(".local .b8 x[1073741824]; st.local.u8 [x], 1;"));
        sources.put(
                "large arguments",
                HEADER
                        + ".func f(.param .b8 a[4096]) { ret; }\n.entry k() {\n.param .b8 p[4096];\n"
                        + "call f, (p);\n".repeat(10_000)
                        + "ret;\n}\n");
        sources.put("one long function", body("bar.sync 0;\n".repeat(70_000)));
        sources.forEach((name, source) -> {
            HostileSession.Answer answer = link(source);
            findings.check(
                    answer.status() != CudaStatus.UNKNOWN,
                    name + ": internal error of the backend");
        });
        findings.expect("registers, used", link(body(manyValues())), CudaStatus.SUCCESS);
    }

    private static String kernel() {
        return ".visible .entry k()\n{\nret;\n}\n";
    }

    private static String body(String statements) {
        return HEADER + ".visible .entry k()\n{\n" + statements + "\nret;\n}\n";
    }

    /// Returns statements with many more live values than registers.
    private static String manyValues() {
        final int count = 2000;
        StringBuilder text = new StringBuilder();
        text.append(".reg .u32 %v<").append(count).append(">;\n");
        for (int i = 0; i < count; i++) {
            text.append("mov.u32 %v").append(i).append(", %clock;\n");
        }
        for (int i = 1; i < count; i++) {
            text.append("add.u32 %v0, %v0, %v").append(i).append(";\n");
        }
        return text.append(".shared .u32 x; st.shared.u32 [x], %v0;\n").toString();
    }
}
