package io.gpuvm.cuda.api.generate;

/// Paragraph of a documentation page, wrapped at blanks.
final class WrappedText {
    private static final int WIDTH = 158;

    private WrappedText() {}

    /// Returns the paragraph in lines of at most 158 characters, longer words excepted.
    static String of(String paragraph) {
        StringBuilder text = new StringBuilder();
        int column = 0;
        for (String word : paragraph.split(" ")) {
            if (column > 0 && column + 1 + word.length() > WIDTH) {
                text.append('\n');
                column = 0;
            } else if (column > 0) {
                text.append(' ');
                column++;
            }
            text.append(word);
            column += word.length();
        }
        return text.append('\n').toString();
    }
}
