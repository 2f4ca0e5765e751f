package io.gpuvm.cuda.service;

import static io.gpuvm.cuda.service.TestSession.assertSuccess;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.cuda.protocol.LinkRequest;
import io.gpuvm.cuda.protocol.LinkResponse;
import io.gpuvm.ptx.PtxLimits;
import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of the compilation and the link of modules: results, the order of calls, limits.
class LinkTest {
    private static final int RESPONSE_BYTES = 64 << 10;
    private static final long CACHE_BYTES = 1 << 20;
    private static final long COMPILE_BYTES = 64 << 20;

    private static final String NUMBER =
            """
            .version 3.0
            .target sm_20
            .address_size 64
            .visible .entry number(.param .u64 out, .param .u32 value)
            {
                .reg .u64 %at;
                .reg .u32 %v;
                ld.param.u64 %at, [out];
                ld.param.u32 %v, [value];
                st.global.u32 [%at], %v;
                ret;
            }
            """;

    /// Parts of links that the tests run.
    private final List<Runnable> parts = new ArrayList<>();

    private final TestSession session = new TestSession();
    private final TestSession.Context context = session.newContext();
    private final MemorySegment response = TestSession.segment(new byte[RESPONSE_BYTES]);

    @AfterEach
    void close() {
        session.close();
    }

    private static byte[] request(String... sources) {
        return request(0, true, sources);
    }

    private static byte[] request(int registers, boolean isVerbose, String... sources) {
        List<LinkRequest.Input> inputs = new ArrayList<>();
        for (String source : sources) {
            inputs.add(new LinkRequest.Input("PTX", source.getBytes(StandardCharsets.US_ASCII)));
        }
        return new LinkRequest(registers, 4, isVerbose, inputs).toBytes();
    }

    private static void link(
            TestSession from,
            TestSession.Context in,
            byte[] request,
            MemorySegment target,
            CallReply reply) {
        from.executor.link(from.newCall(), in.handle, TestSession.segment(request), target, reply);
    }

    private TestSession.Answer link(byte[] request) {
        return session.await(reply -> link(session, context, request, response, reply));
    }

    private LinkResponse response() {
        return LinkResponse.read(response);
    }

    @Test
    void givenPtx_whenLinked_thenModuleRuns() {
        TestSession.Answer answer = link(request(NUMBER));

        assertSuccess(answer.result());
        assertEquals(response().toBytes().length, answer.first());
        assertEquals("", response().errors());
        assertTrue(response().messages().contains("info: kernel number for sm_20\n"));
        assertTrue(response().nanoseconds() > 0);
        long module = context.load(response().cubin());
        long memory = context.allocate(4);
        assertSuccess(launch(module, memory, 77));
        assertEquals(77, context.readInt(memory));
        assertEquals(CudaExecutor.NO_CALL, session.executor.oldestAreaUse());
    }

    @Test
    void givenPtxWithErrors_whenLinked_thenResultIsCudasAndResponseHasErrors() {
        assertEquals(CudaResult.INVALID_PTX, link(request(NUMBER.replace("st.", "foo."))).result());
        assertEquals(0, response().cubin().length);
        assertTrue(
                response().errors().startsWith("PTX, line 10, column 5: error: "),
                response().errors());
        assertEquals(
                CudaResult.UNSUPPORTED_PTX_VERSION,
                link(request(NUMBER.replace("3.0", "30.0"))).result());
        String newer = NUMBER.replace("3.0", "7.0").replace("sm_20", "sm_70");
        assertEquals(
                CudaResult.NO_BINARY_FOR_GPU,
                link(request(newer.replace("ret;", "bmsk.clamp.b32 %v, %v, 1; ret;"))).result());
        assertTrue(response().errors().contains("sm_70"), response().errors());
        byte[] other = Kernels.cubin();
        other[48] = 35;
        LinkRequest cubin =
                new LinkRequest(0, 4, false, List.of(new LinkRequest.Input("cubin", other)));
        assertEquals(CudaResult.NO_BINARY_FOR_GPU, link(cubin.toBytes()).result());
    }

    @Test
    void givenDamagedRequests_whenLinked_thenResultIsInvalidValue() {
        byte[] valid = request(NUMBER);
        for (int at = 0; at < 32; at++) {
            byte[] changed = valid.clone();
            changed[at] ^= (byte) 0x80;
            link(changed);
        }
        byte[] none = valid.clone();
        none[12] = 0;
        assertEquals(CudaResult.INVALID_VALUE, link(none).result());
        byte[] many = valid.clone();
        many[15] = 1;
        assertEquals(CudaResult.INVALID_VALUE, link(many).result());
        byte[] longer = valid.clone();
        longer[18] = 1;
        assertEquals(CudaResult.INVALID_VALUE, link(longer).result());
        assertEquals(CudaResult.INVALID_VALUE, link(Arrays.copyOf(valid, 20)).result());
        assertEquals(CudaResult.INVALID_VALUE, link(new byte[0]).result());
        assertEquals(0, session.heap.used() - heapOfContext());
    }

