package dev.berth.core.door.comeback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.testing.PodBuilder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** StatefulSets that are created, deleted and replaced at random, and their pods: a deleted one leaves no places behind. */
final class OwnedPods {
    private static final List<String> SETS = List.of("s0", "s1");

    private final Scene scene;
    private final Set<String> deleted = new HashSet<>();
    /** By pod, the UID of its StatefulSet. */
    private final Map<String, String> owners = new HashMap<>();

    private int count;

    OwnedPods(Scene scene) {
        this.scene = scene;
    }

    private static String any(Random random) {
        return SETS.get(random.nextInt(SETS.size()));
    }

    /** Gives most pods to a StatefulSet that is there. */
    void own(PodBuilder pod, Random random) {
        String set = any(random);
        boolean owned = random.nextInt(3) > 0;
        scene.setUid(set).filter(uid -> owned).ifPresent(uid -> {
            pod.ownedBy("StatefulSet/" + set, uid);
            owners.put(pod.build().uid().value(), uid);
        });
    }

    /** A StatefulSet is deleted, or one is created. */
    void change(Random random) {
        String set = any(random);
        if (scene.setUid(set).isPresent()) {
            scene.setUid(set).ifPresent(deleted::add);
            scene.deleteSet(set);
        } else {
            scene.set(set, "set-" + count++);
        }
    }

    /** The same while no Berth runs, or both: then the next process sees one of the same name. */
    void changeUnseen(Random random) {
        String set = any(random);
        boolean deletes = random.nextInt(3) == 0;
        scene.setUid(set).filter(uid -> deletes).ifPresent(uid -> {
            deleted.add(uid);
            scene.deleteSetUnseen(set);
        });
        if (scene.setUid(set).isEmpty() && random.nextBoolean()) {
            scene.setUnseen(set, "set-" + count++);
        }
    }

    /** Whether a StatefulSet that is deleted controlled the pod. */
    boolean isOfDeleted(String pod) {
        return deleted.contains(owners.getOrDefault(pod, ""));
    }

    void check() {
        for (String pod : owners.keySet()) {
            if (isOfDeleted(pod)) {
                assertThat(scene.keepsPlaceOf(new PodUid(pod)))
                        .as("the place of %s, whose StatefulSet was deleted", pod)
                        .isFalse();
            }
        }
    }
}
