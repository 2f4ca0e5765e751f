package io.gpuvm.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.evaluation.data.EvaluatedWorkload.WorkAmount;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramAnswerTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void givenFigures_whenRead_thenValuesAreReturned() throws JsonProcessingException {
        ProgramAnswer answer =
                answer(
                        "{'ns':0,'timesNs':[3,4],'phasesNs':{'launch':5},'work':{'bytesIn':1,"
                                + "'bytesOut':2,'launches':3,'operations':4,'unit':'flop'}}");

        assertEquals(0, answer.ns());
        assertEquals(List.of(3L, 4L), answer.times(2));
        assertEquals(5, answer.part("phasesNs").ns("launch"));
        assertEquals(new WorkAmount(1, 2, 3, 4, "flop"), answer.work());
        assertNull(answer("{}").work());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | answer: ns=absent, expected 0 to 3600000000000",
                "{'ns':-5} | answer: ns=-5, expected 0 to 3600000000000",
                "{'ns':1.5} | answer: ns=1.5, expected 0 to 3600000000000",
                "{'ns':'7'} | answer: ns=\"7\", expected 0 to 3600000000000",
                "{'ns':1e30} | answer: ns=1.0E30, expected 0 to 3600000000000",
                "{'ns':36893488147419103233} | answer: ns=36893488147419103233, expected 0 to 3600000000000"
            })
    void givenImpossibleDuration_whenRead_thenErrorNamesValueAndRange(String text, String message)
            throws JsonProcessingException {
        ProgramAnswer answer = answer(text);

        assertEquals(message, assertThrows(GuestLostException.class, answer::ns).getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | answer: timesNs entries=0, expected=2",
                "{'timesNs':[1]} | answer: timesNs entries=1, expected=2",
                "{'timesNs':[1,2,3]} | answer: timesNs entries=3, expected=2",
                "{'timesNs':[1,0]} | answer: timesNs=0, expected 1 to 3600000000000"
            })
    void givenWrongNumberOfDurationsOrZero_whenRead_thenErrorNamesValueAndExpectation(
            String text, String message) throws JsonProcessingException {
        ProgramAnswer answer = answer(text);

        assertEquals(
                message,
                assertThrows(GuestLostException.class, () -> answer.times(2)).getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'work':7} | answer: bytesIn=absent, expected 0 to 9007199254740992",
                "{'work':{'bytesIn':-1}} | answer: bytesIn=-1, expected 0 to 9007199254740992"
            })
    void givenMalformedWork_whenRead_thenGuestIsLost(String text, String message)
            throws JsonProcessingException {
        ProgramAnswer answer = answer(text);

        assertEquals(message, assertThrows(GuestLostException.class, answer::work).getMessage());
    }

    /// @param text object with apostrophes instead of quotation marks
    private static ProgramAnswer answer(String text) throws JsonProcessingException {
        return new ProgramAnswer(JSON.readTree(text.replace('\'', '"')));
    }
}
