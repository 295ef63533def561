package dev.berth.testkit.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.contract.Eventually;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CompanionsTest {
    @Test
    void noneOutlivesTheTestNorLeavesAnythingBehind() {
        Companions companions = Companions.open();
        GuardedProcess first = companions.start("first", List.of("sh", "-c", "echo here; sleep 600"));
        GuardedProcess second = companions.start("second", List.of("sleep", "600"));
        Eventually.holds(() -> assertThat(first.said()).isEqualTo("here\n"));

        second.close();
        companions.close();

        assertThat(first.isAlive()).isFalse();
        assertThat(second.isAlive()).isFalse();
        assertThat(first.log().getParent()).doesNotExist();
    }
}
