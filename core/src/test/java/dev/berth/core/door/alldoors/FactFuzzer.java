package dev.berth.core.door.alldoors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.devices.DeviceFact;
import dev.berth.core.door.globalreserve.GlobalReserveDoor;
import dev.berth.core.door.globalreserve.GlobalReserveSettings;
import dev.berth.core.door.globalreserve.ReserveRequest;
import dev.berth.core.door.globalreserve.StoredHoldFact;
import dev.berth.core.door.godel.GodelFact;
import dev.berth.core.door.koordinator.ReservationFact;
import dev.berth.core.door.nodeannotation.NodeReservedResources;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Origin;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.scheduling.TimeBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Facts that nothing checked before, to all doors, drawn by a seed; binds and writes are answered in any way. */
final class FactFuzzer {

    private final FuzzRandom dice;
    private final ObjectFuzzer objects;
    private final DeviceFuzzer devices;
    private final PodFuzzer podFuzzer;
    private final Map<PodUid, Pod> pods = new TreeMap<>();
    /** What a list would show, by object. */
    private final Map<String, Fact> present = new TreeMap<>();

    private final List<Effect> inFlight = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private Scheduler scheduler = AllDoorsCluster.decider(GlobalReserveSettings.DEFAULT);

    FactFuzzer(long seed) {
        this.dice = new FuzzRandom(seed);
        this.objects = new ObjectFuzzer(dice);
        this.devices = new DeviceFuzzer(dice);
        this.podFuzzer = new PodFuzzer(dice, devices, pods);
    }

    List<String> log() {
        return log;
    }

    /** One thing is told, and mostly a turn follows. */
    void next() {
        act();
        if (dice.nextInt(3) > 0) {
            runTurn();
        }
    }

    /** The process is killed, and the next one reads everything that is there. */
    void restart() {
        log.add("restart");
        scheduler = AllDoorsCluster.decider(GlobalReserveSettings.DEFAULT);
        inFlight.clear();
        present.values().forEach(this::deliver);
        runTurn();
        dice.pass(120);
        runTurn();
    }

    private void act() {
        switch (dice.nextInt(20)) {
            case 0 -> upsert(objects.node());
            case 1, 2, 3, 4 -> upsert(podFuzzer.pod());
            case 5 -> deletePod(new PodUid("p" + dice.nextInt(5)));
            case 6, 7, 8 -> upsert(objects.placeholder());
            case 9 -> onDelete("placeholder", "uid-g" + dice.nextInt(4), GodelFact.ReservationDeleted::new);
            case 10, 11 -> upsert(objects.reservation());
            case 12 -> reservationOrHold();
            case 13 -> deviceOrClaim();
            case 14 -> checkpoint();
            case 15 ->
                onUpsert("reserves", new NodeReservedResources(new NodeUid("n1"), "n1", objects.kept(), List.of()));
            case 16 -> log.add("pass " + dice.pass(40));
            case 17 -> reserve();
            case 18 -> nodeOrReturnRequest();
            default -> {
                if (dice.oneIn(4)) {
                    deliver(new Fact.DeletionsReplayed());
                }
            }
        }
    }

    private void reservationOrHold() {
        switch (dice.nextInt(3)) {
            case 0 -> onDelete("reservation", "r" + dice.nextInt(3), ReservationFact.Deleted::new);
            case 1 -> onDelete("hold", "h" + dice.nextInt(3), StoredHoldFact.Deleted::new);
            default -> {
                StoredHoldFact fact = objects.hold();
                onUpsert("hold" + objects.name(), fact);
            }
        }
    }

    private void deviceOrClaim() {
        switch (dice.nextInt(6)) {
            case 0 -> onDelete("device", "d" + dice.nextInt(3), DeviceFact.DeviceDeleted::new);
            case 1 -> onDelete("claim", "c" + (1 + dice.nextInt(2)), DeviceFact.ClaimDeleted::new);
            case 2, 3 -> {
                DeviceFact.DeviceUpserted seen = devices.device();
                onUpsert("device" + seen.device().ref().uid(), seen);
            }
            default -> {
                DeviceFact.ClaimUpserted seen = devices.claim();
                onUpsert("claim" + seen.claim().ref().uid(), seen);
            }
        }
    }

    private void checkpoint() {
        if (dice.oneIn(6)) {
            onDelete("checkpoint", "c" + dice.nextInt(3), GodelFact.CheckpointDeleted::new);
        } else {
            GodelFact.CheckpointUpserted seen = objects.checkpoint();
            onUpsert("checkpoint" + seen.object().uid(), seen);
        }
    }

