package dev.berth.core.door.alldoors;

import static dev.berth.core.testing.PodBuilder.aPod;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.devices.DeviceClaim;
import dev.berth.core.door.godel.GodelAnnotations;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.hold.ReservationRecord;
import dev.berth.core.testing.PodBuilder;
import java.util.Map;
import java.util.Optional;

/** Pods with annotations, labels and controllers as a tenant may write them. */
final class PodFuzzer {
    private final FuzzRandom dice;
    private final DeviceFuzzer devices;
    private final Map<PodUid, Pod> known;
    private final PodConstraintFuzzer terms;

    PodFuzzer(FuzzRandom dice, DeviceFuzzer devices, Map<PodUid, Pod> known) {
        this.dice = dice;
        this.devices = devices;
        this.known = known;
        this.terms = new PodConstraintFuzzer(dice);
    }

    Fact.PodUpserted pod() {
        String name = "p" + dice.nextInt(5);
        PodBuilder pod = aPod(name).labelled("app", dice.one("a", "b")).asking(dice.amount());
        pod.ofPriority(dice.nextInt(3));
        Optional<String> node = Optional.ofNullable(known.get(new PodUid(name))).flatMap(Pod::nodeName);
        if (node.isPresent()) {
            pod.on(node.get());
        } else if (dice.oneIn(3)) {
            pod.on("n" + dice.nextInt(3));
        }
        end(pod);
        annotate(pod);
        if (dice.oneIn(4)) {
            terms.addTo(pod);
        }
        if (dice.oneIn(4)) {
            terms.addReservationConstraints(pod);
        }
        if (dice.oneIn(6)) {
            pod.ignoringReservations();
        }
        return new Fact.PodUpserted(pod.build());
    }

    private void end(PodBuilder pod) {
        if (dice.oneIn(4)) {
            pod.terminating()
                    .with(it -> it.deletionTimestamp(Optional.of(dice.now().plusSeconds(dice.nextInt(60) - 30))));
        }
        if (dice.oneIn(6)) {
            pod.in(dice.one(PodPhase.SUCCEEDED, PodPhase.FAILED));
        }
        if (dice.oneIn(8)) {
            pod.with(it -> it.nominatedNodeName(Optional.of("n" + dice.nextInt(3))));
        }
        if (dice.oneIn(8)) {
            pod.with(it -> it.preempted(true));
        }
        if (dice.oneIn(4)) {
            pod.withHostPort(80);
        }
        if (dice.oneIn(3)) {
            pod.ownedBy(
                    dice.one("ReplicaSet/a-1", "StatefulSet/s", "StatefulSetExtension/x", "ReplicaSet/", "/"),
                    dice.one("rs-a", "", "u"));
        }
    }

    private void annotate(PodBuilder pod) {
        if (dice.nextBoolean()) {
            pod.annotated(GodelAnnotations.RESERVATION, dice.one("true", "false", "?"));
            pod.annotated(GodelAnnotations.INDEX, dice.one("i", "j", "", " ", "/"));
        }
        if (dice.oneIn(3)) {
            pod.annotated(GodelAnnotations.TTL, dice.one("5", "0", "-1", "9223372036", "9223372037", "", " ", "1e3"));
        }
        if (dice.oneIn(3)) {
            pod.annotated(Claim.ANNOTATION, dice.one(dice.hold(), dice.hold(), "", " "));
        }
        if (dice.oneIn(4)) {
            pod.annotated(
                    ReservationRecord.ANNOTATION,
                    dice.one(
                            ReservationRecord.valueOf("r", dice.hold().replace("koordinator/", "")),
                            "{}",
                            "",
                            "{\"uid\":\"\"}",
                            "{\"uid\" : \"u\""));
        }
        if (dice.oneIn(4)) {
            pod.annotated(
                    Claim.DRAWING_HOLDS,
                    dice.one(",", dice.hold() + ",", "," + dice.hold(), dice.hold() + "," + dice.hold()));
        }
        if (dice.oneIn(4)) {
            pod.annotated(DeviceUse.ANNOTATION, devices.record());
        }
        if (dice.oneIn(4)) {
            pod.annotated(DeviceClaim.ANNOTATION, devices.named());
        }
    }

    String describe(Pod pod) {
        return "pod %s %s %s %s on %s terminating %s %s"
                .formatted(
                        pod,
                        pod.labels(),
                        pod.annotations(),
                        pod.spec().requests(),
                        pod.nodeName(),
                        pod.terminating(),
                        pod.phase());
    }
}
