package dev.berth.core.door.together;

import static dev.berth.core.testing.PodBuilder.aPod;

import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Fact;
import dev.berth.core.door.comeback.Words;
import dev.berth.core.door.device.DeviceClaim;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.testing.PodBuilder;
import java.util.Map;
import java.util.Optional;

/** Pods with annotations, labels and controllers as a tenant may write them. */
final class HostilePods {
    private final HostileDice dice;
    private final HostileDevices devices;
    private final Map<PodUid, Pod> known;
    private final HostileTerms terms;

    HostilePods(HostileDice dice, HostileDevices devices, Map<PodUid, Pod> known) {
        this.dice = dice;
        this.devices = devices;
        this.known = known;
        this.terms = new HostileTerms(dice);
    }

    Fact.PodSeen pod() {
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
        return new Fact.PodSeen(pod.build());
    }

    private void end(PodBuilder pod) {
        if (dice.oneIn(4)) {
            pod.terminating().with(it -> it.deletion(Optional.of(dice.now().plusSeconds(dice.nextInt(60) - 30))));
        }
        if (dice.oneIn(6)) {
            pod.in(dice.one(Phase.SUCCEEDED, Phase.FAILED));
        }
        if (dice.oneIn(8)) {
            pod.with(it -> it.nominatedNode(Optional.of("n" + dice.nextInt(3))));
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
            pod.annotated(Words.RESERVATION, dice.one("true", "false", "?"));
            pod.annotated(ReturnKey.INDEX, dice.one("i", "j", "", " ", "/"));
        }
        if (dice.oneIn(3)) {
            pod.annotated(Words.TTL, dice.one("5", "0", "-1", "9223372036", "9223372037", "", " ", "1e3"));
        }
        if (dice.oneIn(3)) {
            pod.annotated(Claim.ANNOTATION, dice.one(dice.hold(), dice.hold(), "", " "));
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

    String words(Pod pod) {
        return "pod %s %s %s on %s terminating %s %s"
                .formatted(
                        pod, pod.annotations(), pod.shape().requests(), pod.nodeName(), pod.terminating(), pod.phase());
    }
}
