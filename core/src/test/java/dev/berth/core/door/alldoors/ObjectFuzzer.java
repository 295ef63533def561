package dev.berth.core.door.alldoors;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Taint;
import dev.berth.core.door.globalreserve.ReservedPlace;
import dev.berth.core.door.globalreserve.StoredHoldFact;
import dev.berth.core.door.globalreserve.StoredHoldSpec;
import dev.berth.core.door.godel.CheckpointObject;
import dev.berth.core.door.godel.CheckpointedPod;
import dev.berth.core.door.godel.GodelAnnotations;
import dev.berth.core.door.godel.GodelFact;
import dev.berth.core.door.godel.GodelReservation;
import dev.berth.core.door.godel.ReservationRequest;
import dev.berth.core.door.koordinator.CurrentOwner;
import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.door.koordinator.ReservationAllocation;
import dev.berth.core.door.koordinator.ReservationCondition;
import dev.berth.core.door.koordinator.ReservationFact;
import dev.berth.core.door.koordinator.ReservationSpec;
import dev.berth.core.door.koordinator.ReservationStatus;
import dev.berth.core.door.koordinator.preallocation.PreAllocation;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Owner;
import dev.berth.core.hold.ReservationInfo;
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
final class ObjectFuzzer {
    private static final Instant FAR = FuzzRandom.FAR;

    private final FuzzRandom dice;
    private String name = "";

    ObjectFuzzer(FuzzRandom dice) {
        this.dice = dice;
    }

    Fact.NodeUpserted node() {
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
        return new Fact.NodeUpserted(
                node.created(dice.now().minusSeconds(dice.nextInt(5))).build());
    }

    Map<String, Resources> kept() {
        return dice.nextBoolean() ? Map.of() : Map.of("rs-a", dice.amount(), dice.one("", "/", "u"), dice.amount());
    }

    GodelFact.RequestUpserted petition() {
        return new GodelFact.RequestUpserted(new ReservationRequest(
                "default",
                dice.one("a", "b"),
                "d" + dice.nextInt(2),
                dice.one("true", "", "yes"),
                dice.one("", "5", "-1", "99999999999999999999")));
    }

    GodelFact.ReservationUpserted placeholder() {
        String its = "g" + dice.nextInt(4);
        String left = dice.one("", " ", "/", "a/ ", "a/b", "u1", "u2", "p1", "p2");
        GodelReservation.Builder it = GodelReservation.builder(
                        "default", its, "uid-" + its, dice.now().minusSeconds(dice.nextInt(30)))
                .key(dice.one("i", "j", "", " "))
                .originalPodUid(left)
                .nodeUid(dice.one("", " ", "n1", "other0"))
                .nodeName(dice.one("", "n0", "n1", "n1", "n2", "nowhere"))
                .ttlSeconds(dice.one(
                        Optional.empty(),
                        Optional.of(0L),
                        Optional.of(-1L),
                        Optional.of(10L),
                        Optional.of(Long.MAX_VALUE),
                        Optional.of(Long.MIN_VALUE)))
                .size(dice.amount().plus(Resources.of(ResourceName.PODS, 1)))
                .phase(dice.one("", "", "", "Matched", "TimeOut", "x"))
                .problem(dice.oneIn(6) ? "no sense" : "")
                .statefulSetName(dice.one("", "s"))
                .statefulSetUid(dice.one("", "s"))
                .terminating(dice.oneIn(6));
        if (dice.nextBoolean()) {
            it.draw(Optional.of(Draw.forSuccessorOf(
                    aPod("successor")
                            .labelled("app", dice.one("a", "b"))
                            .annotated(GodelAnnotations.INDEX, "i")
                            .build(),
                    dice.oneIn(4) ? new HoldId("godel/default/" + its + "/" + left) : dice.holdId())));
        }
        if (dice.oneIn(4)) {
            it.claimedHold(Optional.of(new GodelReservation.ClaimedHold(dice.holdId(), "p1")));
        }
        return new GodelFact.ReservationUpserted(it.build());
    }

    ReservationFact.Upserted reservation() {
        String its = "r" + dice.nextInt(3);
        Optional<ReservationSpec> reservationSpec = dice.oneIn(6) ? Optional.empty() : Optional.of(reservationSpec());
        return new ReservationFact.Upserted(new Reservation(
                its,
                its,
                dice.version(),
                dice.now(),
                dice.oneIn(6),
                reservationSpec
                        .map(known -> known.template().schedulerName())
                        .orElse(dice.one("default-scheduler", "other", "")),
                reservationSpec,
                reservationSpec.isPresent() ? "" : "senseless",
                dice.oneIn(3) ? ReservationStatus.ABSENT : status()));
    }