    private long heapOfContext() {
        return SessionHeap.STREAM_BYTES;
    }

    @Test
    void givenSmallResponse_whenLinked_thenLengthIsAnsweredAndSecondCallIsFromCache() {
        byte[] request = request(NUMBER);
        TestSession.Answer first =
                session.await(reply ->
                        link(session, context, request, TestSession.segment(new byte[100]), reply));
        assertEquals(CudaResult.INVALID_VALUE, first.result());

        TestSession.Answer second = link(request);

        assertSuccess(second.result());
        assertEquals(first.first(), second.first());
        long nanos = response().nanoseconds();
        assertSuccess(link(request).result());
        assertEquals(nanos, response().nanoseconds(), "the same compilation");
        assertSuccess(link(request(32, true, NUMBER)).result());
    }

    @Test
    void givenLinkThatRuns_whenOtherSessionsLaunch_thenTheyProceed() {
        LinkQueue links = new LinkQueue(CACHE_BYTES, COMPILE_BYTES, parts::add);
        try (TestSession linking = new TestSession(links);
                TestSession sibling = new TestSession(links)) {
            TestSession.Context ofLinking = linking.newContext();
            TestSession.Context ofSibling = sibling.newContext();
            List<CudaResult> results =
                    linking.begin(
                            reply -> link(linking, ofLinking, request(NUMBER), response, reply));
            assertEquals(1, parts.size());

            long memory = ofSibling.allocate(4);
            assertSuccess(ofSibling.launch(ofSibling.stream, Kernels.NUMBER, 1, memory, 5));
            assertEquals(5, ofSibling.readInt(memory));
            long own = ofLinking.allocate(4);
            assertSuccess(ofLinking.launch(ofLinking.stream, Kernels.NUMBER, 1, own, 6));
            assertEquals(6, ofLinking.readInt(own));
            assertEquals(List.of(), results);

            finish(linking, results);
            assertEquals(List.of(CudaResult.SUCCESS), results);
        }
    }

    /// Runs all parts until the links have results.
    private void finish(TestSession linking, List<CudaResult> results) {
        while (results.isEmpty()) {
            while (!parts.isEmpty()) {
                parts.removeFirst().run();
            }
            linking.executor.doWork();
        }
    }

    @Test
    void givenTwoLinks_whenFirstRuns_thenSecondBeginsAfterIt() {
        LinkQueue links = new LinkQueue(CACHE_BYTES, COMPILE_BYTES, parts::add);
        try (TestSession one = new TestSession(links);
                TestSession two = new TestSession(links)) {
            TestSession.Context ofOne = one.newContext();
            TestSession.Context ofTwo = two.newContext();
            List<CudaResult> first =
                    one.begin(reply -> link(one, ofOne, request(NUMBER), response, reply));
            List<CudaResult> second =
                    two.begin(
                            reply -> link(two, ofTwo, request(32, false, NUMBER), response, reply));
            two.executor.doWork();
            assertEquals(1, parts.size());

            parts.removeFirst().run();
            one.executor.doWork();

            assertEquals(List.of(CudaResult.SUCCESS), first);
            assertEquals(List.of(), second);
            finish(two, second);
            assertEquals(List.of(CudaResult.SUCCESS), second);
        }
    }

    @Test
    void givenLinkThatRuns_whenContextIsDestroyed_thenCallCompletesAndNextLinkBegins() {
        LinkQueue links = new LinkQueue(CACHE_BYTES, COMPILE_BYTES, parts::add);
        try (TestSession ended = new TestSession(links);
                TestSession next = new TestSession(links)) {
            TestSession.Context gone = ended.newContext();
            TestSession.Context ofNext = next.newContext();
            List<CudaResult> first =
                    ended.begin(reply -> link(ended, gone, request(NUMBER), response, reply));
            List<CudaResult> second =
                    next.begin(reply ->
                            link(next, ofNext, request(32, false, NUMBER), response, reply));

            assertSuccess(ended.executor.destroyContext(gone.handle));

            assertEquals(List.of(CudaResult.CONTEXT_IS_DESTROYED), first);
            assertEquals(1, ended.executor.oldestAreaUse(), "the thread may copy the request");
            assertEquals(0, ended.heap.used());
            parts.removeFirst().run();
            assertEquals(CudaExecutor.NO_CALL, ended.executor.oldestAreaUse());
            finish(next, second);
            assertEquals(List.of(CudaResult.SUCCESS), second);
        }
    }

