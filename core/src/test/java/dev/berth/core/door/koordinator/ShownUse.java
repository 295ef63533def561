package dev.berth.core.door.koordinator;

import static dev.berth.core.testing.Amounts.amounts;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Which pods use which Reservation, by what the API server shows and not by the ledger. */
final class ShownUse {
    private final KoordinatorScene scene;

    ShownUse(KoordinatorScene scene) {
        this.scene = scene;
    }

    /** The pods on nodes whose record names the Reservation. */
    List<Pod> users(Reservation reservation) {
        return scene.pods().stream()
                .filter(pod -> pod.nodeName().isPresent() && !pod.phase().isTerminal())
                .filter(pod -> pod.annotations()
                        .has(Claim.ANNOTATION, reservation.holdId().value()))
                .sorted(Comparator.comparing(Pod::uid))
                .toList();
    }

    /**
     * The pods that use it, and the running pods that it takes over by its status. If its place was lost and found again,
     * it may take over a pod that had used it.
     */
    List<Pod> usersAndTakenOver(Reservation reservation) {
        List<Pod> all = new ArrayList<>(users(reservation));
        Set<PodUid> takenOver = PreAllocatedCondition.podsIn(reservation.status());
        scene.pods().stream()
                .filter(pod -> takenOver.contains(pod.uid()) && !pod.phase().isTerminal())
                .filter(pod -> !all.contains(pod))
                .forEach(all::add);
        all.sort(Comparator.comparing(Pod::uid));
        return all;
    }

    /** The same pods, if they are on the node that the status names. */
    List<Pod> presentUsers(Reservation reservation) {
        return usersAndTakenOver(reservation).stream()
                .filter(pod -> pod.nodeName()
                        .filter(reservation.status().nodeName()::equals)
                        .isPresent())
                .toList();
    }

    /** What the status promises beyond what these pods use. */
    Resources left(Reservation reservation, List<Pod> users) {
        return reservation.status().allocatable().minus(requests(users)).atLeastZero();
    }

    /** With one pod slot for each pod. */
    static Resources requests(List<Pod> pods) {
        Resources sum = Resources.NONE;
        for (Pod pod : pods) {
            sum = sum.plus(pod.spec().requests()).plus(amounts("1 pods"));
        }
        return sum;
    }
}
