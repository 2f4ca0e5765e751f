package io.gpuvm.remote.link;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// MUNGE (dun.github.io/munge), which authenticates users within a cluster: the host's `libmunge`,
/// which asks the local daemon `munged`. Any thread.
///
/// Each call has its own context, because a context serves one thread (munge_ctx(3)). Signatures
/// and numbers are those of `munge.h`.
@SuppressWarnings("restricted") // Signatures are those of munge.h, so calls are as safe as in C.
public final class Munge implements ClusterSeal {
    /// Name of the library; the ABI of MUNGE 0.5.
    private static final String LIBRARY = "libmunge.so.2";

    private static final int SUCCESS = 0;

    /// Option of a context for the path of the daemon's socket (`MUNGE_OPT_SOCKET`).
    private static final int OPT_SOCKET = 8;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final AddressLayout ADDRESS = ValueLayout.ADDRESS;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    /// Number of the first argument of munge_ctx_set that is variable.
    private static final int FIRST_VARIABLE = 2;

    private final String socket;
    private final MethodHandle create;
    private final MethodHandle destroy;
    private final MethodHandle set;
    private final MethodHandle encode;
    private final MethodHandle decode;
    private final MethodHandle textOf;
    private final MethodHandle free;

    private Munge(SymbolLookup library, String socket) {
        this.socket = socket;
        create = handle(library, "munge_ctx_create", FunctionDescriptor.of(ADDRESS));
        destroy = handle(library, "munge_ctx_destroy", FunctionDescriptor.ofVoid(ADDRESS));
        set =
                handle(
                        library,
                        "munge_ctx_set",
                        FunctionDescriptor.of(INT, ADDRESS, INT, ADDRESS),
                        Linker.Option.firstVariadicArg(FIRST_VARIABLE));
        encode =
                handle(
                        library,
                        "munge_encode",
                        FunctionDescriptor.of(INT, ADDRESS, ADDRESS, ADDRESS, INT));
        decode =
                handle(
                        library,
                        "munge_decode",
                        FunctionDescriptor.of(
                                INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
        textOf = handle(library, "munge_strerror", FunctionDescriptor.of(ADDRESS, INT));
        free = handle(LINKER.defaultLookup(), "free", FunctionDescriptor.ofVoid(ADDRESS));
    }

    /// Loads the library.
    ///
    /// @param socket socket of the daemon; null for the library's default
    /// @throws IllegalArgumentException if the host lacks the library
    public static Munge load(Path socket) {
        try {
            return new Munge(
                    SymbolLookup.libraryLookup(LIBRARY, Arena.global()),
                    socket == null ? null : socket.toString());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "%s is not installed; on Debian: apt-get install munge".formatted(LIBRARY), e);
        }
    }

    @Override
    public String seal(byte[] payload) throws SealException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ADDRESS);
            MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, payload);
            MemorySegment context = open(arena);
            try {
                check((int) encode.invokeExact(result, context, bytes, payload.length));
                MemorySegment text = result.get(ADDRESS, 0);
                try {
                    return text.reinterpret(MOST_CREDENTIAL + 1)
                            .getString(0, StandardCharsets.US_ASCII);
                } finally {
                    free.invokeExact(text);
                }
            } finally {
                destroy.invokeExact(context);
            }
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    @Override
    public Opened open(String credential) throws SealException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(credential, StandardCharsets.US_ASCII);
            MemorySegment payload = arena.allocate(ADDRESS);
            MemorySegment length = arena.allocate(INT);
            MemorySegment user = arena.allocate(INT);
            MemorySegment group = arena.allocate(INT);
            MemorySegment context = open(arena);
            try {
                int error = (int) decode.invokeExact(text, context, payload, length, user, group);
                // Also for an expired or repeated credential, the library allocates the payload.
                MemorySegment at = payload.get(ADDRESS, 0);
                try {
                    check(error);
                    return new Opened(
                            user.get(INT, 0),
                            at.reinterpret(length.get(INT, 0)).toArray(ValueLayout.JAVA_BYTE));
                } finally {
                    free.invokeExact(at);
                }
            } finally {
                destroy.invokeExact(context);
            }
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Returns a context, which the caller destroys.
    private MemorySegment open(Arena arena) throws Throwable {
        MemorySegment context = (MemorySegment) create.invokeExact();
        if (context.equals(MemorySegment.NULL)) {
            throw new SealException("MUNGE: no memory");
        }
        if (socket != null) {
            check((int) set.invokeExact(context, OPT_SOCKET, arena.allocateFrom(socket)));
        }
        return context;
    }

    private void check(int error) throws Throwable {
        if (error != SUCCESS) {
            MemorySegment text = (MemorySegment) textOf.invokeExact(error);
            throw new SealException(
                    "MUNGE: %s (error %d)"
                            .formatted(text.reinterpret(Texts.MOST_BYTES).getString(0), error));
        }
    }

    /// Returns an exception of this class, or throws one of a bug.
    private static SealException unexpected(Throwable e) {
        return switch (e) {
            case SealException known -> known;
            case RuntimeException bug -> throw bug;
            case Error bug -> throw bug;
            default -> throw new IllegalStateException(e);
        };
    }

    private static MethodHandle handle(
            SymbolLookup library,
            String name,
            FunctionDescriptor signature,
            Linker.Option... options) {
        return LINKER.downcallHandle(library.findOrThrow(name), signature, options);
    }
}
