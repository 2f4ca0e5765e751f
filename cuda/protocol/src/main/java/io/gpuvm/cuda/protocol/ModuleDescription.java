package io.gpuvm.cuda.protocol;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Kernels and variables of a loaded module. The backend writes them into the data area when the
/// module is loaded.
///
/// ```text
///    0  number of kernels 32       4  number of variables 32
///    8  number of parameters 32   12  bytes of the names 32
///   16  kernels, 64 bytes each; variables, 32 bytes each; parameters of all kernels, 8 bytes each;
///       names, each with a terminating zero
/// ```
///
/// @param kernels kernels; a launch names a kernel by its index in this list
/// @param variables variables
public record ModuleDescription(List<Kernel> kernels, List<Variable> variables) {
    private static final int HEADER_BYTES = 16;
    private static final int KERNEL_BYTES = 64;
    private static final int VARIABLE_BYTES = 32;
    private static final int PARAMETER_BYTES = 8;

    /// Number of words of a kernel that have a meaning.
    private static final int KERNEL_WORDS = 12;

    private static final int VARIABLE_ADDRESS = 8;

    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    public ModuleDescription {
        kernels = List.copyOf(kernels);
        variables = List.copyOf(variables);
    }

    /// Kernel of a module.
    ///
    /// @param parameterBytes total length of the parameters in bytes
    /// @param parameters parameters by ordinal; empty if the file does not describe them, even if
    ///   `parameterBytes` is not 0
    /// @param maxThreads maximum number of threads of a block
    /// @param sharedBytes bytes of a block's static shared memory
    /// @param constantBytes bytes of the module's constants
    /// @param localBytes bytes of a thread's local memory
    /// @param registers registers of a thread
    /// @param ptxVersion architecture of the PTX from which the code was compiled, 20 for sm_20
    /// @param binaryVersion architecture of the code
    public record Kernel(
            String name,
            int parameterBytes,
            List<Parameter> parameters,
            int maxThreads,
            int sharedBytes,
            int constantBytes,
            int localBytes,
            int registers,
            int ptxVersion,
            int binaryVersion) {
        public Kernel {
            parameters = List.copyOf(parameters);
        }
    }

    /// Parameter of a kernel.
    ///
    /// @param offset offset in the kernel's parameters, in bytes
    /// @param bytes length in bytes
    public record Parameter(int offset, int bytes) {}

    /// Variable in global or constant memory.
    ///
    /// @param address GPU address
    /// @param bytes length in bytes
    public record Variable(String name, long address, long bytes) {}

    /// Returns the length of the description in the form of the protocol, in bytes.
    public long bytes() {
        long bytes = HEADER_BYTES;
        for (Kernel kernel : kernels) {
            bytes += KERNEL_BYTES + (long) kernel.parameters().size() * PARAMETER_BYTES;
            bytes += nameBytes(kernel.name());
        }
        for (Variable variable : variables) {
            bytes += VARIABLE_BYTES + nameBytes(variable.name());
        }
        return bytes;
    }

