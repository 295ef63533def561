package dev.berth.core.door.together;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Pace;
import dev.berth.core.door.annotation.NodeReserves;
import dev.berth.core.door.comeback.ComebackFact;
import dev.berth.core.door.device.DeviceFact;
import dev.berth.core.door.reservation.ReservationFact;
import dev.berth.core.door.reserve.HoldFact;
import dev.berth.core.door.reserve.ReserveDoor;
import dev.berth.core.door.reserve.ReserveRequest;
import dev.berth.core.door.reserve.ReserveSettings;
import dev.berth.core.hold.Origin;
import dev.berth.core.invariant.Invariants;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Facts that nothing checked before, to all doors, drawn by a seed; binds and writes are answered in any way. */
final class HostileHistory {

    private final HostileDice dice;
    private final HostileObjects objects;
    private final HostileDevices devices;
    private final HostilePods hostilePods;
    private final Map<PodUid, Pod> pods = new TreeMap<>();
    /** What a list would show, by object. */
    private final Map<String, Fact> present = new TreeMap<>();

    private final List<Effect> underWay = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private Decider decider = Cluster.decider(ReserveSettings.DEFAULT);

    HostileHistory(long seed) {
        this.dice = new HostileDice(seed);
        this.objects = new HostileObjects(dice);
        this.devices = new HostileDevices(dice);
        this.hostilePods = new HostilePods(dice, devices, pods);
    }

    List<String> log() {
        return log;
    }

    /** One thing is told, and mostly a turn follows. */
    void next() {
        act();
        if (dice.nextInt(3) > 0) {
            turn();
        }
    }

    /** The process is killed, and the next one reads everything that is there. */
    void restart() {
        log.add("restart");
        decider = Cluster.decider(ReserveSettings.DEFAULT);
        underWay.clear();
        present.values().forEach(this::tell);
        turn();
        dice.pass(120);
        turn();
    }

    private void act() {
        switch (dice.nextInt(20)) {
            case 0 -> see(objects.node());
            case 1, 2, 3, 4 -> see(hostilePods.pod());
            case 5 -> goes(new PodUid("p" + dice.nextInt(5)));
            case 6, 7, 8 -> see(objects.placeholder());
            case 9 -> gone("placeholder", "uid-g" + dice.nextInt(4), ComebackFact.PlaceholderGone::new);
            case 10, 11 -> see(objects.reservation());
            case 12 -> reservationOrHold();
            case 13 -> deviceOrClaim();
            case 14 -> checkpoint();
            case 15 -> seen("reserves", new NodeReserves(new NodeUid("n1"), "n1", objects.kept(), List.of()));
            case 16 -> log.add("pass " + dice.pass(40));
            case 17 -> reserve();
            case 18 -> nodeOrPetition();
            default -> {
                if (dice.oneIn(4)) {
                    tell(new Fact.DeletionsReplayed());
                }
            }
        }
    }

    private void reservationOrHold() {
        switch (dice.nextInt(3)) {
            case 0 -> gone("reservation", "r" + dice.nextInt(3), ReservationFact.Gone::new);
            case 1 -> gone("hold", "h" + dice.nextInt(3), HoldFact.Gone::new);
            default -> {
                HoldFact fact = objects.hold();
                seen("hold" + objects.name(), fact);
            }
        }
    }

    private void deviceOrClaim() {
        switch (dice.nextInt(6)) {
            case 0 -> gone("device", "d" + dice.nextInt(3), DeviceFact.DeviceGone::new);
            case 1 -> gone("claim", "c" + (1 + dice.nextInt(2)), DeviceFact.ClaimGone::new);
            case 2, 3 -> {
                DeviceFact.DeviceSeen seen = devices.device();
                seen("device" + seen.device().ref().uid(), seen);
            }
            default -> {
                DeviceFact.ClaimSeen seen = devices.claim();
                seen("claim" + seen.claim().ref().uid(), seen);
            }
        }
    }

    private void checkpoint() {
        if (dice.oneIn(6)) {
            gone("checkpoint", "c" + dice.nextInt(3), ComebackFact.CheckpointGone::new);
        } else {
            ComebackFact.CheckpointSeen seen = objects.checkpoint();
            seen("checkpoint" + seen.object().uid(), seen);
        }
    }

