package dev.berth.app.diagnostics;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.Ledger;
import dev.berth.http.diagnostics.PrometheusText;
import dev.berth.testkit.metrics.ExpositionFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LedgerMetricsTest {
    private final Ledger ledger = new Ledger();

    private static Pod.Builder pod(String name) {
        return Pod.builder(new PodUid(name), "default", name);
    }

    private void bound(PodPhase phase) {
        ledger.put(pod(phase.name()).phase(phase).nodeName(Optional.of("node")).build());
    }

    private String exposition() {
        PrometheusText told = new PrometheusText();
        new LedgerMetrics(ledger::snapshot).collect(told);
        return told.toString();
    }

    private double pods(String type) {
        return ExpositionFormat.read(exposition())
                .metric("scheduler_cache_size")
                .value("type", type);
    }

    private List<String> overcommittedNodes() {
        return exposition()
                .lines()
                .filter(line -> line.startsWith("berth_node_overcommitted"))
                .toList();
    }

    @Test
    void finishedAndUnboundPodsAreNotCounted() {
        for (PodPhase phase : PodPhase.values()) {
            bound(phase);
        }
        ledger.put(pod("waits").build());
        assertThat(pods("pods")).as("pending, running, unknown").isEqualTo(3);
        assertThat(pods("assumed_pods")).isZero();
    }

    @Test
    void anAssumedPodIsCountedAsPlaced() {
        bound(PodPhase.RUNNING);
        ledger.put(pod("assumed").build());
        ledger.assume(new Assumption(new PodUid("assumed"), "node", Optional.empty(), Labels.NONE));
        assertThat(pods("pods")).isEqualTo(2);
        assertThat(pods("assumed_pods")).isEqualTo(1);
    }

    @Test
    void anOvercommittedNodeHasARowUntilTheIntruderIsGone() {
        ledger.put(aNode("n1").with("8 cpu", "16Gi memory").build());
        ledger.put(aNode("n2").with("8 cpu", "16Gi memory").build());
        ledger.put(aHold("r1").on("n1").keeping("6 cpu").build());
        ledger.put(aHold("r2").on("n2").keeping("8 cpu").build());
        assertThat(overcommittedNodes())
                .as("both nodes have the room that they hold")
                .isEmpty();

        ledger.put(aPod("intruder").asking("4 cpu").on("n1").build());
        assertThat(overcommittedNodes()).containsExactly("berth_node_overcommitted{node=\"n1\"} 1");

        ledger.removePod(aPod("intruder").build().uid());
        assertThat(overcommittedNodes()).isEmpty();
    }
}
