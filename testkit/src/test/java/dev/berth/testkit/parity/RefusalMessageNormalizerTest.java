package dev.berth.testkit.parity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusalMessageNormalizerTest {
    @Test
    void aHoldOfANominatedPodBecomesInsufficientResources() {
        assertThat(RefusalMessageNormalizer.toKubeSchedulerMessage("0/11 nodes are available: 1 Too many pods, "
                        + "1 Insufficient example.com/gpu (1 held by nominated pod waiting/a, "
                        + "1 held by nominated pod waiting/b), 1 Too many pods (1 held by nominated pod waiting/b), 10 Insufficient cpu. "
                        + "preemption: 0/11 nodes are available: 2 node(s) didn't have free ports for the requested pod ports (held by nominated pod waiting/b), "
                        + "9 Preemption is not helpful for scheduling."))
                .isEqualTo(
                        "0/11 nodes are available: 1 Insufficient example.com/gpu, 10 Insufficient cpu, 2 Too many pods. "
                                + "preemption: 0/11 nodes are available: 2 node(s) didn't have free ports for the requested pod ports, "
                                + "9 Preemption is not helpful for scheduling.");
    }

    @Test
    void messagesWithoutNominatedPodsAreUnchanged() {
        String words = "0/2 nodes are available: 2 Insufficient cpu, 1 Too many pods.";
        assertThat(RefusalMessageNormalizer.toKubeSchedulerMessage(words)).isEqualTo(words);
    }
}