    private static long nameBytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length + 1L;
    }

    /// Writes the description in the form of the protocol.
    ///
    /// @param target memory of at least [#bytes()] bytes
    public void write(MemorySegment target) {
        new Writer(target.asSlice(0, bytes())).write();
    }

    /// Reads a description.
    ///
    /// @param source memory that begins with a description
    /// @throws IndexOutOfBoundsException if the description does not end in the memory
    public static ModuleDescription read(MemorySegment source) {
        ByteBuffer bytes =
                ByteBuffer.wrap(source.toArray(ValueLayout.JAVA_BYTE))
                        .order(ByteOrder.LITTLE_ENDIAN);
        return new Reader(bytes).read();
    }

    /// Writer of a description. Kernels, variables, parameters and names are written side by side.
    private final class Writer {
        private final MemorySegment out;
        private final long variableStart = HEADER_BYTES + (long) kernels.size() * KERNEL_BYTES;
        private final long parameterStart =
                variableStart + (long) variables.size() * VARIABLE_BYTES;
        private final int parameterCount =
                kernels.stream().mapToInt(kernel -> kernel.parameters().size()).sum();
        private final long nameStart = parameterStart + (long) parameterCount * PARAMETER_BYTES;

        /// Number of parameters that are written.
        private int parameters;

        /// Bytes of the names that are written.
        private int nameBytes;

        Writer(MemorySegment out) {
            this.out = out;
        }

        void write() {
            long at = HEADER_BYTES;
            for (Kernel kernel : kernels) {
                write(at, kernel);
                at += KERNEL_BYTES;
            }
            for (Variable variable : variables) {
                write(at, variable);
                at += VARIABLE_BYTES;
            }
            words(0, kernels.size(), variables.size(), parameterCount, nameBytes);
        }

        private void write(long at, Kernel kernel) {
            out.asSlice(at, KERNEL_BYTES).fill((byte) 0);
            int start = nameBytes;
            int length = putName(kernel.name());
            words(
                    at,
                    start,
                    length,
                    kernel.parameterBytes(),
                    parameters,
                    kernel.parameters().size(),
                    kernel.maxThreads(),
                    kernel.sharedBytes(),
                    kernel.constantBytes(),
                    kernel.localBytes(),
                    kernel.registers(),
                    kernel.ptxVersion(),
                    kernel.binaryVersion());
            for (Parameter parameter : kernel.parameters()) {
                long place = parameterStart + (long) parameters * PARAMETER_BYTES;
                words(place, parameter.offset(), parameter.bytes());
                parameters++;
            }
        }

        private void write(long at, Variable variable) {
            out.asSlice(at, VARIABLE_BYTES).fill((byte) 0);
            int start = nameBytes;
            words(at, start, putName(variable.name()));
            out.set(LONG, at + VARIABLE_ADDRESS, variable.address());
            out.set(LONG, at + VARIABLE_ADDRESS + Long.BYTES, variable.bytes());
        }

        /// Adds a name with its terminating zero.
        ///
        /// @return length of the name
        private int putName(String name) {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            long at = nameStart + nameBytes;
            MemorySegment.copy(bytes, 0, out, ValueLayout.JAVA_BYTE, at, bytes.length);
            out.set(ValueLayout.JAVA_BYTE, at + bytes.length, (byte) 0);
            nameBytes += bytes.length + 1;
            return bytes.length;
        }

        private void words(long at, int... values) {
            for (int i = 0; i < values.length; i++) {
                out.set(INT, at + (long) i * Integer.BYTES, values[i]);
            }
        }
    }

    /// Reader of a description.
    private static final class Reader {
        private final ByteBuffer in;
        private final int kernelCount;
        private final int variableCount;
        private final int parameters;
        private final int names;

        Reader(ByteBuffer in) {
            this.in = in;
            kernelCount = in.getInt(0);
            variableCount = in.getInt(Integer.BYTES);
            int parameterCount = in.getInt(2 * Integer.BYTES);
            parameters = HEADER_BYTES + kernelCount * KERNEL_BYTES + variableCount * VARIABLE_BYTES;
            names = parameters + parameterCount * PARAMETER_BYTES;
        }

        ModuleDescription read() {
            List<Kernel> kernels = new ArrayList<>();
            for (int i = 0; i < kernelCount; i++) {
                kernels.add(kernel(HEADER_BYTES + i * KERNEL_BYTES));
            }
            List<Variable> variables = new ArrayList<>();
            int at = HEADER_BYTES + kernelCount * KERNEL_BYTES;
            for (int i = 0; i < variableCount; i++) {
                variables.add(variable(at + i * VARIABLE_BYTES));
            }
            return new ModuleDescription(kernels, variables);
        }

        private Kernel kernel(int at) {
            int[] word = new int[KERNEL_WORDS];
            for (int i = 0; i < KERNEL_WORDS; i++) {
                word[i] = in.getInt(at + i * Integer.BYTES);
            }
            int next = 0;
            String name = name(word[next++], word[next++]);
            int parameterBytes = word[next++];
            List<Parameter> list = parameters(word[next++], word[next++]);
            return new Kernel(
                    name,
                    parameterBytes,
                    list,
                    word[next++],
                    word[next++],
                    word[next++],
                    word[next++],
                    word[next++],
                    word[next++],
                    word[next]);
        }

        private Variable variable(int at) {
            return new Variable(
                    name(in.getInt(at), in.getInt(at + Integer.BYTES)),
                    in.getLong(at + VARIABLE_ADDRESS),
                    in.getLong(at + VARIABLE_ADDRESS + Long.BYTES));
        }

        private List<Parameter> parameters(int first, int count) {
            List<Parameter> list = new ArrayList<>();
            for (int i = first; i < first + count; i++) {
                int at = parameters + i * PARAMETER_BYTES;
                list.add(new Parameter(in.getInt(at), in.getInt(at + Integer.BYTES)));
            }
            return list;
        }

        private String name(int start, int length) {
            return new String(in.array(), names + start, length, StandardCharsets.UTF_8);
        }
    }
}
