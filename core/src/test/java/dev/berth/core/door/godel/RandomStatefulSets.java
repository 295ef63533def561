package dev.berth.core.door.godel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.testing.PodBuilder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * StatefulSets that are created, deleted and replaced at random, and their pods. Pods of a deleted StatefulSet are not
 * held.
 */
final class RandomStatefulSets {
    private static final List<String> SETS = List.of("s0", "s1");

    private final GodelScene scene;
    private final Set<String> deleted = new HashSet<>();
    /** By pod, the UID of its StatefulSet. */
    private final Map<String, String> owners = new HashMap<>();

    private int count;

    RandomStatefulSets(GodelScene scene) {
        this.scene = scene;
    }

    private static String any(Random random) {
        return SETS.get(random.nextInt(SETS.size()));
    }

    /** Assigns most pods to a StatefulSet that exists. */
    void assignOwner(PodBuilder pod, Random random) {
        String set = any(random);
        boolean owned = random.nextInt(3) > 0;
        scene.findStatefulSetUid(set).filter(uid -> owned).ifPresent(uid -> {
            pod.ownedBy("StatefulSet/" + set, uid);
            owners.put(pod.build().uid().value(), uid);
        });
    }

    /** Deletes or creates a StatefulSet. */
    void change(Random random) {
        String set = any(random);
        if (scene.findStatefulSetUid(set).isPresent()) {
            scene.findStatefulSetUid(set).ifPresent(deleted::add);
            scene.deleteStatefulSet(set);
        } else {
            scene.createStatefulSet(set, "set-" + count++);
        }
    }

    /** The same while Berth is down, or both: then the next leader sees a StatefulSet of the same name. */
    void changeUnseen(Random random) {
        String set = any(random);
        boolean deletes = random.nextInt(3) == 0;
        scene.findStatefulSetUid(set).filter(uid -> deletes).ifPresent(uid -> {
            deleted.add(uid);
            scene.deleteStatefulSetUnseen(set);
        });
        if (scene.findStatefulSetUid(set).isEmpty() && random.nextBoolean()) {
            scene.createStatefulSetUnseen(set, "set-" + count++);
        }
    }

    /** Whether a StatefulSet that is deleted controlled the pod. */
    boolean isOwnedByDeleted(String pod) {
        return deleted.contains(owners.getOrDefault(pod, ""));
    }

    void assertDeletedHoldNothing() {
        for (String pod : owners.keySet()) {
            if (isOwnedByDeleted(pod)) {
                assertThat(scene.hasHoldOf(new PodUid(pod)))
                        .as("the hold of %s, whose StatefulSet was deleted", pod)
                        .isFalse();
            }
        }
    }
}
