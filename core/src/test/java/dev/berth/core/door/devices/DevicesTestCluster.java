package dev.berth.core.door.devices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.SnapshotFilter;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.scheduling.TimeBudget;
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
final class DevicesTestCluster {
    final Ledger ledger = new Ledger();
    final DeviceDoor door = new DeviceDoor(ledger);
    final Placer placer = new Placer(ledger, ScoreWeights.DEFAULT, door.deviceFilter());
    final Scheduler scheduler = new Scheduler(
            ledger, placer, new SchedulingQueue(BackoffPolicy.DEFAULT), Set.of("default-scheduler"), List.of(door));
    final Map<String, Device> devices = new TreeMap<>();
    final Map<String, DeviceClaim> claims = new TreeMap<>();
    final List<Effect.RecordEvent> events = new ArrayList<>();
    final List<DeviceWrite> writes = new ArrayList<>();
    private final SnapshotFilter snapshotFilter = new SnapshotFilter(scheduler.filterState());
    private TimeBudget timeBudget = TimeBudget.UNBOUNDED;
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    int version = 1;

    /** As the extender filters, which is as the scheduler does. */
    Map<String, List<Veto>> filter(Pod pod, List<String> nodes) {
        Map<String, List<Veto>> vetoes = snapshotFilter.filter(scheduler.filterState(), pod, nodes);
        assertThat(vetoes).as("vetoes by a snapshot").isEqualTo(placer.filter(pod, nodes));
        return vetoes;
    }

    DevicesTestCluster upsert(NodeBuilder node) {
        return upsert(node.build());
    }

    DevicesTestCluster upsert(Node node) {
        scheduler.apply(new Fact.NodeUpserted(node), now);
        return this;
    }

    DevicesTestCluster deleteNode(String uid) {
        scheduler.apply(new Fact.NodeDeleted(new NodeUid(uid)), now);
        return this;
    }

    DevicesTestCluster upsert(PodBuilder pod) {
        return upsert(pod.build());
    }

    DevicesTestCluster upsert(Pod pod) {
        scheduler.apply(new Fact.PodUpserted(pod), now);
        return this;
    }

    DevicesTestCluster deletePod(String pod) {
        scheduler.apply(new Fact.PodDeleted(new PodUid(pod)), now);
        return this;
    }

    DevicesTestCluster upsert(Device device) {
        devices.put(device.name(), device);
        scheduler.apply(new DeviceFact.DeviceUpserted(device), now);
        return this;
    }

    DevicesTestCluster upsert(DeviceClaim claim) {
        claims.put(claim.ref().name(), claim);
        scheduler.apply(new DeviceFact.ClaimUpserted(claim), now);
        return this;
    }

    DevicesTestCluster deleteDevice(String name) {
        devices.remove(name);
        scheduler.apply(new DeviceFact.DeviceDeleted(name), now);
        return this;
    }

    DevicesTestCluster deleteClaim(String name) {
        claims.remove(name);
        scheduler.apply(new DeviceFact.ClaimDeleted(name), now);
        return this;
    }

    DevicesTestCluster advance(Duration time) {
        now = now.plus(time);
        return this;
    }

    /** Decides on every pod that can be decided on. */
    List<Effect> scheduleAll() {
        scheduler.advance(now);
        List<Effect> effects = new ArrayList<>();
        for (Optional<List<Effect>> next = scheduler.scheduleOne(now);
                next.isPresent();
                next = scheduler.scheduleOne(now)) {
            effects.addAll(next.get());
        }
        return effects;
    }

    /** Decides on the pod and binds it. */
    Pod scheduleAndBind(PodBuilder pod) {
        upsert(pod);
        Effect.Bind bind = scheduleAll().stream()
                .filter(Effect.Bind.class::isInstance)
                .map(Effect.Bind.class::cast)
                .findFirst()
                .orElseThrow();
        Pod waiting = ledger.pod(bind.pod().uid()).orElseThrow();
        Map<String, String> annotations = new TreeMap<>(waiting.annotations().toMap());
        annotations.putAll(bind.annotations());
        Pod there = waiting.boundTo(bind.node()).toBuilder()
                .annotations(Labels.of(annotations))
                .build();
        upsert(there);
        scheduler.onBound(bind);
        runUntilIdle();
        return there;
    }

    /** Why the pod has no place, in the words its author reads. */
    String unschedulableMessage(PodBuilder pod) {
        upsert(pod);
        return scheduleAll().stream()
                .filter(Effect.MarkUnscheduled.class::isInstance)
                .map(effect -> ((Effect.MarkUnscheduled) effect).message())
                .findFirst()
                .orElseThrow(() -> new AssertionError("the pod got a place: " + pod.build()));
    }

    /** From now on each turn has time for one object. */
    DevicesTestCluster limitToOneObjectPerTurn() {
        timeBudget = () -> true;
        return this;
    }

    /** Lets the door write until it has nothing more to say. */
    DevicesTestCluster runUntilIdle() {
        for (int round = 0; round < 100; round++) {
            boolean done = scheduler.reconcileDoors(now, timeBudget);
            List<Effect> effects = scheduler.drainEffects();
            if (effects.isEmpty() && done) {
                return this;
            }
            effects.forEach(this::dispatch);
        }
        throw new AssertionError("the door does not come to rest: " + writes);
    }

    private void dispatch(Effect effect) {
        if (effect instanceof Effect.RecordEvent announcement) {
            events.add(announcement);
        } else if (effect instanceof DeviceWrite write) {
            writes.add(write);
            publish(write);
            scheduler.onWriteResult(write, WriteResult.WRITTEN, now);
        }
    }

    private void publish(DeviceWrite write) {
        if (write instanceof DeviceWrite.UpdateDevice device) {
            Device known = device(write.ref().name());
            upsert(new Device(
                    withNextVersion(write.ref()),
                    known.nodeTerms(),
                    known.resource(),
                    known.deviceId(),
                    known.properties(),
                    device.binding(),
                    device.status(),
                    known.problem()));
        } else if (write instanceof DeviceWrite.UpdateClaim claim) {
            DeviceClaim known = claim(write.ref().name());
            upsert(new DeviceClaim(
                    withNextVersion(write.ref()), known.spec(), claim.allocation(), claim.status(), known.problem()));
        }
    }

    private DeviceObjectRef withNextVersion(DeviceObjectRef ref) {
        version++;
        return new DeviceObjectRef(ref.group(), ref.namespace(), ref.name(), ref.uid(), "v" + version);
    }

    Device device(String name) {
        return Objects.requireNonNull(devices.get(name), name);
    }

    DeviceClaim claim(String name) {
        return Objects.requireNonNull(claims.get(name), name);
    }

    String claimPhase(String claim) {
        return claim(claim).status().phase();
    }

    String devicePhase(String device) {
        return device(device).status().phase();
    }
}
