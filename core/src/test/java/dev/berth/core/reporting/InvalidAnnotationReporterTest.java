package dev.berth.core.reporting;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.effect.Effect;
import dev.berth.core.hold.Claim;
import dev.berth.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The author of a pod edits its record again and again. */
class InvalidAnnotationReporterTest {
    private static final int EDITS = 1_000;

    private final Ledger ledger = new Ledger();
    private final InvalidAnnotationReporter records = new InvalidAnnotationReporter(ledger);
    private final List<Effect> effects = new ArrayList<>();

    InvalidAnnotationReporterTest() {
        ledger.put(aNode("n1").with("4 cpu").build());
    }

    @Test
    void earlierAnnotationValuesOfAPodAreForgotten() {
        for (int i = 0; i < EDITS; i++) {
            upsert(pod("koordinator/forged-" + i));
        }

        assertThat(records.size()).as("the latest record").isEqualTo(2);
        records.onPodDelete(pod("koordinator/forged-" + (EDITS - 1)));
        assertThat(records.size()).isZero();
    }

    @Test
    void anAnnotationThatIsRemovedIsForgotten() {
        upsert(pod("koordinator/forged"));

        upsert(aPod("mine").on("n1").build());

        assertThat(records.size()).isZero();
    }

    @Test
    void anAnnotationLongerThanAnyHoldIdIsNotStored() {
        upsert(pod("koordinator/" + "x".repeat(250_000)));

        assertThat(records.size()).isZero();
        assertThat(effects).isEmpty();
    }

    private void upsert(Pod pod) {
        ledger.put(pod);
        records.onPodUpsert(pod);
        records.reportTo(effects);
    }

    private static Pod pod(String record) {
        return aPod("mine").on("n1").annotated(Claim.ANNOTATION, record).build();
    }
}
