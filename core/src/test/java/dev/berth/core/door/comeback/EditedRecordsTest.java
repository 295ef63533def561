package dev.berth.core.door.comeback;

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

/** The author of a pod edits its record and its key again and again. */
class EditedRecordsTest {
    private static final int EDITS = 1_000;

    private final Ledger ledger = new Ledger();
    private final Takers takers = new Takers();

    @Test
    void formerRecordsOfAPodAreForgotten() {
        for (int i = 0; i < EDITS; i++) {
            Optional<HoldId> place = takers.seen(pod("return/default/x/forged-" + i, "i"), ledger);
            takers.formerPlaces(new PodUid("mine"), place).forEach(former -> takers.forget(new PodUid("mine"), former));
        }

        assertThat(takers.size()).isEqualTo(2);
        takers.gone(new PodUid("mine")).forEach(takers::forget);
        assertThat(takers.size()).isZero();
    }

    @Test
    void formerRecordOfAPodIsRememberedAsLongAsItsPlaceIsKnown() {
        takers.seen(pod("return/default/known/u", "i"), ledger);
        takers.seen(pod("return/default/other/v", "i"), ledger);

        assertThat(takers.of(new HoldId("return/default/known/u"), "n1", new ReturnKey("default", "i")))
                .isPresent();
        assertThat(takers.gone(new PodUid("mine")))
                .containsExactly(new HoldId("return/default/known/u"), new HoldId("return/default/other/v"));
    }

    @Test
    void firstKeysOfAPodCountAndLaterEditsOfItsKeyAreNotRemembered() {
        for (int i = 0; i < EDITS; i++) {
            takers.seen(pod("return/default/x/u", "key-" + i), ledger);
        }

        List<Integer> remembered = IntStream.range(0, EDITS)
                .filter(i -> takers.of(new HoldId("return/default/x/u"), "n1", new ReturnKey("default", "key-" + i))
                        .isPresent())
                .boxed()
                .toList();
        assertThat(remembered).hasSize(8).startsWith(0);
    }

    private static Pod pod(String record, String key) {
        return aPod("mine")
                .on("n1")
                .annotated(Claim.ANNOTATION, record)
                .annotated(ReturnKey.INDEX, key)
                .build();
    }
}
