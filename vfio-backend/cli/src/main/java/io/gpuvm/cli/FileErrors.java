package io.gpuvm.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// Texts for the JDK's file exceptions, without the file names in their messages.
final class FileErrors {
    private FileErrors() {}

    static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "no such file or folder";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException file when file.getReason() != null -> file.getReason();
            default -> e.getMessage();
        };
    }
}
