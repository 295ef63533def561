package dev.berth.testkit.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.Patch;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.Selection;
import dev.berth.embedded.client.object.Json;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Who makes volumes where the scheduler wants them and binds claims to them, in its own time. Now and then it cannot make
 * one, and says so by taking the chosen node off the claim.
 */
final class SimulatedVolumes {
    private static final String SELECTED = "volume.kubernetes.io/selected-node";
    private static final String BOUND = "pv.kubernetes.io/bind-completed";

    private final ApiClient client;
    private final RandomGenerator dice;

    SimulatedVolumes(ApiClient client, RandomGenerator dice) {
        this.client = client;
        this.dice = dice;
    }

    /** Says whether there is, or was, anything to do. */
    boolean step() {
        boolean any = false;
        for (ObjectNode claim : client.list(Resource.CLAIMS, Selection.ALL)) {
            boolean bound = Json.text(claim, "metadata", "annotations", BOUND).equals("yes");
            Optional<ObjectNode> volume = bound ? Optional.empty() : volumeFor(claim);
            boolean wanted =
                    !Json.text(claim, "metadata", "annotations", SELECTED).isEmpty();
            if (!bound && (volume.isPresent() || wanted)) {
                any = true;
                if (dice.nextInt(3) == 0) {
                    goOn(claim, volume);
                }
            }
        }
        return any;
    }

    /** Whoever else changed the object meanwhile is seen at the next step. */
    private void goOn(ObjectNode claim, Optional<ObjectNode> volume) {
        try {
            if (volume.isPresent()) {
                bind(claim, Json.text(volume.get(), "metadata", "name"));
            } else if (dice.nextInt(10) == 0) {
                change(claim, "{\"metadata\":{\"annotations\":{\"%s\":null}}}".formatted(SELECTED));
            } else {
                make(claim);
            }
        } catch (ApiException refused) {
            if (refused.code() != 409 && refused.code() != 404) {
                throw refused;
            }
        }
    }

    private Optional<ObjectNode> volumeFor(ObjectNode claim) {
        String uid = Json.text(claim, "metadata", "uid");
        List<ObjectNode> volumes = client.list(Resource.VOLUMES, Selection.ALL);
        return volumes.stream()
                .filter(volume -> Json.text(volume, "spec", "claimRef", "uid").equals(uid))
                .findFirst();
    }

    private void make(ObjectNode claim) {
        String uid = Json.text(claim, "metadata", "uid");
        client.create(Resource.VOLUMES, Json.parse("""
                {"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"pvc-%1$s"},
                 "spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"made",
                  "csi":{"driver":"disks.example.com","volumeHandle":"%1$s"},
                  "claimRef":{"apiVersion":"v1","kind":"PersistentVolumeClaim","namespace":"%2$s","name":"%3$s","uid":"%1$s"},
                  "nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[
                   {"key":"kubernetes.io/hostname","operator":"In","values":["%4$s"]}]}]}}}}
                """.formatted(
                        uid,
                        Json.text(claim, "metadata", "namespace"),
                        Json.text(claim, "metadata", "name"),
                        Json.text(claim, "metadata", "annotations", SELECTED))));
    }

    private void bind(ObjectNode claim, String volume) {
        change(
                claim,
                "{\"metadata\":{\"annotations\":{\"%s\":\"yes\"}},\"spec\":{\"volumeName\":\"%s\"}}"
                        .formatted(BOUND, volume));
    }

    private void change(ObjectNode claim, String patch) {
        ObjectNode body = Json.parse(patch);
        body.withObject("/metadata").put("resourceVersion", Json.text(claim, "metadata", "resourceVersion"));
        client.patch(
                Resource.CLAIMS.at(Json.text(claim, "metadata", "namespace"), Json.text(claim, "metadata", "name")),
                Patch.merge(body));
    }
}
