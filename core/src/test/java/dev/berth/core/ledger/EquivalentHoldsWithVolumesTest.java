package dev.berth.core.ledger;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.testing.HoldBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of equivalent holds one represents all, so holds whose volumes count differently are not equivalent. */
class EquivalentHoldsWithVolumesTest {
    private final Ledger ledger = new Ledger();

    @Test
    void holdsWithEqualVolumesAreEquivalentWhileNoPodUsesThem() {
        putTwoHoldsMounting("data", "data");

        assertThat(claimableHolds()).hasSize(1);
    }

    @Test
    void holdsWithDifferentVolumesAreNotEquivalent() {
        putTwoHoldsMounting("data", "other");

        assertThat(claimableHolds()).hasSize(2);
    }

    @Test
    void usedHoldIsNotEquivalentToAnUnusedHoldEvenIfItsPodRequestsNothing() {
        putTwoHoldsMounting("data", "data");

        ledger.put(aPod("idle").labelled("app", "web").using("a").on("n").build());

        assertThat(ledger.node("n").orElseThrow().neighbours())
                .extracting(hold -> hold.id().value())
                .containsExactly("b");
        assertThat(claimableHolds()).hasSize(2);
    }

    private void putTwoHoldsMounting(String claimOfA, String claimOfB) {
        ledger.put(aNode("n").with("8 cpu").build());
        ledger.put(mounting("a", claimOfA).build());
        ledger.put(mounting("b", claimOfB).build());
    }

    private List<Hold> claimableHolds() {
        Pod owner = aPod("owner").labelled("app", "web").build();
        return ledger.claimableHolds(ledger.node("n").orElseThrow(), ledger.rulesAdmitting(owner));
    }

    private static HoldBuilder mounting(String id, String claim) {
        return aHold(id)
                .on("n")
                .keeping("1 cpu")
                .forPodsLabelled("app", "web")
                .countingAs(aPod("reserve-" + id).mounting(claim));
    }
}
