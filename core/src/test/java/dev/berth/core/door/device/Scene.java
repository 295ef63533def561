package dev.berth.core.door.device;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Pace;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A decider with the door of devices, and an API server that carries out what the door writes and shows it at once. */
final class Scene {
    final Ledger ledger = new Ledger();
    final DeviceDoor door = new DeviceDoor(ledger);
    final Decider decider = new Decider(
            ledger,
            new Placer(ledger, ScoreWeights.DEFAULT, door.devices()),
            new SchedulingQueue(BackOff.DEFAULT),
            Set.of("default-scheduler"),
            List.of(door));
    final Map<String, Device> devices = new TreeMap<>();
    final Map<String, DeviceClaim> claims = new TreeMap<>();
    final List<Effect.Announce> told = new ArrayList<>();
    final List<DeviceWrite> written = new ArrayList<>();
    private Pace pace = Pace.UNBOUNDED;
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    int version = 1;

    Scene seen(NodeBuilder node) {
        return seen(node.build());
    }

    Scene seen(Node node) {
        decider.learn(new Fact.NodeSeen(node), now);
        return this;
    }

    Scene nodeGone(String uid) {
        decider.learn(new Fact.NodeGone(new NodeUid(uid)), now);
        return this;
    }

    Scene seen(PodBuilder pod) {
        return seen(pod.build());
    }

    Scene seen(Pod pod) {
        decider.learn(new Fact.PodSeen(pod), now);
        return this;
    }

    Scene gone(String pod) {
        decider.learn(new Fact.PodGone(new PodUid(pod)), now);
        return this;
    }

    Scene seen(Device device) {
        devices.put(device.name(), device);
        decider.learn(new DeviceFact.DeviceSeen(device), now);
        return this;
    }

    Scene seen(DeviceClaim claim) {
        claims.put(claim.ref().name(), claim);
        decider.learn(new DeviceFact.ClaimSeen(claim), now);
        return this;
    }

    Scene deviceGone(String name) {
        devices.remove(name);
        decider.learn(new DeviceFact.DeviceGone(name), now);
        return this;
    }

    Scene claimGone(String name) {
        claims.remove(name);
        decider.learn(new DeviceFact.ClaimGone(name), now);
        return this;
    }

    Scene advance(Duration time) {
        now = now.plus(time);
        return this;
    }

    /** Decides on every pod that can be decided on. */
    List<Effect> decide() {
        decider.advance(now);
        List<Effect> effects = new ArrayList<>();
        for (Optional<List<Effect>> next = decider.next(now); next.isPresent(); next = decider.next(now)) {
            effects.addAll(next.get());
        }
        return effects;
    }

    /** Decides on the pod and binds it. */
    Pod bound(PodBuilder pod) {
        seen(pod);
        Effect.Bind bind = decide().stream()
                .filter(Effect.Bind.class::isInstance)
                .map(Effect.Bind.class::cast)
                .findFirst()
                .orElseThrow();
        Pod waiting = ledger.pod(bind.pod().uid()).orElseThrow();
        Map<String, String> annotations = new TreeMap<>(waiting.annotations().toMap());
        annotations.putAll(bind.annotations());
        Pod there = waiting.on(bind.node()).toBuilder()
                .annotations(Labels.of(annotations))
                .build();
        seen(there);
        decider.bound(bind);
        settle();
        return there;
    }

    /** Why the pod has no place, in the words its author reads. */
    String refusal(PodBuilder pod) {
        seen(pod);
        return decide().stream()
                .filter(Effect.MarkUnscheduled.class::isInstance)
                .map(effect -> ((Effect.MarkUnscheduled) effect).message())
                .findFirst()
                .orElseThrow(() -> new AssertionError("the pod got a place: " + pod.build()));
    }

    /** From now on each turn has time for one object. */
    Scene hurried() {
        pace = () -> true;
        return this;
    }

    /** Lets the door write until it has nothing more to say. */
    Scene settle() {
        for (int round = 0; round < 100; round++) {
            boolean done = decider.settle(now, pace);
            List<Effect> effects = decider.takeEffects();
            if (effects.isEmpty() && done) {
                return this;
            }
            effects.forEach(this::carryOut);
        }
        throw new AssertionError("the door does not come to rest: " + written);
    }

    private void carryOut(Effect effect) {
        if (effect instanceof Effect.Announce announcement) {
            told.add(announcement);
        } else if (effect instanceof DeviceWrite write) {
            written.add(write);
            show(write);
            decider.written(write, Outcome.WRITTEN, now);
        }
    }

    private void show(DeviceWrite write) {
        if (write instanceof DeviceWrite.OfDevice device) {
            Device known = device(write.ref().name());
            seen(new Device(
                    renewed(write.ref()),
                    known.nodes(),
                    known.resource(),
                    known.id(),
                    known.properties(),
                    device.link(),
                    device.status(),
                    known.problem()));
        } else if (write instanceof DeviceWrite.OfClaim claim) {
            DeviceClaim known = claim(write.ref().name());
            seen(new DeviceClaim(renewed(write.ref()), known.ask(), claim.written(), claim.status(), known.problem()));
        }
    }

    private ObjectRef renewed(ObjectRef ref) {
        version++;
        return new ObjectRef(ref.group(), ref.namespace(), ref.name(), ref.uid(), "v" + version);
    }

    Device device(String name) {
        return Objects.requireNonNull(devices.get(name), name);
    }

    DeviceClaim claim(String name) {
        return Objects.requireNonNull(claims.get(name), name);
    }

    String phaseOf(String claim) {
        return claim(claim).status().phase();
    }

    String deviceIs(String device) {
        return device(device).status().phase();
    }
}
