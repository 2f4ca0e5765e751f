#include "checks.h"

#include <string.h>

enum { DEADLINE_SECONDS = 240 };

int run_case(int count, char **arguments, const struct test_case *cases, size_t number)
{
    if (count < 2) {
        for (size_t i = 0; i < number; i++)
            puts(cases[i].name);
        return 0;
    }
    for (size_t i = 0; i < number; i++)
        if (strcmp(cases[i].name, arguments[1]) == 0) {
            alarm(DEADLINE_SECONDS);
            cases[i].run();
            return 0;
        }
    fprintf(stderr, "case=%s does not exist\n", arguments[1]);
    return 2;
}
