package dev.berth.core.ledger;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.HoldId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangeLogTest {
    private final Ledger ledger = new Ledger(20);

    @Test
    void addedAndRemovedPodsAreLoggedWithTheirSlot() {
        ledger.put(aNode("n1").build());
        ledger.put(aNode("n2").build());
        ledger.put(aPod("a").on("n2").build());
        ledger.removePod(new PodUid("a"));

        assertThat(changesSince(0)).containsExactly("node 0", "node 1", "a came to 1", "a left 1");
    }

    @Test
    void aPodThatChangesInPlaceIsLoggedAsRemovedAndAdded() {
        ledger.put(aNode("n1").build());
        ledger.put(aPod("a").on("n1").build());
        long before = ledger.version();
        ledger.put(aPod("a").on("n1").labelled("app", "web").build());

        assertThat(changesSince(before)).containsExactly("a left 0", "a came to 0");
    }

    @Test
    void changesThatDoNotAffectPlacementAreNotLogged() {
        ledger.put(aNode("n1").build());
        ledger.put(aPod("a").build());
        ledger.assume(new PodUid("a"), new NodeUid("n1"), Optional.empty());
        long before = ledger.version();
        long generation = ledger.node("n1").orElseThrow().generation();

        ledger.put(aPod("a").on("n1").build());
        ledger.put(aPod("a").on("n1").in(PodPhase.RUNNING).build());
        ledger.put(aNode("n1").build());

        assertThat(changesSince(before)).isEmpty();
        assertThat(ledger.node("n1").orElseThrow().generation()).isGreaterThan(generation);
        assertThat(ledger.node("n1").orElseThrow().pods().get(0).phase()).isEqualTo(PodPhase.RUNNING);
    }

    @Test
    void aConfirmedClaimIsLoggedAsAChangeOfItsNode() {
        ledger.put(aNode("n1").build());
        ledger.put(
                aHold("h").on("n1").keeping("2 cpu").allocateOnce().forAllPods().build());
        ledger.put(aPod("a").build());
        ledger.assume(new PodUid("a"), new NodeUid("n1"), Optional.of(new HoldId("h")));
        long before = ledger.version();

        ledger.put(aPod("a").on("n1").using("h").build());

        assertThat(changesSince(before)).containsExactly("node 0");
    }

    @Test
    void aReusedSlotIsLoggedEachTime() {
        ledger.put(aNode("n1").build());
        ledger.removeNode(new NodeUid("n1"));
        ledger.put(aNode("n2").build());

        assertThat(changesSince(0)).containsExactly("node 0", "node 0", "node 0");
        assertThat(ledger.nodeAt(0).map(state -> state.node().name())).contains("n2");
        assertThat(ledger.slotBound()).isEqualTo(1);
    }

    @Test
    void workloadChangesAreLoggedByNamespace() {
        Workload web = new Workload(Workload.Kind.SERVICE, "shop", "web", LabelSelector.of(Labels.of("app", "web")));

        assertThat(ledger.put(web)).isTrue();
        assertThat(ledger.put(web)).isFalse();
        assertThat(ledger.remove(web.key())).isTrue();
        assertThat(ledger.remove(web.key())).isFalse();
        assertThat(changesSince(0)).containsExactly("workloads of shop", "workloads of shop");
    }

    @Test
    void aReaderOlderThanTheLogGetsNoChanges() {
        ledger.put(aNode("n1").build());
        for (int i = 0; i < 20; i++) {
            ledger.put(aPod("p" + i).on("n1").build());
        }
        assertThat(ledger.changesSince(0, new RecordingListener())).isFalse();
        assertThat(changesSince(1)).hasSize(20);
        assertThat(changesSince(ledger.version())).isEmpty();
        assertThat(ledger.changesSince(ledger.version() + 1, new RecordingListener()))
                .isFalse();
    }

    private List<String> changesSince(long version) {
        RecordingListener recordingListener = new RecordingListener();
        assertThat(ledger.changesSince(version, recordingListener)).isTrue();
        return recordingListener.changes;
    }

    private static final class RecordingListener implements LedgerView.ChangeListener {
        private final List<String> changes = new ArrayList<>();

        @Override
        public void onNodeChanged(int slot) {
            changes.add("node " + slot);
        }

        @Override
        public void onPodAdded(int slot, Pod pod) {
            changes.add(pod.name() + " came to " + slot);
        }

        @Override
        public void onPodRemoved(int slot, Pod pod) {
            changes.add(pod.name() + " left " + slot);
        }

        @Override
        public void onWorkloadsChanged(String namespace) {
            changes.add("workloads of " + namespace);
        }

        @Override
        public void onNamespacesChanged() {
            changes.add("namespaces");
        }
    }
}
