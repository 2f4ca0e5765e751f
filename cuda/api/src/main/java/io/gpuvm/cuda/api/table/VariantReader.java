package io.gpuvm.cuda.api.table;

import java.util.List;

/// Reader of exported names: lines `symbol` of `functions.txt`, and `unsupported.txt`.
final class VariantReader {
    private static final int MIN_SINCE = 2000;
    private static final int MAX_SINCE = 99_990;
    private static final String UNKNOWN = "-";
    private static final String FORM = "KEYWORD NAME SINCE [WORD]...";

    private VariantReader() {}

    /// Reads the lines of `unsupported.txt`.
    static List<ApiVariant> readUnsupported(String text) {
        return TableLine.split("unsupported.txt", text).stream()
                .map(line -> {
                    if (!line.keyword().equals("unsupported") || line.isIndented()) {
                        throw line.error("'%s', expected unsupported".formatted(line.text()));
                    }
                    return read(line, ApiVariant.Support.REFUSED);
                })
                .toList();
    }

    /// Reads a line `KEYWORD NAME SINCE [WORD]...`.
    ///
    /// @param support support of a name without a word for it; null if the word is required
    static ApiVariant read(TableLine line, ApiVariant.Support support) {
        List<String> words = line.words();
        if (words.size() < 3) {
            throw line.error("'%s', expected %s".formatted(line.text(), FORM));
        }
        ApiVariant.Twin twin = ApiVariant.Twin.NONE;
        ApiVariant.Support given = support;
        for (String word : words.subList(3, words.size())) {
            switch (word) {
                case "ptsz" -> twin = ApiVariant.Twin.PTSZ;
                case "ptds" -> twin = ApiVariant.Twin.PTDS;
                default -> given = supportOf(line, word, support == null);
            }
        }
        if (given == null) {
            throw line.error("'%s', expected a tier, extra or refused".formatted(line.text()));
        }
        return new ApiVariant(words.get(1), since(line, words.get(2)), given, twin);
    }

    private static int since(TableLine line, String word) {
        return word.equals(UNKNOWN) ? 0 : line.number("since", word, MIN_SINCE, MAX_SINCE);
    }

    private static ApiVariant.Support supportOf(
            TableLine line, String word, boolean mayHaveSupport) {
        if (mayHaveSupport) {
            switch (word) {
                case "tier=1":
                    return ApiVariant.Support.TIER1;
                case "tier=2":
                    return ApiVariant.Support.TIER2;
                case "extra":
                    return ApiVariant.Support.EXTRA;
                case "refused":
                    return ApiVariant.Support.REFUSED;
                default:
                    break;
            }
        }
        throw line.error("word=%s is unknown here".formatted(word));
    }
}