    private void nodeOrReturnRequest() {
        if (dice.nextBoolean()) {
            String uid = "n" + dice.nextInt(3);
            present.remove("node" + uid);
            deliver(new Fact.NodeDeleted(new NodeUid(uid)));
        } else {
            GodelFact.RequestUpserted seen = objects.petition();
            onUpsert("petition" + seen.request().uid(), seen);
        }
    }

    private void upsert(Fact fact) {
        if (fact instanceof Fact.NodeUpserted node) {
            onUpsert("node" + node.node().uid(), fact);
        } else if (fact instanceof Fact.PodUpserted pod) {
            pods.put(pod.pod().uid(), pod.pod());
            onUpsert("pod" + pod.pod().uid(), fact);
        } else if (fact instanceof GodelFact.ReservationUpserted place) {
            onUpsert("placeholder" + place.reservation().uid(), fact);
        } else if (fact instanceof ReservationFact.Upserted reservation) {
            onUpsert("reservation" + reservation.reservation().uid(), fact);
        }
    }

    private void onUpsert(String object, Fact fact) {
        present.put(object, fact);
        deliver(fact);
    }

    private void onDelete(String kind, String uid, Function<String, Fact> end) {
        present.remove(kind + uid);
        deliver(end.apply(uid));
    }

    private void deletePod(PodUid uid) {
        pods.remove(uid);
        present.remove("pod" + uid);
        deliver(new Fact.PodDeleted(uid));
    }

    private void deliver(Fact fact) {
        log.add(fact instanceof Fact.PodUpserted seen ? podFuzzer.describe(seen.pod()) : fact.toString());
        scheduler.apply(fact, dice.now());
    }

    private void reserve() {
        List<ReserveRequest.PodAssignment> podAssignments = new ArrayList<>();
        for (int i = dice.nextInt(3); i >= 0; i--) {
            podAssignments.add(new ReserveRequest.PodAssignment(podFuzzer.pod().pod(), "n" + dice.nextInt(4)));
        }
        ReserveRequest request =
                new ReserveRequest(dice.one("batch", "", "a/b", AllDoorsCluster.SCHEDULER), podAssignments);
        boolean heard = dice.nextBoolean();
        boolean back = dice.oneIn(3);
        log.add((back ? "unreserve " : "reserve ") + request);
        scheduler.callDoor(Origin.DoorId.GLOBALRESERVE, dice.now(), (door, handle) -> {
            if (back) {
                ((GlobalReserveDoor) door).unreserve(request, handle);
            } else {
                ((GlobalReserveDoor) door).reserve(request, handle, answer -> heard);
            }
            return true;
        });
    }

    private void runTurn() {
        scheduler.advance(dice.now());
        scheduler.reconcileComponents(dice.now(), dice.oneIn(4) ? () -> true : TimeBudget.UNBOUNDED);
        inFlight.addAll(scheduler.drainEffects());
        for (Optional<List<Effect>> next = scheduler.scheduleOne(dice.now());
                next.isPresent();
                next = scheduler.scheduleOne(dice.now())) {
            inFlight.addAll(next.get());
        }
        inFlight.addAll(scheduler.drainEffects());
        while (!inFlight.isEmpty() && dice.nextInt(5) > 0) {
            answer(inFlight.remove(dice.nextInt(inFlight.size())));
        }
        assertThat(Invariants.check(scheduler.ledger().snapshot())).isEmpty();
        assertThat(Invariants.checkRebuilt(scheduler.ledger().snapshot())).isEmpty();
    }

    private void answer(Effect effect) {
        if (effect instanceof Effect.Bind bind) {
            answer(bind);
        } else if (effect instanceof Effect.Write write) {
            WriteResult.ResultKind kind = dice.one(WriteResult.ResultKind.values());
            log.add("answer %s %s".formatted(kind, write));
            scheduler.onWriteResult(write, new WriteResult(kind, "words"), dice.now());
        }
    }

    private void answer(Effect.Bind bind) {
        Optional<Pod> waiting = Optional.ofNullable(pods.get(bind.pod().uid())).filter(Pod::awaitsBinding);
        if (waiting.isEmpty() || dice.oneIn(4)) {
            log.add("not bound " + bind);
            scheduler.onBindFailed(bind, Optional.empty(), dice.now());
            return;
        }
        Map<String, String> annotations =
                new TreeMap<>(waiting.get().annotations().toMap());
        annotations.putAll(bind.annotations());
        upsert(new Fact.PodUpserted(waiting.get().boundTo(bind.node()).toBuilder()
                .annotations(Labels.of(annotations))
                .build()));
        scheduler.onBound(bind);
    }
}
