package dev.berth.core.door.comeback;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Subject;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A part of the checkpoint as the API server shows it.
 *
 * @param generation grows by one with each change of its content
 * @param pods those of its entries that can be understood
 */
public record CheckpointObject(String name, String uid, long generation, Map<PodUid, CheckpointedPod> pods) {
    public static final String API_VERSION = "berth.dev/v1alpha1";
    public static final String KIND = "Checkpoint";

    public CheckpointObject {
        pods = Collections.unmodifiableMap(new TreeMap<>(pods));
    }

    static Subject subject(String name, String uid) {
        return new Subject(API_VERSION, KIND, "", name, uid, Subject.BERTH);
    }
}
