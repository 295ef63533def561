package dev.berth.sandbox.controller.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The annotations by which a Deployment keeps its history on its ReplicaSets. */
final class DeploymentAnnotations {
    static final String TEMPLATE_HASH = "pod-template-hash";
    static final String REVISION = "deployment.kubernetes.io/revision";
    static final String DESIRED_REPLICAS = "deployment.kubernetes.io/desired-replicas";
    static final String MAX_REPLICAS = "deployment.kubernetes.io/max-replicas";
    private static final String REVISION_HISTORY = "deployment.kubernetes.io/revision-history";
    private static final int MAX_HISTORY_LENGTH = 2_000;

    /** Annotations that are not copied between a Deployment and its ReplicaSets. */
    private static final Set<String> NOT_COPIED = Set.of(
            "kubectl.kubernetes.io/last-applied-configuration",
            REVISION,
            REVISION_HISTORY,
            DESIRED_REPLICAS,
            MAX_REPLICAS,
            "deprecated.deployment.rollback.to");

    private DeploymentAnnotations() {}

    static Optional<Long> number(String text) {
        try {
            long value = Long.parseLong(text);
            return value < 0 ? Optional.empty() : Optional.of(value);
        } catch (NumberFormatException tampered) {
            return Optional.empty();
        }
    }

    /** The annotations of the newest ReplicaSet, given the revisions of the other ReplicaSets. */
    static Map<String, String> desiredForNewReplicaSet(
            DeploymentView deployment, ObjectNode replicaSet, long revision) {
        Map<String, String> wanted = new TreeMap<>(ObjectMetaReader.annotations(replicaSet));
        ObjectMetaReader.annotations(deployment.object()).forEach((key, value) -> {
            if (!NOT_COPIED.contains(key)) {
                wanted.put(key, value);
            }
        });
        Optional<String> before = Optional.ofNullable(wanted.get(REVISION));
        if (before.flatMap(DeploymentAnnotations::number).orElse(0L) < revision) {
            wanted.put(REVISION, Long.toString(revision));
            before.ifPresent(old -> wanted.merge(REVISION_HISTORY, old, DeploymentAnnotations::appendRevision));
        }
        return wanted;
    }

    /** After a rollback the ReplicaSet keeps its earlier revisions; the oldest are dropped when there are too many. */
    private static String appendRevision(String history, String revision) {
        List<String> revisions = new ArrayList<>(Arrays.asList(history.split(",", -1)));
        revisions.add(revision);
        String joined = String.join(",", revisions);
        while (joined.length() > MAX_HISTORY_LENGTH && revisions.size() > 1) {
            revisions.remove(0);
            joined = String.join(",", revisions);
        }
        return joined;
    }

    static boolean hasReplicasAnnotations(ReplicaSetView set, DeploymentView deployment) {
        return set.desiredReplicas().equals(Optional.of((long) deployment.replicas()))
                && set.maxReplicas().equals(Optional.of((long) deployment.maxReplicas()));
    }

    /** Records the size of the Deployment on its ReplicaSet. A later difference means that the Deployment was scaled. */
    static void setReplicasAnnotations(ObjectNode replicaSet, DeploymentView deployment) {
        ObjectNode annotations =
                NestedFields.getOrCreateObject(NestedFields.getOrCreateObject(replicaSet, "metadata"), "annotations");
        annotations.put(DESIRED_REPLICAS, Integer.toString(deployment.replicas()));
        annotations.put(MAX_REPLICAS, Integer.toString(deployment.maxReplicas()));
    }
}
