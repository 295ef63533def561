package dev.berth.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IdentityTest {
    @Test
    void noTwoReplicasTakeEachOtherForThemselves() {
        assertThat(Identity.fresh()).isNotEqualTo(Identity.fresh());
        assertThat(Identity.fresh()).hasSizeLessThanOrEqualTo(63).contains("-%d-".formatted(pid()));
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }
}
