import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassTransform;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/// Copies a library for the package: without compression, in the order of names, with one time, and with stack maps in classes that were
/// compiled for a JVM before Java 6.
///
/// Native libraries are omitted, because the package has them as files, and so are the class paths of manifests, which name files of a Maven
/// repository.
///
/// The JVM verifies a class without stack maps by inference, which is slow, and stores no such class in an AOT cache. picocli and ASM, which
/// every start loads, are such libraries. Members of a jar without compression are read faster, and the archive that contains the jar is
/// smaller, because its compression knows all jars together.
final class LibraryCopy {
    /// Major version of class files whose verification needs stack maps (Java SE 7, JVMS 4.10).
    private static final int WITH_STACK_MAPS = 51;

    private static final int MAJOR_VERSION_OFFSET = 6;

    private static final String MANIFEST = "META-INF/MANIFEST.MF";
    private static final Pattern NATIVE = Pattern.compile(".*\\.(a|dll|dylib|jnilib|so)");

    private LibraryCopy() {}

    /// @param args seconds since 1970 for all members; pairs of the file to read and the file to write
    public static void main(String[] args) throws IOException {
        Instant time = Instant.ofEpochSecond(Long.parseLong(args[0]));
        Map<ZipFile, Path> copies = new LinkedHashMap<>();
        for (int i = 1; i < args.length; i += 2) {
            copies.put(new ZipFile(args[i]), Path.of(args[i + 1]));
        }
        // Classes of one library extend those of another.
        ClassFile files = classFiles(List.copyOf(copies.keySet()));
        for (Map.Entry<ZipFile, Path> copy : copies.entrySet()) {
            write(copy.getKey(), copy.getValue(), files, time);
        }
    }

    private static void write(ZipFile jar, Path to, ClassFile files, Instant time) throws IOException {
        Map<String, byte[]> members = new TreeMap<>(LibraryCopy::manifestFirst);
        for (ZipEntry entry : jar.stream().filter(LibraryCopy::isKept).toList()) {
            members.put(entry.getName(), content(files, entry.getName(), jar.getInputStream(entry).readAllBytes()));
        }
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(to))) {
            for (Map.Entry<String, byte[]> member : members.entrySet()) {
                store(out, member.getKey(), member.getValue(), time);
            }
        }
    }

    private static boolean isKept(ZipEntry entry) {
        return !entry.isDirectory() && !NATIVE.matcher(entry.getName()).matches();
    }

    private static byte[] content(ClassFile files, String name, byte[] bytes) throws IOException {
        if (name.equals(MANIFEST)) {
            Manifest manifest = new Manifest(new ByteArrayInputStream(bytes));
            manifest.getMainAttributes().remove(Attributes.Name.CLASS_PATH);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            manifest.write(out);
            return out.toByteArray();
        }
        return name.endsWith(".class") ? current(files, bytes) : bytes;
    }

    /// Compares names; the manifest must be the first member of a jar.
    private static int manifestFirst(String a, String b) {
        boolean first = a.equals(MANIFEST);
        boolean second = b.equals(MANIFEST);
        return first == second ? a.compareTo(b) : first ? -1 : 1;
    }

    private static ClassFile classFiles(List<ZipFile> jars) {
        ClassHierarchyResolver ofJars = ClassHierarchyResolver.ofResourceParsing(type -> classFile(jars, type));
        // With the pool of the old class, methods would be copied as they are.
        return ClassFile.of(
                StackMapsOption.GENERATE_STACK_MAPS,
                ClassFile.ConstantPoolSharingOption.NEW_POOL,
                ClassFile.ClassHierarchyResolverOption.of(ofJars.orElse(ClassHierarchyResolver.defaultResolver())));
    }

    private static InputStream classFile(List<ZipFile> jars, ClassDesc type) {
        String name = type.descriptorString();
        String file = name.substring(1, name.length() - 1) + ".class";
        try {
            for (ZipFile jar : jars) {
                ZipEntry entry = jar.getEntry(file);
                if (entry != null) {
                    return jar.getInputStream(entry);
                }
            }
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns a class file with stack maps; the same bytes if it has them.
    private static byte[] current(ClassFile files, byte[] bytes) {
        int major = (bytes[MAJOR_VERSION_OFFSET] & 0xff) << 8 | bytes[MAJOR_VERSION_OFFSET + 1] & 0xff;
        if (major >= WITH_STACK_MAPS) {
            return bytes;
        }
        ClassModel old = files.parse(bytes);
        ClassTransform versions = ClassTransform.dropping(ClassFileVersion.class::isInstance)
                .andThen(ClassTransform.endHandler(builder -> builder.withVersion(WITH_STACK_MAPS, 0)));
        return files.transformClass(old, versions);
    }

    private static void store(ZipOutputStream out, String name, byte[] bytes, Instant time) throws IOException {
        CRC32 checksum = new CRC32();
        checksum.update(bytes);
        ZipEntry entry = new ZipEntry(name);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(bytes.length);
        entry.setCrc(checksum.getValue());
        entry.setLastModifiedTime(FileTime.from(time));
        out.putNextEntry(entry);
        out.write(bytes);
        out.closeEntry();
    }
}