    private void nodeOrPetition() {
        if (dice.nextBoolean()) {
            String uid = "n" + dice.nextInt(3);
            present.remove("node" + uid);
            tell(new Fact.NodeGone(new NodeUid(uid)));
        } else {
            ComebackFact.PetitionSeen seen = objects.petition();
            seen("petition" + seen.petition().uid(), seen);
        }
    }

    private void see(Fact fact) {
        if (fact instanceof Fact.NodeSeen node) {
            seen("node" + node.node().uid(), fact);
        } else if (fact instanceof Fact.PodSeen pod) {
            pods.put(pod.pod().uid(), pod.pod());
            seen("pod" + pod.pod().uid(), fact);
        } else if (fact instanceof ComebackFact.PlaceholderSeen place) {
            seen("placeholder" + place.placeholder().uid(), fact);
        } else if (fact instanceof ReservationFact.Seen reservation) {
            seen("reservation" + reservation.reservation().uid(), fact);
        }
    }

    private void seen(String object, Fact fact) {
        present.put(object, fact);
        tell(fact);
    }

    private void gone(String kind, String uid, Function<String, Fact> end) {
        present.remove(kind + uid);
        tell(end.apply(uid));
    }

    private void goes(PodUid uid) {
        pods.remove(uid);
        present.remove("pod" + uid);
        tell(new Fact.PodGone(uid));
    }

    private void tell(Fact fact) {
        log.add(fact instanceof Fact.PodSeen seen ? hostilePods.words(seen.pod()) : fact.toString());
        decider.learn(fact, dice.now());
    }

    private void reserve() {
        List<ReserveRequest.Seat> seats = new ArrayList<>();
        for (int i = dice.nextInt(3); i >= 0; i--) {
            seats.add(new ReserveRequest.Seat(hostilePods.pod().pod(), "n" + dice.nextInt(4)));
        }
        ReserveRequest request = new ReserveRequest(dice.one("batch", "", "a/b", Cluster.SCHEDULER), seats);
        boolean heard = dice.nextBoolean();
        boolean back = dice.oneIn(3);
        log.add((back ? "unreserve " : "reserve ") + request);
        decider.ask(Origin.Door.RESERVE, dice.now(), (door, desk) -> {
            if (back) {
                ((ReserveDoor) door).unreserve(request, desk);
            } else {
                ((ReserveDoor) door).reserve(request, desk, answer -> heard);
            }
            return true;
        });
    }

    private void turn() {
        decider.advance(dice.now());
        decider.settle(dice.now(), dice.oneIn(4) ? () -> true : Pace.UNBOUNDED);
        underWay.addAll(decider.takeEffects());
        for (Optional<List<Effect>> next = decider.next(dice.now());
                next.isPresent();
                next = decider.next(dice.now())) {
            underWay.addAll(next.get());
        }
        underWay.addAll(decider.takeEffects());
        while (!underWay.isEmpty() && dice.nextInt(5) > 0) {
            answer(underWay.remove(dice.nextInt(underWay.size())));
        }
        assertThat(Invariants.check(decider.ledger().snapshot())).isEmpty();
        assertThat(Invariants.rebuilt(decider.ledger().snapshot())).isEmpty();
    }

    private void answer(Effect effect) {
        if (effect instanceof Effect.Bind bind) {
            answer(bind);
        } else if (effect instanceof Effect.Write write) {
            Outcome.Kind kind = dice.one(Outcome.Kind.values());
            log.add("answer %s %s".formatted(kind, write));
            decider.written(write, new Outcome(kind, "words"), dice.now());
        }
    }

    private void answer(Effect.Bind bind) {
        Optional<Pod> waiting = Optional.ofNullable(pods.get(bind.pod().uid())).filter(Pod::waits);
        if (waiting.isEmpty() || dice.oneIn(4)) {
            log.add("not bound " + bind);
            decider.notBound(bind, Optional.empty(), dice.now());
            return;
        }
        Map<String, String> annotations =
                new TreeMap<>(waiting.get().annotations().toMap());
        annotations.putAll(bind.annotations());
        see(new Fact.PodSeen(waiting.get().on(bind.node()).toBuilder()
                .annotations(Labels.of(annotations))
                .build()));
        decider.bound(bind);
    }
}
