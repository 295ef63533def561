package dev.berth.core.decision;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placement;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What doors seek places for, which no API server knows as pods. They stand in the queue among the pods. */
final class Seekers {
    private final Office office;
    private final Map<PodUid, Seeker> seekers = new HashMap<>();

    private record Seeker(DoorDesk desk, Pod pod) {}

    Seekers(Office office) {
        this.office = office;
    }

    void seek(DoorDesk desk, Pod pod, Instant now) {
        Seeker before = seekers.put(pod.uid(), new Seeker(desk, pod));
        office.queue().offer(pod, now);
        if (before != null && !before.pod.equals(pod)) {
            office.queue().reconsider(pod.uid(), now);
        }
    }

    void stop(PodUid uid) {
        if (seekers.remove(uid) != null) {
            office.queue().remove(uid);
        }
    }

    Optional<Pod> find(PodUid uid) {
        Seeker seeker = seekers.get(uid);
        return seeker == null ? Optional.empty() : Optional.of(seeker.pod);
    }

    boolean has(PodUid uid) {
        return seekers.containsKey(uid);
    }

    /** Seeks a place without anybody's hold, and has the door hear what came of it. */
    void decide(PodUid uid, Refusals refusals, Instant now) {
        Seeker seeker = seekers.get(uid);
        if (seeker == null) {
            return;
        }
        Placement placement = office.placer().place(seeker.pod, HoldUse.NONE);
        DoorDesk desk = seeker.desk.at(now);
        if (placement instanceof Placement.Placed placed) {
            desk.door().placed(seeker.pod, placed, desk);
        } else if (placement instanceof Placement.Refused refused) {
            refusals.await(seeker.pod, refused.hints(), HoldUse.NONE, now);
            desk.door().refused(seeker.pod, refused, desk);
        }
    }
}
