package dev.berth.core.scheduling;

import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.door.devices.DeviceDoor;
import dev.berth.core.door.globalreserve.GlobalReserveDoor;
import dev.berth.core.door.globalreserve.GlobalReserveSettings;
import dev.berth.core.door.godel.GodelDoor;
import dev.berth.core.door.koordinator.KoordinatorDoor;
import dev.berth.core.door.koordinator.KoordinatorSettings;
import dev.berth.core.door.nodeannotation.NodeAnnotationDoor;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.ComponentId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.preemption.DefaultPreemption;
import dev.berth.core.volumebinding.prebind.VolumeBinding;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A fact or a write of a kind that its component does not know is a bug, and is not ignored. */
class UnknownFactTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private record UnknownFact(ComponentId component) implements Fact.ComponentFact {}

    private record UnknownWrite(ComponentId component) implements Effect.Write {
        @Override
        public String key() {
            return "unknown";
        }
    }

    private final Ledger ledger = new Ledger();
    private final NominatedNodeWriter nominatedNodes = new NominatedNodeWriter();
    private final Scheduler scheduler = aScheduler(ledger)
            .withDoors(
                    new KoordinatorDoor(KoordinatorSettings.of(Set.of("default-scheduler"))),
                    new GodelDoor(Duration.ofSeconds(60)),
                    new NodeAnnotationDoor(),
                    new GlobalReserveDoor(GlobalReserveSettings.DEFAULT),
                    new DeviceDoor(ledger))
            .withPlugins(
                    new VolumeBinding(ledger, Profiles.DEFAULT, nominatedNodes),
                    nominatedNodes,
                    new DefaultPreemption(Set.of("default-scheduler"), nominatedNodes))
            .build();

    private static Stream<ComponentId> componentsThatReadObjects() {
        return components().filter(component -> component != Origin.PluginId.NOMINATED_NODES);
    }

    private static Stream<ComponentId> componentsThatWrite() {
        return components().filter(component -> component != Origin.DoorId.NODE_ANNOTATION);
    }

    private static Stream<ComponentId> components() {
        return Stream.<ComponentId[]>of(Origin.DoorId.values(), Origin.PluginId.values())
                .flatMap(Stream::of);
    }

    @ParameterizedTest
    @MethodSource("componentsThatReadObjects")
    void aFactOfAnUnknownKindFails(ComponentId component) {
        assertThatThrownBy(() -> scheduler.apply(new UnknownFact(component), NOW))
                .isInstanceOfAny(IllegalStateException.class, ClassCastException.class)
                .hasMessageContaining("UnknownFact");
    }

    @ParameterizedTest
    @MethodSource("componentsThatWrite")
    void theResultOfAWriteOfAnUnknownKindFails(ComponentId component) {
        assertThatThrownBy(() -> scheduler.onWriteResult(new UnknownWrite(component), WriteResult.WRITTEN, NOW))
                .isInstanceOfAny(IllegalStateException.class, ClassCastException.class)
                .hasMessageContaining("UnknownWrite");
    }
}