    @Test
    void givenWaitingLink_whenContextIsDestroyed_thenItNeverBegins() {
        LinkQueue links = new LinkQueue(CACHE_BYTES, COMPILE_BYTES, parts::add);
        try (TestSession one = new TestSession(links);
                TestSession two = new TestSession(links)) {
            TestSession.Context ofOne = one.newContext();
            TestSession.Context ofTwo = two.newContext();
            List<CudaResult> first =
                    one.begin(reply -> link(one, ofOne, request(NUMBER), response, reply));
            List<CudaResult> second =
                    two.begin(reply -> link(two, ofTwo, request(NUMBER), response, reply));

            assertSuccess(two.executor.destroyContext(ofTwo.handle));

            assertEquals(List.of(CudaResult.CONTEXT_IS_DESTROYED), second);
            assertEquals(CudaExecutor.NO_CALL, two.executor.oldestAreaUse());
            finish(one, first);
            assertEquals(List.of(CudaResult.SUCCESS), first);
            assertEquals(List.of(), parts);
        }
    }

    @Test
    void givenSourceBeyondMemory_whenLinked_thenResultIsOutOfMemory() {
        long before = session.heap.used();
        String comment = "// " + "x".repeat((int) (COMPILE_BYTES / PtxLimits.BYTES_OF_CHARACTER));

        assertEquals(CudaResult.OUT_OF_MEMORY, link(request(NUMBER + comment)).result());

        assertTrue(
                session.refused.getLast().contains("the memory for compilations"),
                session.refused.getLast());
        assertSuccess(link(request(NUMBER)).result());
        assertEquals(before, session.heap.used());
    }

    @Test
    void givenFunctionOfManyValues_whenLinked_thenResultIsOutOfMemoryAndErrorNamesLimit() {
        LinkQueue links = new LinkQueue(CACHE_BYTES, 8 << 20, Runnable::run);
        try (TestSession small = new TestSession(links)) {
            TestSession.Context own = small.newContext();
            String source = NUMBER.replace("st.", "div.s64 %at, 7, %at;\n".repeat(500) + "st.");

            TestSession.Answer answer =
                    small.await(reply -> link(small, own, request(source), response, reply));

            assertEquals(CudaResult.OUT_OF_MEMORY, answer.result());
            assertTrue(
                    response().errors().contains("function number: values="), response().errors());
        }
    }

    @Test
    void givenModulesThatCallEachOther_whenLinked_thenModuleRuns() {
        String caller =
                NUMBER.replace(
                                ".visible",
                                ".extern .func (.param .u32 r) twice(.param .u32 v);\n.visible")
                        .replace(
                                "st.",
                                """
                                {
                                    .param .u32 a;
                                    .param .u32 b;
                                    st.param.u32 [a], %v;
                                    call (b), twice, (a);
                                    ld.param.u32 %v, [b];
                                }
                                st.\
                                """);
        String callee =
                """
                .version 3.0
                .target sm_20
                .address_size 64
                .visible .func (.param .u32 r) twice(.param .u32 v)
                {
                    .reg .u32 %v;
                    ld.param.u32 %v, [v];
                    add.u32 %v, %v, %v;
                    st.param.u32 [r], %v;
                    ret;
                }
                """;
        assertEquals(CudaResult.INVALID_PTX, link(request(caller, NUMBER)).result());
        assertTrue(response().errors().contains("PTX: "), response().errors());

        assertSuccess(link(request(caller, callee)).result());

        long module = context.load(response().cubin());
        long memory = context.allocate(4);
        assertSuccess(launch(module, memory, 21));
        assertEquals(42, context.readInt(memory));
    }

