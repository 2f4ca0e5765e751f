package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.sched.PolicyKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyOptionTest {
    @Test
    void givenPolicy_whenWrittenAndParsed_thenPoliciesAreEqual() {
        List<PolicyKind> odd =
                List.of(
                        new PolicyKind.Credit(1_234_567),
                        new PolicyKind.Band(2_000_000, 3_000_000_000L, 1),
                        new PolicyKind.Fair(70_000, 5, 90_000_000));
        for (List<PolicyKind> kinds : List.of(PolicyKind.ALL, odd)) {
            for (PolicyKind kind : kinds) {
                assertEquals(kind, PolicyOption.parse("--policy", PolicyOption.textOf(kind)));
            }
        }
    }

    @Test
    void givenUnknownPolicy_whenParsed_thenKnownPoliciesAreNamed() {
        ConfigException e =
                assertThrows(ConfigException.class, () -> PolicyOption.parse("--policy", "luck"));

        assertTrue(e.getMessage().startsWith("--policy: policy=luck"), e::getMessage);
        assertTrue(e.getMessage().contains("fair"), e::getMessage);
    }
}
