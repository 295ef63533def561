package dev.berth.core.door.godel;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.EventTarget;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * An object of the checkpoint as the API server shows it.
 *
 * @param generation grows by one with each change of the content
 * @param pods the entries that are well-formed
 */
public record CheckpointObject(String name, String uid, long generation, Map<PodUid, CheckpointedPod> pods) {
    public static final String API_VERSION = "berth.dev/v1alpha1";
    public static final String KIND = "Checkpoint";

    public CheckpointObject {
        pods = Collections.unmodifiableMap(new TreeMap<>(pods));
    }

    static EventTarget eventTarget(String name, String uid) {
        return new EventTarget(API_VERSION, KIND, "", name, uid, EventTarget.BERTH);
    }
}
