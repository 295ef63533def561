package dev.berth.core.door.together;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Taint;
import dev.berth.core.decision.Fact;
import dev.berth.core.door.comeback.CheckpointObject;
import dev.berth.core.door.comeback.CheckpointedPod;
import dev.berth.core.door.comeback.ComebackFact;
import dev.berth.core.door.comeback.Petition;
import dev.berth.core.door.comeback.Placeholder;
import dev.berth.core.door.reservation.Condition;
import dev.berth.core.door.reservation.CurrentOwner;
import dev.berth.core.door.reservation.Reservation;
import dev.berth.core.door.reservation.ReservationFact;
import dev.berth.core.door.reservation.Status;
import dev.berth.core.door.reservation.Terms;
import dev.berth.core.door.reserve.HoldFact;
import dev.berth.core.door.reserve.HoldSpec;
import dev.berth.core.door.reserve.Place;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Owner;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.NodeBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Nodes and the objects that hold places, as any program may write them. */
final class HostileObjects {
    private static final Instant FAR = HostileDice.FAR;

    private final HostileDice dice;
    private String name = "";

    HostileObjects(HostileDice dice) {
        this.dice = dice;
    }

    Fact.NodeSeen node() {
        NodeBuilder node = aNode("n" + dice.nextInt(3)).with(1 + dice.nextInt(8) + " cpu", dice.nextInt(6) + " pods");
        if (dice.oneIn(5)) {
            node.uid("other" + dice.nextInt(2));
        }
        if (dice.oneIn(5)) {
            node.unschedulable();
        }
        if (dice.oneIn(3)) {
            node.labelled(dice.one("rack", "kubernetes.io/hostname", "k1"), dice.one("a", "b"));
        }
        if (dice.oneIn(4)) {
            node.with(dice.one("0", "1Gi", "100Pi", "1Ei", "7Ei", "9223372036854775807") + " memory");
        }
        return new Fact.NodeSeen(
                node.created(dice.now().minusSeconds(dice.nextInt(5))).build());
    }

    Map<String, Resources> kept() {
        return dice.nextBoolean() ? Map.of() : Map.of("rs-a", dice.amount(), dice.one("", "/", "u"), dice.amount());
    }

    ComebackFact.PetitionSeen petition() {
        return new ComebackFact.PetitionSeen(new Petition(
                "default",
                dice.one("a", "b"),
                "d" + dice.nextInt(2),
                dice.one("true", "", "yes"),
                dice.one("", "5", "-1", "99999999999999999999")));
    }

    ComebackFact.PlaceholderSeen placeholder() {
        String its = "g" + dice.nextInt(4);
        String left = dice.one("", " ", "/", "a/ ", "a/b", "u1", "u2", "p1", "p2");
        Placeholder.Builder it = Placeholder.builder(
                        "default", its, "uid-" + its, dice.now().minusSeconds(dice.nextInt(30)))
                .key(dice.one("i", "j", "", " "))
                .podUid(left)
                .nodeUid(dice.one("", " ", "n1", "other0"))
                .node(dice.one("", "n0", "n1", "n1", "n2", "nowhere"))
                .ttl(dice.one(
                        Optional.empty(),
                        Optional.of(0L),
                        Optional.of(-1L),
                        Optional.of(10L),
                        Optional.of(Long.MAX_VALUE),
                        Optional.of(Long.MIN_VALUE)))
                .size(dice.amount().plus(Resources.of(ResourceName.PODS, 1)))
                .phase(dice.one("", "", "", "Matched", "TimeOut", "x"))
                .problem(dice.oneIn(6) ? "no sense" : "")
                .statefulSet(dice.one("", "s"))
                .statefulSetUid(dice.one("", "s"))
                .terminating(dice.oneIn(6));
        if (dice.nextBoolean()) {
            it.draw(Optional.of(Draw.forSuccessorOf(
                    aPod("successor")
                            .labelled("app", dice.one("a", "b"))
                            .annotated(ReturnKey.INDEX, "i")
                            .build(),
                    dice.oneIn(4) ? new HoldId("return/default/" + its + "/" + left) : dice.holdId())));
        }
        if (dice.oneIn(4)) {
            it.took(Optional.of(new Placeholder.Took(dice.holdId(), "p1")));
        }
        return new ComebackFact.PlaceholderSeen(it.build());
    }

