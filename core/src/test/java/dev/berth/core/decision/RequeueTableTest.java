package dev.berth.core.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.decision.RequeueTable.Row;
import dev.berth.core.decision.RequeueTable.Usual;
import dev.berth.core.placement.filter.Veto.Code;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** For each reason for which a pod is refused: what wakes it, and what lets it sleep, to the decision. */
class RequeueTableTest {
    /**
     * What no pod in the queue is told: whom somebody else places is, and who may use nothing but holds; a volume that is
     * missing is missing, and a pod has too many terms, before any node is asked.
     */
    private static final Set<Code> TOLD_OTHERS =
            EnumSet.of(Code.NODE_NAME, Code.UNKNOWN, Code.NO_OWN_HOLD, Code.VOLUME_UNKNOWN, Code.EXCESS);

    /** Named devices have their own door, and their own tests of what wakes pods. */
    private static final Set<Code> OF_DEVICES = EnumSet.of(Code.DEVICE_CLAIM, Code.DEVICES, Code.DEVICES_HELD);

    private static final Set<Code> LABELS_MATTER = EnumSet.of(
            Code.RESOURCE,
            Code.POD_SLOTS,
            Code.PORTS,
            Code.RESOURCE_HELD,
            Code.PORTS_HELD,
            Code.OWN_HOLD_SPENT,
            Code.POD_AFFINITY,
            Code.POD_ANTI_AFFINITY,
            Code.EXISTING_ANTI_AFFINITY,
            Code.SPREAD,
            Code.SPREAD_LABEL);

    static Stream<Row> rows() {
        return Stream.of(
                        RequeueTable.nodes().stream(),
                        RequeueTable.room().stream(),
                        RequeueTable.company().stream(),
                        RequeueTable.storage().stream())
                .flatMap(part -> part);
    }

    @Test
    void everyReasonIsInTheTableOnce() {
        EnumSet<Code> expected = EnumSet.allOf(Code.class);
        expected.removeAll(TOLD_OTHERS);
        expected.removeAll(OF_DEVICES);
        assertThat(rows().map(Row::code)).containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void whatCuresTheReasonWakesThePod(Row row) {
        WaitingRoom room = refused(row);
        row.cure().accept(room);
        assertThat(room.wakes()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void ofWhatHappensAllTheTimeOnlyWhatMayHelpWakesThePod(Row row) {
        Set<Usual> woke = Arrays.stream(Usual.values())
                .filter(usual -> {
                    WaitingRoom room = refused(row);
                    usual.happensIn(room);
                    return room.wakes();
                })
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Usual.class)));
        assertThat(woke).isEqualTo(row.alsoWokenBy());
    }

    /** Taints ask for no labels; whose neighbour it is and what is kept for it may depend on them. */
    @ParameterizedTest
    @MethodSource("rows")
    void aLabelWakesThePodOnlyWhereLabelsMatter(Row row) {
        WaitingRoom room = refused(row);
        room.seen(row.pod().labelled("colour", "blue"));
        assertThat(room.wakes()).isEqualTo(LABELS_MATTER.contains(row.code()));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void whatThePodAsksForWakesItWhenItChanges(Row row) {
        WaitingRoom room = refused(row);
        room.seen(row.pod().shaped(shape -> shape.images(List.of("another"))));
        assertThat(room.wakes()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void timeAloneWakesNobodyWithinItsPatience(Row row) {
        assertThat(refused(row).wakes()).isFalse();
    }

    private static WaitingRoom refused(Row row) {
        WaitingRoom room = new WaitingRoom();
        row.world().accept(room);
        room.refuse(row.pod(), row.code());
        return room;
    }
}