    private CudaResult launch(long module, long memory, int value) {
        MemorySegment parameters = MemorySegment.ofArray(new byte[12]);
        parameters.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, memory);
        parameters.set(ValueLayout.JAVA_INT_UNALIGNED, 8, value);
        return session.executor.launch(
                session.newCall(),
                context.stream,
                module,
                0,
                LaunchShape.of(1, 1),
                false,
                parameters);
    }

    @Test
    void givenNamesBeyondLimit_whenLinked_thenResultIsInvalidValue() {
        assertEquals(
                CudaResult.INVALID_VALUE, link(named(LinkRequest.MAX_NAME_BYTES + 1)).result());
        assertTrue(
                session.refused.getLast().contains("name bytes=4097, limit=4096"),
                session.refused.getLast());
        assertSuccess(link(named(LinkRequest.MAX_NAME_BYTES)).result());
    }

    private static byte[] named(int bytes) {
        byte[] source = NUMBER.getBytes(StandardCharsets.US_ASCII);
        LinkRequest.Input input = new LinkRequest.Input("n".repeat(bytes), source);
        return new LinkRequest(0, 4, false, List.of(input)).toBytes();
    }

    @Test
    void givenManyErrors_whenModulesAreLinked_thenResponseHasAtMostThoseOfOneSource() {
        String wrong = NUMBER.replace("ret;", "foo;\n".repeat(200));

        assertEquals(CudaResult.INVALID_PTX, link(request(wrong, wrong, wrong)).result());

        assertEquals(100, response().errors().lines().count());
    }

    @Test
    void givenCommentsThatAreNotAscii_whenModulesAreLinked_thenTheirLengthIsInCharacters() {
        List<LinkRequest.Input> inputs =
                List.of(
                        new LinkRequest.Input("a", utf8(NUMBER + "// \u00e9\u4e2d\n")),
                        new LinkRequest.Input("b", utf8(NUMBER.replace("number", "other"))));

        assertSuccess(link(new LinkRequest(0, 4, false, inputs).toBytes()).result());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void givenRequestBeyondMemory_whenLinked_thenItIsNotCopied() {
        LinkQueue links = new LinkQueue(CACHE_BYTES, 2048, Runnable::run);
        try (TestSession small = new TestSession(links)) {
            TestSession.Context own = small.newContext();
            byte[] request = named(1024);

            TestSession.Answer answer =
                    small.await(reply -> link(small, own, request, response, reply));

            assertEquals(CudaResult.OUT_OF_MEMORY, answer.result());
            assertTrue(
                    small.refused.getLast().contains("request: bytes of memory="),
                    small.refused.getLast());
            assertEquals(CudaExecutor.NO_CALL, small.executor.oldestAreaUse());
        }
    }

    @Test
    void givenMuchMachineCode_whenLinked_thenResultIsOutOfMemory() {
        byte[] cubin = Arrays.copyOf(Kernels.cubin(), (int) (COMPILE_BYTES >> 6));
        LinkRequest.Input code = new LinkRequest.Input("code", cubin);
        LinkRequest.Input source = new LinkRequest.Input("PTX", utf8(NUMBER));

        LinkRequest much = new LinkRequest(0, 4, false, List.of(source, code, code, code));

        assertEquals(CudaResult.OUT_OF_MEMORY, link(much.toBytes()).result());
        assertTrue(
                session.refused.getLast().contains("the memory for compilations"),
                session.refused.getLast());
    }

    @Test
    void givenLongResponse_whenItIsCopied_thenCopyIsChargedToTurn() {
        String variable = ".global .b8 table[2][20000] = {{}, {1}};\n.visible .entry";
        byte[] request = request(NUMBER.replace(".visible .entry", variable));
        assertSuccess(link(request).result());
        long before = session.turn.spent;

        assertSuccess(link(request).result());

        assertTrue(session.turn.spent - before >= 40_000 / 256, "spent=" + session.turn.spent);
    }

    @Test
    void givenManyShortResponses_whenCached_thenMemoryOfEntriesCounts() {
        LinkCache cache = new LinkCache(100L * LinkCache.BYTES_OF_ENTRY);
        for (int i = 0; i < 200; i++) {
            cache.add("key " + i, new byte[1]);
        }

        assertNull(cache.find("key 99"));
        assertNotNull(cache.find("key 199"));
    }

    @Test
    void givenAccountThatIsOverdrawn_whenTimePasses_thenHalfOfItIsGained() {
        long[] now = {0};
        CompileAccount account = new CompileAccount(() -> now[0]);
        assertTrue(account.mayBegin());
        account.charge(CompileAccount.MOST_NANOS + 1000);
        assertEquals(false, account.mayBegin());
        now[0] += 2000;
        assertEquals(false, account.mayBegin());
        now[0] += 2;
        assertEquals(true, account.mayBegin());
        account.charge(1);
        assertEquals(false, account.mayBegin());
        now[0] += 1000 * CompileAccount.MOST_NANOS;
        assertEquals(true, account.mayBegin());
        account.charge(CompileAccount.MOST_NANOS);
        assertEquals(false, account.mayBegin());
    }
}