    ReservationFact.Seen reservation() {
        String its = "r" + dice.nextInt(3);
        Optional<Terms> terms = dice.oneIn(6) ? Optional.empty() : Optional.of(terms());
        return new ReservationFact.Seen(new Reservation(
                its,
                its,
                dice.version(),
                dice.now(),
                dice.oneIn(6),
                terms.map(known -> known.template().schedulerName()).orElse(dice.one("default-scheduler", "other", "")),
                terms,
                terms.isPresent() ? "" : "senseless",
                dice.oneIn(3) ? Status.NEW : status()));
    }

    private Terms terms() {
        Terms.Template template = new Terms.Template(
                "default",
                Labels.of("app", "a"),
                PodShape.builder().requests(dice.amount()).build(),
                dice.oneIn(4) ? Optional.of("n" + dice.nextInt(4)) : Optional.empty(),
                dice.one("default-scheduler", "other", ""),
                dice.one(0, Integer.MAX_VALUE, Integer.MIN_VALUE));
        Owner owner = new Owner(
                Optional.empty(),
                Optional.empty(),
                Optional.of(LabelSelector.of(Labels.of("app", dice.one("a", "b")))));
        return new Terms(
                template,
                List.of(owner),
                dice.nextBoolean(),
                dice.oneIn(3),
                dice.one(
                        Optional.empty(),
                        Optional.of(dice.now().plusSeconds(20)),
                        Optional.of(dice.now().minusSeconds(5)),
                        Optional.of(FAR)),
                dice.oneIn(5),
                dice.oneIn(5) ? List.of(new Taint("k", "", Taint.Effect.NO_SCHEDULE)) : List.of());
    }

    private Status status() {
        Condition condition = new Condition(
                dice.one(Condition.Type.values()),
                dice.nextBoolean(),
                dice.one("", "Available", "SchedulerNotServed"),
                "m",
                dice.now(),
                dice.one(Instant.EPOCH, dice.now(), FAR));
        CurrentOwner owner = new CurrentOwner("default", "p1", dice.one("", " ", "/", "p1", "p2", "nobody"));
        return new Status(
                dice.one(Status.Phase.values()),
                dice.one("", "n0", "n1", "n2", "nowhere"),
                dice.amount(),
                dice.amount(),
                dice.nextBoolean() ? List.of() : List.of(owner),
                dice.nextBoolean() ? List.of() : List.of(condition));
    }

    /** The name of the latest Hold object. */
    String name() {
        return name;
    }

    HoldFact hold() {
        name = "h" + dice.nextInt(3);
        if (dice.oneIn(5)) {
            return new HoldFact.Malformed(name, name, "senseless");
        }
        List<Place> places = new ArrayList<>();
        for (int i = dice.nextInt(3); i >= 0; i--) {
            places.add(new Place(
                    new Place.Guest(new PodUid("p" + dice.nextInt(5)), "default", "p"),
                    new Place.Host(new NodeUid("n" + dice.nextInt(3)), dice.one("", " ", "n0", "n1", "n2")),
                    dice.amount(),
                    List.of()));
        }
        Instant now = dice.now();
        return new HoldFact.Seen(
                name,
                name + (dice.oneIn(6) ? "other" : ""),
                new HoldSpec(
                        dice.one("", "batch", "a/b"),
                        dice.one(now, Instant.EPOCH, now.plusSeconds(100_000)),
                        dice.one(now.plusSeconds(10), now.minusSeconds(10), Instant.EPOCH, FAR),
                        places));
    }

    ComebackFact.CheckpointSeen checkpoint() {
        Map<PodUid, CheckpointedPod> entries = new TreeMap<>();
        for (int i = dice.nextInt(3); i > 0; i--) {
            CheckpointedPod entry = entry(new PodUid("p" + dice.nextInt(7)));
            entries.put(entry.uid(), entry);
        }
        return new ComebackFact.CheckpointSeen(new CheckpointObject(
                dice.one("return-0", "return-1", "return-00", "return-999999", "x"),
                "c" + dice.nextInt(3),
                dice.nextInt(5),
                entries));
    }

    private CheckpointedPod entry(PodUid uid) {
        return new CheckpointedPod(
                uid,
                "default",
                uid.value(),
                "n" + dice.nextInt(3),
                dice.one("", " ", "n1"),
                dice.one("i", "j"),
                Duration.ofSeconds(dice.one(1L, 60L, 9_223_372_036L)),
                dice.amount(),
                List.of(),
                dice.one("default-scheduler", ""),
                0,
                CheckpointedPod.Controller.NONE,
                dice.one("", ",", dice.hold(), dice.hold() + "," + dice.hold()),
                dice.one(List.of(), List.of(" ", ""), List.of("d1")),
                dice.nextBoolean(),
                dice.one("", " ", "r1"),
                Labels.NONE,
                List.of());
    }
}
