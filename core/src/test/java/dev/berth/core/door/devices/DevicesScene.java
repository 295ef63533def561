package dev.berth.core.door.devices;

import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.SnapshotFilter;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.SchedulerBuilder;
import dev.berth.core.testing.SchedulerScene;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The devices door and an API server that performs what the door writes. Nothing runs before the test says so. */
final class DevicesScene extends SchedulerScene<DevicesScene> {
    final Map<String, Device> devices = new TreeMap<>();
    final Map<String, DeviceClaim> claims = new TreeMap<>();
    final List<DeviceWrite> writes = new ArrayList<>();
    int version = 1;
    private final Ledger ledger = new Ledger();
    private final DeviceDoor door = new DeviceDoor(ledger);
    private final SchedulerBuilder builder = aScheduler(ledger).withDoors(door);
    private final Placer placer = builder.placer();
    private final SnapshotFilter snapshotFilter = new SnapshotFilter(scheduler().filterState());

    @Override
    protected Scheduler newScheduler() {
        return builder.build(placer);
    }

    @Override
    protected List<Fact> listObjects() {
        List<Fact> listed = new ArrayList<>();
        devices.values().forEach(it -> listed.add(new DeviceFact.DeviceUpserted(it)));
        claims.values().forEach(it -> listed.add(new DeviceFact.ClaimUpserted(it)));
        return listed;
    }

    @Override
    protected DevicesScene runTurns() {
        return this;
    }

    /** The filter of the extender, which must answer as the scheduler does. */
    Map<String, List<Veto>> filter(Pod pod, List<String> nodes) {
        Map<String, List<Veto>> vetoes = snapshotFilter.filter(scheduler().filterState(), pod, nodes);
        assertThat(vetoes).as("vetoes by a snapshot").isEqualTo(placer.filter(pod, nodes));
        return vetoes;
    }

    /** Schedules every pod that can be scheduled. */
    List<Effect> schedulePods() {
        scheduler().advance(clock.instant());
        return scheduleAll();
    }

    DevicesScene upsert(Device device) {
        devices.put(device.name(), device);
        return apply(new DeviceFact.DeviceUpserted(device));
    }

    DevicesScene upsert(DeviceClaim claim) {
        claims.put(claim.ref().name(), claim);
        return apply(new DeviceFact.ClaimUpserted(claim));
    }

    DevicesScene deleteDevice(String name) {
        devices.remove(name);
        return apply(new DeviceFact.DeviceDeleted(name));
    }

    DevicesScene deleteClaim(String name) {
        claims.remove(name);
        return apply(new DeviceFact.ClaimDeleted(name));
    }

    /** Decides on the pod and binds it. */
    Pod scheduleAndBind(PodBuilder pod) {
        upsert(pod);
        Effect.Bind bind = schedulePods().stream()
                .filter(Effect.Bind.class::isInstance)
                .map(Effect.Bind.class::cast)
                .findFirst()
                .orElseThrow();
        Pod bound = bound(ledger().pod(bind.pod().uid()).orElseThrow(), bind);
        upsert(bound);
        scheduler().onBound(bind).forEach(this::dispatch);
        runUntilIdle();
        return bound;
    }

    /** Why the pod has no place, in the words its author reads. */
    String unschedulableMessage(PodBuilder pod) {
        upsert(pod);
        return schedulePods().stream()
                .filter(Effect.MarkUnscheduled.class::isInstance)
                .map(effect -> ((Effect.MarkUnscheduled) effect).message())
                .findFirst()
                .orElseThrow(() -> new AssertionError("the pod got a place: " + pod.build()));
    }

    /** Lets the door write until it has nothing more to say. */
    DevicesScene runUntilIdle() {
        for (int round = 0; round < 100; round++) {
            boolean done = reconcileComponents();
            List<Effect> effects = scheduler().drainEffects();
            if (effects.isEmpty() && done) {
                return this;
            }
            effects.forEach(this::dispatch);
            answer();
        }
        throw new AssertionError("the door does not come to rest: " + writes);
    }

    @Override
    protected WriteResult perform(Effect.Write write) {
        writes.add((DeviceWrite) write);
        publish((DeviceWrite) write);
        return WriteResult.WRITTEN;
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
