package dev.berth.core.placement.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class ChangeCursorTest {
    private final SlotChangeLog log = new SlotChangeLog(4);
    private final ChangeCursor cursor = new ChangeCursor(log);

    private BitSet unread() {
        BitSet slots = new BitSet();
        cursor.addUnreadTo(slots);
        return slots;
    }

    @Test
    void aNewReaderReadsAllSlots() {
        assertThat(cursor.mustReadAll()).isTrue();

        cursor.moveToHead();

        assertThat(cursor.mustReadAll()).isFalse();
        assertThat(unread().isEmpty()).isTrue();
    }

    @Test
    void aReaderFindsTheSlotsThatChangedSinceItLastRead() {
        log.add(7);
        cursor.moveToHead();
        log.add(3);
        log.add(5);
        log.add(3);

        assertThat(cursor.mustReadAll()).isFalse();
        assertThat(cursor.unreadCount()).isEqualTo(3);
        assertThat(unread().stream()).containsExactly(3, 5);
        assertThat(cursor.slotAt(cursor.next())).isEqualTo(3);
    }

    @Test
    void aReaderWhoseEntriesWereOverwrittenReadsAllSlots() {
        cursor.moveToHead();
        for (int slot = 0; slot < log.capacity(); slot++) {
            log.add(slot);
        }
        assertThat(cursor.mustReadAll()).isFalse();
        assertThat(unread().cardinality()).isEqualTo(4);

        log.add(9);

        assertThat(cursor.mustReadAll()).isTrue();
    }
}
