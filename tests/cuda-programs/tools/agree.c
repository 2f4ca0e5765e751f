/*
 * Compares the numbers of two files: agree [--float|--double|--int] FILE REFERENCE RELATIVE ABSOLUTE. The reference is text, the file is
 * text or, with an option, an array in memory's format. Two numbers agree if their difference is at most ABSOLUTE, or at most RELATIVE times
 * the reference's magnitude; other words agree if they are equal. Numbers may end with a comma. A reference that is empty, or
 * has a NaN or an infinity, is an error: it would verify nothing. Prints the first difference, or a summary.
 * Exit status: 0 the files agree; 1 they differ, or there is no FILE; 2 there is no reference.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD 4096
#define WRONG 1
#define NO_REFERENCE 2

enum kind { TEXT, FLOAT, DOUBLE, INT };

static int number(const char *word, double *value)
{
    char *end;
    *value = strtod(word, &end);
    return end != word && (*end == '\0' || strcmp(end, ",") == 0);
}

/* Reads the next word; numbers of arrays are printed to `word`, so that a message can show them. */
static int next(FILE *file, enum kind kind, char *word, double *value, int *numeric)
{
    float single;
    int32_t whole;
    *numeric = 1;
    switch (kind) {
    case TEXT:
        if (fscanf(file, "%4095s", word) != 1)
            return 0;
        *numeric = number(word, value);
        return 1;
    case FLOAT:
        if (fread(&single, sizeof single, 1, file) != 1)
            return 0;
        *value = single;
        break;
    case DOUBLE:
        if (fread(value, sizeof *value, 1, file) != 1)
            return 0;
        break;
    case INT:
        if (fread(&whole, sizeof whole, 1, file) != 1)
            return 0;
        *value = whole;
        break;
    }
    snprintf(word, WORD, "%.9g", *value);
    return 1;
}

static FILE *open_file(const char *path, int status)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        printf("no file %s\n", path);
        exit(status);
    }
    return file;
}

int main(int count, char **words)
{
    enum kind kind = TEXT;
    if (count == 6 && strcmp(words[1], "--float") == 0)
        kind = FLOAT;
    else if (count == 6 && strcmp(words[1], "--double") == 0)
        kind = DOUBLE;
    else if (count == 6 && strcmp(words[1], "--int") == 0)
        kind = INT;
    else if (count != 5) {
        printf("usage: agree [--float|--double|--int] FILE REFERENCE RELATIVE ABSOLUTE\n");
        return NO_REFERENCE;
    }
    words += count - 5;
    FILE *file = open_file(words[1], WRONG), *reference = open_file(words[2], NO_REFERENCE);
    double relative = atof(words[3]), absolute = atof(words[4]), largest = 0;
    long total = 0, numbers = 0, differing = 0;
    for (;; total++) {
        char word[WORD], expected[WORD];
        double a, b;
        int first, second;
        int more = next(file, kind, word, &a, &first), expected_more = next(reference, TEXT, expected, &b, &second);
        if (more != expected_more) {
            printf("the %s ends after %ld words\n", more ? "reference" : "result", total);
            return WRONG;
        }
        if (!more)
            break;
        if (first != second || (!first && strcmp(word, expected) != 0)) {
            printf("word %ld: '%s', expected '%s'\n", total, word, expected);
            return WRONG;
        }
        if (!first)
            continue;
        numbers++;
        if (!isfinite(b)) {
            printf("word %ld: the reference is not finite\n", total);
            return NO_REFERENCE;
        }
        double difference = fabs(a - b);
        if (!(difference <= absolute || difference <= relative * fabs(b))) {
            printf("word %ld: %s, expected %s\n", total, word, expected);
            return WRONG;
        }
        differing += difference > 0;
        if (difference > absolute)
            largest = fmax(largest, difference / fabs(b));
    }
    printf("words=%ld numbers=%ld differing=%ld largest=%.2g\n", total, numbers, differing, largest);
    return total == 0 ? NO_REFERENCE : 0;
}
