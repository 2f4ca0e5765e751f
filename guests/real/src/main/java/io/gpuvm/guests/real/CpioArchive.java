package io.gpuvm.guests.real;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/// Writer of an archive that Linux unpacks as initramfs. The format is `newc`, described in
/// `Documentation/driver-api/early-userspace/buffer-format.rst`; several archives may follow one
/// another in one file. All entries belong to root.
public final class CpioArchive implements AutoCloseable {
    private static final String MAGIC = "070701";
    private static final String LAST_NAME = "TRAILER!!!";

    /// Alignment of names and contents, in bytes.
    private static final int ALIGNMENT = 4;

    /// Mode of a folder, as in inode(7).
    private static final int FOLDER_MODE = 0040755;

    /// Mode of a file that is not executable.
    private static final int FILE_MODE = 0100644;

    /// Mode of an executable file.
    private static final int PROGRAM_MODE = 0100755;

    private final OutputStream out;
    private final Set<Path> folders = new HashSet<>();
    private long position;
    private int lastInode;

    /// @param out stream of the archive, at a position that is a multiple of 4 bytes
    public CpioArchive(OutputStream out) {
        this.out = out;
    }

    /// Adds a file and its parent folders.
    ///
    /// @param path absolute path in the initramfs
    public void addFile(Path path, byte[] content) throws IOException {
        add(path, FILE_MODE, content);
    }

    /// Adds an executable file and its parent folders.
    public void addProgram(Path path, byte[] content) throws IOException {
        add(path, PROGRAM_MODE, content);
    }

    /// Adds a file, or a folder with all files in it, under another name. Files remain executable.
    ///
    /// @param path absolute path in the initramfs
    public void addTree(Path path, Path source) throws IOException {
        if (Files.isDirectory(source)) {
            try (Stream<Path> parts = Files.list(source)) {
                for (Path part : parts.sorted().toList()) {
                    addTree(path.resolve(part.getFileName()), part);
                }
            }
        } else if (Files.isExecutable(source)) {
            addProgram(path, Files.readAllBytes(source));
        } else {
            addFile(path, Files.readAllBytes(source));
        }
    }

    private void add(Path path, int mode, byte[] content) throws IOException {
        addFolders(path.getParent());
        writeEntry(nameOf(path), mode, content);
    }

    private void addFolders(Path folder) throws IOException {
        if (folder.getParent() != null && folders.add(folder)) {
            addFolders(folder.getParent());
            writeEntry(nameOf(folder), FOLDER_MODE, new byte[0]);
        }
    }

    private static String nameOf(Path path) {
        return path.getRoot().relativize(path).toString();
    }

    private void writeEntry(String name, int mode, byte[] content) throws IOException {
        byte[] nameBytes = (name + '\0').getBytes(StandardCharsets.UTF_8);
        StringBuilder header = new StringBuilder(MAGIC);
        int inode = ++lastInode;
        int owner = 0;
        int links = 1;
        int time = 0;
        int device = 0;
        int checksum = 0;
        int[] fields = {
            inode,
            mode,
            owner,
            owner,
            links,
            time,
            content.length,
            device,
            device,
            device,
            device,
            nameBytes.length,
            checksum
        };
        for (int field : fields) {
            header.append("%08x".formatted(field));
        }
        write(header.toString().getBytes(StandardCharsets.US_ASCII));
        write(nameBytes);
        pad();
        write(content);
        pad();
    }

    private void write(byte[] bytes) throws IOException {
        out.write(bytes);
        position += bytes.length;
    }

    private void pad() throws IOException {
        while (position % ALIGNMENT != 0) {
            write(new byte[1]);
        }
    }

    /// Ends the archive. The stream remains open.
    @Override
    public void close() throws IOException {
        writeEntry(LAST_NAME, 0, new byte[0]);
    }
}
