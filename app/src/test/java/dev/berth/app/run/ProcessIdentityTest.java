package dev.berth.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessIdentityTest {
    @Test
    void generatedIdentitiesAreUnique() {
        assertThat(ProcessIdentity.generate()).isNotEqualTo(ProcessIdentity.generate());
        assertThat(ProcessIdentity.generate()).hasSizeLessThanOrEqualTo(63).contains("-%d-".formatted(pid()));
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }
}
