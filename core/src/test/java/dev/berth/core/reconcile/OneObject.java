package dev.berth.core.reconcile;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import dev.berth.core.hold.Origin;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One object that should have a value, and a reconciler that writes it. */
final class OneObject implements DesiredWrites<String, OneObject.Write> {
    static final String KEY = "object";

    /**
     * A write of the object.
     *
     * @param version its precondition; empty when it has none
     */
    record Write(String version, int value) implements Effect.Write {
        @Override
        public Origin.DoorId component() {
            return Origin.DoorId.KOORDINATOR;
        }

        @Override
        public String key() {
            return KEY;
        }
    }

    final RecordingDoorHandle handle = new RecordingDoorHandle();
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
    public String observedVersion(String key) {
        return version;
    }

    @Override
    public Optional<Write> desiredWrite(String key, Handle any) {
        return seen == desired ? Optional.empty() : Optional.of(new Write(version, desired));
    }

    @Override
    public EventTarget eventTarget(Write write) {
        return new EventTarget("v1", "Thing", "", KEY, "uid", "berth");
    }

    /** What is sent now, values alone. */
    List<Integer> reconcile() {
        reconciler.reconcile(handle);
        return handle.effects.stream()
                .filter(Write.class::isInstance)
                .map(effect -> ((Write) effect).value())
                .toList();
    }

    OneObject desire(int value) {
        desired = value;
        reconciler.markDirty(KEY);
        return this;
    }

    OneObject observe(String newer, int value) {
        version = newer;
        seen = value;
        reconciler.markDirty(KEY);
        return this;
    }

    OneObject answer(Write write, WriteResult.ResultKind kind) {
        reconciler.onResult(
                KEY, write, new WriteResult(kind, kind == WriteResult.ResultKind.WRITTEN ? "" : "because"), handle);
        return this;
    }

    OneObject advance(Duration time) {
        handle.clock.advance(time);
        return this;
    }

    List<String> events() {
        return handle.drain().stream()
                .filter(Effect.RecordEvent.class::isInstance)
                .map(effect -> ((Effect.RecordEvent) effect).kind().reason())
                .toList();
    }
}
