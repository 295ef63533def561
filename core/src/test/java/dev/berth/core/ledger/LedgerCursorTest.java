package dev.berth.core.ledger;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerCursorTest {
    private final Ledger ledger = new Ledger(2);
    private final LedgerCursor cursor = new LedgerCursor();
    private final List<Integer> slots = new ArrayList<>();

    private boolean follow() {
        slots.clear();
        return cursor.follow(ledger, new LedgerView.ChangeListener() {
            @Override
            public void onNodeChanged(int slot) {
                slots.add(slot);
            }

            @Override
            public void onPodAdded(int slot, Pod pod) {}

            @Override
            public void onPodRemoved(int slot, Pod pod) {}

            @Override
            public void onWorkloadsChanged(String namespace) {}

            @Override
            public void onNamespacesChanged() {}
        });
    }

    @Test
    void aNewReaderMustReadEverything() {
        assertThat(cursor.isUpToDate(ledger)).isFalse();
        assertThat(follow()).isFalse();
        assertThat(cursor.isUpToDate(ledger)).isTrue();
    }

    @Test
    void aReaderGetsTheChangesThatItHasNotRead() {
        ledger.put(aNode("a").build());
        follow();
        ledger.put(aNode("b").build());

        assertThat(cursor.isUpToDate(ledger)).isFalse();
        assertThat(follow()).isTrue();
        assertThat(slots).containsExactly(1);
        assertThat(follow()).isTrue();
        assertThat(slots).isEmpty();
    }

    @Test
    void aReaderThatMissedChangesMustReadEverything() {
        follow();
        ledger.put(aNode("a").build());
        ledger.put(aNode("b").build());
        ledger.put(aNode("c").build());

        assertThat(follow()).isFalse();
        assertThat(slots).isEmpty();
        assertThat(cursor.isUpToDate(ledger)).isTrue();
    }
}
