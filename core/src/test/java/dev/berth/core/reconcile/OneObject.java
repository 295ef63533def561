package dev.berth.core.reconcile;

import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Subject;
import dev.berth.core.hold.Origin;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One object that should have a value, and a reconciler that writes it. */
final class OneObject implements Source<String, OneObject.Write> {
    static final String KEY = "object";

    /**
     * A write of the object.
     *
     * @param version its precondition; empty when it has none
     */
    record Write(String version, int value) implements Effect.Write {
        @Override
        public Origin.Door door() {
            return Origin.Door.RESERVATION;
        }

        @Override
        public String key() {
            return KEY;
        }
    }

    final RecordingDesk desk = new RecordingDesk();
    final Reconciler<String, Write> reconciler = new Reconciler<>(this);
    /** What was seen. */
    String version;

    int seen;
    /** What should be. */
    int desired;

    private OneObject(String version) {
        this.version = version;
    }

    static OneObject withVersions() {
        return new OneObject("v1");
    }

    static OneObject withoutVersions() {
        return new OneObject("");
    }

    @Override
    public String version(String key) {
        return version;
    }

    @Override
    public Optional<Write> wanted(String key, Desk any) {
        return seen == desired ? Optional.empty() : Optional.of(new Write(version, desired));
    }

    @Override
    public Subject subject(Write write) {
        return new Subject("v1", "Thing", "", KEY, "uid", "berth");
    }

    /** What is sent now, values alone. */
    List<Integer> settle() {
        reconciler.reconcile(desk);
        return desk.effects.stream()
                .filter(Write.class::isInstance)
                .map(effect -> ((Write) effect).value())
                .toList();
    }

    OneObject want(int value) {
        desired = value;
        reconciler.touch(KEY);
        return this;
    }

    OneObject show(String newer, int value) {
        version = newer;
        seen = value;
        reconciler.touch(KEY);
        return this;
    }

    OneObject answer(Write write, Outcome.Kind kind) {
        reconciler.answered(KEY, write, new Outcome(kind, kind == Outcome.Kind.WRITTEN ? "" : "because"), desk);
        return this;
    }

    OneObject pass(Duration time) {
        desk.clock.advance(time);
        return this;
    }

    List<String> events() {
        return desk.take().stream()
                .filter(Effect.Announce.class::isInstance)
                .map(effect -> ((Effect.Announce) effect).kind().reason())
                .toList();
    }
}