    private ReservationSpec reservationSpec() {
        ReservationSpec.Template template = new ReservationSpec.Template(
                "default",
                Labels.of("app", "a"),
                PodSpec.builder().requests(dice.amount()).build(),
                dice.oneIn(4) ? Optional.of("n" + dice.nextInt(4)) : Optional.empty(),
                dice.one("default-scheduler", "other", ""),
                dice.one(0, Integer.MAX_VALUE, Integer.MIN_VALUE));
        Owner owner = Owner.ofLabels(LabelSelector.of(Labels.of("app", dice.one("a", "b"))));
        return new ReservationSpec(
                template,
                List.of(owner),
                dice.nextBoolean(),
                dice.oneIn(3) ? ReservationAllocation.RESTRICTED : ReservationAllocation.ALIGNED,
                dice.one(
                        Optional.empty(),
                        Optional.of(dice.now().plusSeconds(20)),
                        Optional.of(dice.now().minusSeconds(5)),
                        Optional.of(FAR)),
                dice.oneIn(5),
                dice.oneIn(5) ? List.of(new Taint("k", "", Taint.TaintEffect.NO_SCHEDULE)) : List.of(),
                dice.one(
                        Labels.NONE,
                        Labels.of("team", "x"),
                        Labels.of(ReservationInfo.ORDER_LABEL, dice.one("1", "-1", "x", "99999999999999999999"))),
                dice.oneIn(3)
                        ? Optional.of(new PreAllocation(
                                dice.one(PreAllocation.Mode.values()), dice.nextBoolean(), dice.nextBoolean()))
                        : Optional.empty());
    }

    private ReservationStatus status() {
        ReservationCondition condition = new ReservationCondition(
                dice.one(ReservationCondition.Type.values()),
                dice.nextBoolean(),
                dice.one("", "Available", "SchedulerNotServed"),
                "m",
                dice.now(),
                dice.one(Instant.EPOCH, dice.now(), FAR));
        CurrentOwner owner = new CurrentOwner("default", "p1", dice.one("", " ", "/", "p1", "p2", "nobody"));
        return new ReservationStatus(
                dice.one(ReservationStatus.ReservationPhase.values()),
                dice.one("", "n0", "n1", "n2", "nowhere"),
                dice.amount(),
                dice.amount(),
                dice.nextBoolean() ? List.of() : List.of(owner),
                dice.nextBoolean() ? List.of() : List.of(condition));
    }

    /** The name of the latest StoredHold object. */
    String name() {
        return name;
    }

    StoredHoldFact hold() {
        name = "h" + dice.nextInt(3);
        if (dice.oneIn(5)) {
            return new StoredHoldFact.Malformed(name, name, "senseless");
        }
        List<ReservedPlace> places = new ArrayList<>();
        for (int i = dice.nextInt(3); i >= 0; i--) {
            places.add(new ReservedPlace(
                    new ReservedPlace.PodIdentity(new PodUid("p" + dice.nextInt(5)), "default", "p"),
                    new ReservedPlace.NodeIdentity(
                            new NodeUid("n" + dice.nextInt(3)), dice.one("", " ", "n0", "n1", "n2")),
                    dice.amount(),
                    List.of()));
        }
        Instant now = dice.now();
        return new StoredHoldFact.Upserted(
                name,
                name + (dice.oneIn(6) ? "other" : ""),
                new StoredHoldSpec(
                        dice.one("", "batch", "a/b"),
                        dice.one(now, Instant.EPOCH, now.plusSeconds(100_000)),
                        dice.one(now.plusSeconds(10), now.minusSeconds(10), Instant.EPOCH, FAR),
                        places));
    }

    GodelFact.CheckpointUpserted checkpoint() {
        Map<PodUid, CheckpointedPod> entries = new TreeMap<>();
        for (int i = dice.nextInt(3); i > 0; i--) {
            CheckpointedPod entry = entry(new PodUid("p" + dice.nextInt(7)));
            entries.put(entry.uid(), entry);
        }
        return new GodelFact.CheckpointUpserted(new CheckpointObject(
                dice.one("godel-0", "godel-1", "godel-00", "godel-999999", "x"),
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
