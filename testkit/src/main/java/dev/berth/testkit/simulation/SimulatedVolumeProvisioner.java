package dev.berth.testkit.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.Patch;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Provisions volumes where the scheduler wants them and binds claims to them, asynchronously. From time to time it
 * cannot provision one, and removes the selected node from the claim.
 */
final class SimulatedVolumeProvisioner {
    private static final String SELECTED = "volume.kubernetes.io/selected-node";
    private static final String BOUND = "pv.kubernetes.io/bind-completed";

    private final DynamicClient client;
    private final RandomGenerator random;

    SimulatedVolumeProvisioner(DynamicClient client, RandomGenerator random) {
        this.client = client;
        this.random = random;
    }

    /** Returns whether there is, or was, anything to do. */
    boolean step() {
        boolean any = false;
        for (ObjectNode claim : client.list(RestMapping.PERSISTENT_VOLUME_CLAIMS, ListScope.ALL)) {
            boolean bound =
                    NestedFields.text(claim, "metadata", "annotations", BOUND).equals("yes");
            Optional<ObjectNode> volume = bound ? Optional.empty() : volumeFor(claim);
            boolean wanted = !NestedFields.text(claim, "metadata", "annotations", SELECTED)
                    .isEmpty();
            if (!bound && (volume.isPresent() || wanted)) {
                any = true;
                if (random.nextInt(3) == 0) {
                    reconcile(claim, volume);
                }
            }
        }
        return any;
    }

    /** A concurrent change of the object is read in the next step. */
    private void reconcile(ObjectNode claim, Optional<ObjectNode> volume) {
        try {
            if (volume.isPresent()) {
                bind(claim, NestedFields.text(volume.get(), "metadata", "name"));
            } else if (random.nextInt(10) == 0) {
                patchClaim(claim, "{\"metadata\":{\"annotations\":{\"%s\":null}}}".formatted(SELECTED));
            } else {
                provision(claim);
            }
        } catch (ApiException refused) {
            if (refused.code() != 409 && refused.code() != 404) {
                throw refused;
            }
        }
    }

    private Optional<ObjectNode> volumeFor(ObjectNode claim) {
        String uid = NestedFields.text(claim, "metadata", "uid");
        List<ObjectNode> volumes = client.list(RestMapping.PERSISTENT_VOLUMES, ListScope.ALL);
        return volumes.stream()
                .filter(volume ->
                        NestedFields.text(volume, "spec", "claimRef", "uid").equals(uid))
                .findFirst();
    }

    private void provision(ObjectNode claim) {
        String uid = NestedFields.text(claim, "metadata", "uid");
        client.create(RestMapping.PERSISTENT_VOLUMES, JsonText.parse("""
                {"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"pvc-%1$s"},
                 "spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"made",
                  "csi":{"driver":"disks.example.com","volumeHandle":"%1$s"},
                  "claimRef":{"apiVersion":"v1","kind":"PersistentVolumeClaim","namespace":"%2$s","name":"%3$s","uid":"%1$s"},
                  "nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[
                   {"key":"kubernetes.io/hostname","operator":"In","values":["%4$s"]}]}]}}}}
                """.formatted(
                        uid,
                        NestedFields.text(claim, "metadata", "namespace"),
                        NestedFields.text(claim, "metadata", "name"),
                        NestedFields.text(claim, "metadata", "annotations", SELECTED))));
    }

    private void bind(ObjectNode claim, String volume) {
        patchClaim(
                claim,
                "{\"metadata\":{\"annotations\":{\"%s\":\"yes\"}},\"spec\":{\"volumeName\":\"%s\"}}"
                        .formatted(BOUND, volume));
    }

    private void patchClaim(ObjectNode claim, String patch) {
        ObjectNode body = JsonText.parse(patch);
        body.withObject("/metadata").put("resourceVersion", NestedFields.text(claim, "metadata", "resourceVersion"));
        client.patch(
                RestMapping.PERSISTENT_VOLUME_CLAIMS.object(
                        NestedFields.text(claim, "metadata", "namespace"),
                        NestedFields.text(claim, "metadata", "name")),
                Patch.merge(body));
    }
}
