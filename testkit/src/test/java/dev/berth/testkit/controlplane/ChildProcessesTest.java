package dev.berth.testkit.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.contract.Eventually;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChildProcessesTest {
    @Test
    void closingKillsAllProcessesAndRemovesTheirFiles() {
        ChildProcesses childProcesses = ChildProcesses.open();
        ManagedProcess first = childProcesses.start("first", List.of("sh", "-c", "echo here; sleep 600"));
        ManagedProcess second = childProcesses.start("second", List.of("sleep", "600"));
        Eventually.holds(() -> assertThat(first.readLog()).isEqualTo("here\n"));

        second.close();
        childProcesses.close();

        assertThat(first.isAlive()).isFalse();
        assertThat(second.isAlive()).isFalse();
        assertThat(first.logFile().getParent()).doesNotExist();
    }
}
