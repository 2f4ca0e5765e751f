package io.gpuvm.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of lists of hosts in Slurm's notation.
class HostListTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gpu1          | gpu1   | true",
                "gpu1          | gpu10  | false",
                "a,b           | b      | true",
                "gpu[1-4]      | gpu3   | true",
                "gpu[1-4]      | gpu5   | false",
                "gpu[1-4]      | gpu    | false",
                "gpu[1,7-9]    | gpu8   | true",
                "x,gpu[1,3]    | gpu3   | true",
                "gpu[08-12]    | gpu09  | true",
                "gpu[08-12]    | gpu9   | false",
                "r[1-2]n[1-3]  | r2n3   | true",
                "r[1-2]n[1-3]  | r3n1   | false",
                "gpu[1-2]-ib   | gpu2-ib | true"
            })
    void givenList_whenHostIsSearched_thenItIsFound(String list, String host, boolean expected) {
        assertEquals(expected, HostList.contains(list, host));
    }
}
