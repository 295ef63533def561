package dev.berth.core.reconcile;

import static dev.berth.core.testing.HoldBuilder.aHold;

import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.framework.Handle;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Origin;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A door of the simplest kind: an object means as many holds as its spec says until its deadline, and reports the number. */
final class TestObjects implements ObjectHandler<String, TestObjects.ObservedObject, TestObjects.StatusWrite> {
    static final Effect.RecordEvent.EventTemplate INVALID =
            Effect.RecordEvent.EventTemplate.warning("Invalid", "Reading");
    static final int EXPIRED = -1;

    /**
     * An object as the watch shows it.
     *
     * @param version empty for an object whose writes have no version as a precondition
     */
    record ObservedObject(
            String uid, String version, int spec, int status, List<String> problems, Optional<Instant> deadline) {
        boolean isExpired(Instant now) {
            return deadline.filter(at -> !at.isAfter(now)).isPresent();
        }

        int desiredStatus(Instant now) {
            return isExpired(now) ? EXPIRED : spec;
        }

        ObservedObject withStatus(int next) {
            return new ObservedObject(uid, version, spec, next, problems, deadline);
        }

        ObservedObject withVersion(String next) {
            return new ObservedObject(uid, next, spec, status, problems, deadline);
        }
    }

    /** A write of an object's status. */
    record StatusWrite(String uid, String version, int status) implements Effect.Write {
        @Override
        public Origin.DoorId component() {
            return Origin.DoorId.KOORDINATOR;
        }

        @Override
        public String key() {
            return uid;
        }
    }

    final ObjectController<String, ObservedObject, StatusWrite> controller = new ObjectController<>(this);

    static ObservedObject object(String uid, int spec) {
        return new ObservedObject(uid, "v1", spec, 0, List.of(), Optional.empty());
    }

    static Collection<Hold> holdsOf(ObservedObject state, Instant now) {
        return state.isExpired(now)
                ? List.of()
                : IntStream.range(0, state.spec())
                        .mapToObj(i -> aHold("%s/%d".formatted(state.uid(), i))
                                .on("n1")
                                .keeping("%d cpu".formatted(state.spec()))
                                .build())
                        .toList();
    }

    static Optional<StatusWrite> writeOf(ObservedObject state, Instant now) {
        int desired = state.desiredStatus(now);
        return state.status() == desired
                ? Optional.empty()
                : Optional.of(new StatusWrite(state.uid(), state.version(), desired));
    }

    static EventTarget targetOf(String uid) {
        return new EventTarget("v1", "Thing", "", uid, uid, "berth");
    }

    @Override
    public EventTarget eventTarget(ObservedObject state) {
        return targetOf(state.uid());
    }

    @Override
    public Collection<Hold> desiredHolds(ObservedObject state, DoorHandle handle) {
        return holdsOf(state, handle.now());
    }

    @Override
    public String observedVersion(ObservedObject state) {
        return state.version();
    }

    @Override
    public Optional<StatusWrite> desiredWrite(ObservedObject state, Handle handle) {
        return writeOf(state, handle.now());
    }

    @Override
    public String keyOf(StatusWrite write) {
        return write.uid();
    }

    @Override
    public String denialConsequence(ObservedObject state, StatusWrite write) {
        return "The status stays %d.".formatted(state.status());
    }

    @Override
    public void beforeWrite(ObservedObject state, DoorHandle handle) {
        controller.report(state.uid(), INVALID, state.problems(), handle);
    }

    @Override
    public Optional<Instant> nextCheck(ObservedObject state, Handle handle) {
        return state.deadline();
    }

    @Override
    public boolean isInvalid(ObservedObject state) {
        return !state.problems().isEmpty();
    }
}
