package dev.berth.core.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.placement.filter.Veto.Code;
import dev.berth.core.scheduling.RequeueTable.CommonEvent;
import dev.berth.core.scheduling.RequeueTable.Row;
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
     * Reasons that no queued pod gets: those of pods that another scheduler places, of pods that must use a hold, and
     * those of PreFilter, such as a missing volume or too many terms.
     */
    private static final Set<Code> TOLD_OTHERS = EnumSet.of(
            Code.NODE_NAME, Code.NODE_UNKNOWN, Code.NO_MATCHING_HOLD, Code.BOUND_VOLUME_MISSING, Code.INVALID_POD);

    /** Named devices have their own door, and their own tests of what wakes pods. */
    private static final Set<Code> OF_DEVICES = EnumSet.of(Code.DEVICE_CLAIM, Code.DEVICES, Code.DEVICES_HELD);

    private static final Set<Code> LABELS_MATTER = EnumSet.of(
            Code.RESOURCE,
            Code.POD_SLOTS,
            Code.PORTS,
            Code.RESOURCE_HELD,
            Code.PORTS_HELD,
            Code.HOLD_EXHAUSTED,
            Code.POD_AFFINITY,
            Code.POD_ANTI_AFFINITY,
            Code.EXISTING_ANTI_AFFINITY,
            Code.TOPOLOGY_SPREAD,
            Code.TOPOLOGY_LABEL_MISSING);

    static Stream<Row> rows() {
        return Stream.of(
                        RequeueTable.nodes().stream(),
                        RequeueTable.room().stream(),
                        RequeueTable.otherPods().stream(),
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
    void theEventThatResolvesTheVetoRequeuesThePod(Row row) {
        UnschedulablePodScene room = refused(row);
        row.cure().accept(room);
        assertThat(room.isRequeued()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void ofCommonEventsOnlyThoseThatMayHelpRequeueThePod(Row row) {
        Set<CommonEvent> woke = Arrays.stream(CommonEvent.values())
                .filter(commonEvent -> {
                    UnschedulablePodScene room = refused(row);
                    commonEvent.applyTo(room);
                    return room.isRequeued();
                })
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(CommonEvent.class)));
        assertThat(woke).isEqualTo(row.alsoRequeuedBy());
    }

    /** Taints ask for no labels; whose neighbour it is and what is kept for it may depend on them. */
    @ParameterizedTest
    @MethodSource("rows")
    void aLabelChangeRequeuesThePodOnlyWhereLabelsMatter(Row row) {
        UnschedulablePodScene room = refused(row);
        room.upsert(row.pod().labelled("colour", "blue"));
        assertThat(room.isRequeued()).isEqualTo(LABELS_MATTER.contains(row.code()));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aChangeOfThePodSpecRequeuesThePod(Row row) {
        UnschedulablePodScene room = refused(row);
        room.upsert(row.pod().withSpec(spec -> spec.images(List.of("another"))));
        assertThat(room.isRequeued()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void noPodIsRequeuedWithoutAnEventBeforeTheUnschedulableTimeout(Row row) {
        assertThat(refused(row).isRequeued()).isFalse();
    }

    private static UnschedulablePodScene refused(Row row) {
        UnschedulablePodScene room = new UnschedulablePodScene();
        row.setUp().accept(room);
        room.refuse(row.pod(), row.code());
        return room;
    }
}
