package dev.berth.core.door.godel;

import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.ledger.Ledger;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A user edits the hold annotation and the return key of a pod many times. */
class EditedPodAnnotationsTest {
    private static final int EDITS = 1_000;

    private final Ledger ledger = new Ledger();
    private final Successors successors = new Successors();

    @Test
    void formerHoldAnnotationsOfAPodAreForgotten() {
        for (int i = 0; i < EDITS; i++) {
            Optional<HoldId> place = successors.onPodUpsert(pod("godel/default/x/forged-" + i, "i"), ledger);
            successors
                    .findFormerHolds(new PodUid("mine"), place)
                    .forEach(former -> successors.remove(new PodUid("mine"), former));
        }

        assertThat(successors.size()).isEqualTo(2);
        successors.onPodDelete(new PodUid("mine")).forEach(successors::remove);
        assertThat(successors.size()).isZero();
    }

    @Test
    void podIsStillTheSuccessorForAHoldThatItsFormerAnnotationNamed() {
        successors.onPodUpsert(pod("godel/default/known/u", "i"), ledger);
        successors.onPodUpsert(pod("godel/default/other/v", "i"), ledger);

        assertThat(successors.find(new HoldId("godel/default/known/u"), "n1", new ReturnKey("default", "i")))
                .isPresent();
        assertThat(successors.onPodDelete(new PodUid("mine")))
                .containsExactly(new HoldId("godel/default/known/u"), new HoldId("godel/default/other/v"));
    }

    @Test
    void firstKeysOfAPodCountAndLaterEditsOfItsKeyAreNotRemembered() {
        for (int i = 0; i < EDITS; i++) {
            successors.onPodUpsert(pod("godel/default/x/u", "key-" + i), ledger);
        }

        List<Integer> remembered = IntStream.range(0, EDITS)
                .filter(i -> successors
                        .find(new HoldId("godel/default/x/u"), "n1", new ReturnKey("default", "key-" + i))
                        .isPresent())
                .boxed()
                .toList();
        assertThat(remembered).hasSize(8).startsWith(0);
    }

    private static Pod pod(String record, String key) {
        return aPod("mine")
                .on("n1")
                .annotated(Claim.ANNOTATION, record)
                .annotated(GodelAnnotations.INDEX, key)
                .build();
    }
}
