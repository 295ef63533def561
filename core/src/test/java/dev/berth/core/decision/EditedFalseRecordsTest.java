package dev.berth.core.decision;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Claim;
import dev.berth.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The author of a pod edits its record again and again. */
class EditedFalseRecordsTest {
    private static final int EDITS = 1_000;

    private final Ledger ledger = new Ledger();
    private final FalseRecords records = new FalseRecords(ledger);
    private final List<Effect> effects = new ArrayList<>();

    EditedFalseRecordsTest() {
        ledger.put(aNode("n1").with("4 cpu").build());
    }

    @Test
    void formerRecordsOfAPodAreForgotten() {
        for (int i = 0; i < EDITS; i++) {
            see(pod("reservation/forged-" + i));
        }

        assertThat(records.size()).as("the latest record").isEqualTo(2);
        records.podGone(pod("reservation/forged-" + (EDITS - 1)));
        assertThat(records.size()).isZero();
    }

    @Test
    void recordThatIsRemovedIsForgotten() {
        see(pod("reservation/forged"));

        see(aPod("mine").on("n1").build());

        assertThat(records.size()).isZero();
    }

    @Test
    void recordLongerThanAnyIdIsNotKept() {
        see(pod("reservation/" + "x".repeat(250_000)));

        assertThat(records.size()).isZero();
        assertThat(effects).isEmpty();
    }

    private void see(Pod pod) {
        ledger.put(pod);
        records.podSeen(pod);
        records.settle(effects);
    }

    private static Pod pod(String record) {
        return aPod("mine").on("n1").annotated(Claim.ANNOTATION, record).build();
    }
}
