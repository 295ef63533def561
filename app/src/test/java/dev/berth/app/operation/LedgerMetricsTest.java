package dev.berth.app.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.Ledger;
import dev.berth.http.operation.Exposition;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LedgerMetricsTest {
    private final Ledger ledger = new Ledger();

    private static Pod.Builder pod(String name) {
        return Pod.builder(new PodUid(name), "default", name);
    }

    private void bound(Phase phase) {
        ledger.put(pod(phase.name()).phase(phase).nodeName(Optional.of("node")).build());
    }

    private double pods(String type) {
        Exposition told = new Exposition();
        new LedgerMetrics(ledger::snapshot).tell(told);
        return ExpositionFormat.read(told.toString())
                .metric("scheduler_cache_size")
                .value("type", type);
    }

    @Test
    void podsAtTheirEndAndPodsWithoutAPlaceAreNotCounted() {
        for (Phase phase : Phase.values()) {
            bound(phase);
        }
        ledger.put(pod("waits").build());
        assertThat(pods("pods")).as("pending, running, unknown").isEqualTo(3);
        assertThat(pods("assumed_pods")).isZero();
    }

    @Test
    void aPodWhosePlaceIsOnlyAssumedIsCountedAmongThoseThatHaveOne() {
        bound(Phase.RUNNING);
        ledger.put(pod("assumed").build());
        ledger.assume(new Assumption(new PodUid("assumed"), "node", Optional.empty(), Labels.NONE));
        assertThat(pods("pods")).isEqualTo(2);
        assertThat(pods("assumed_pods")).isEqualTo(1);
    }
}
