package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Writes the volumes that pods mount. */
final class PodVolumeGenerator {
    private final RandomChoices randomChoices;
    /** In some clusters nearly every pod has volumes, in some hardly any. */
    private final int mounting;

    PodVolumeGenerator(RandomChoices randomChoices) {
        this.randomChoices = randomChoices;
        this.mounting = randomChoices.any(5, 5, 50);
    }

    void mounts(ObjectNode spec) {
        ArrayNode volumes = spec.putArray("volumes");
        // One claim mounted twice wants two volumes, kube-scheduler thinks.
        List<String> claims = new ArrayList<>(StorageGenerator.CLAIMS);
        while (randomChoices.chance(mounting)) {
            mount(volumes.addObject().put("name", "v" + volumes.size()), claims);
        }
    }

    private void mount(ObjectNode volume, List<String> claims) {
        switch (randomChoices.between(0, 14)) {
            case 0 -> volume.putObject("emptyDir");
            case 1 ->
                volume.putObject("gcePersistentDisk")
                        .put("pdName", randomChoices.any("disk-1", "disk-2"))
                        .put("readOnly", randomChoices.chance(50));
            case 2 -> volume.putObject("awsElasticBlockStore").put("volumeID", randomChoices.any("vol-1", "vol-2"));
            case 4 -> volume.putObject("image").put("reference", randomChoices.any(NodeGenerator.IMAGES));
            case 5 ->
                volume.putObject("iscsi")
                        .put("iqn", randomChoices.any("iqn-1", "iqn-2"))
                        .put("readOnly", randomChoices.chance(50));
            case 6 -> byId(volume);
            case 7 ->
                volume.putObject("ephemeral").putObject("volumeClaimTemplate").putObject("spec");
            case 3 -> rados(volume.putObject("rbd"));
            default ->
                volume.putObject("persistentVolumeClaim")
                        .put(
                                "claimName",
                                claims.isEmpty() || randomChoices.chance(4)
                                        ? "missing"
                                        : claims.remove(randomChoices.between(0, claims.size() - 1)));
        }
    }

    /** What migrated drivers count. */
    private void byId(ObjectNode volume) {
        switch (randomChoices.between(0, 2)) {
            case 0 -> volume.putObject("cinder").put("volumeID", randomChoices.any("cinder-1", "cinder-2"));
            case 1 ->
                volume.putObject("azureDisk").put("diskName", "d").put("diskURI", randomChoices.any("uri-1", "uri-2"));
            default -> volume.putObject("portworxVolume").put("volumeID", randomChoices.any("px-1", "px-2"));
        }
    }

    private void rados(ObjectNode rbd) {
        rbd.putArray("monitors").add(randomChoices.any("m1", "m2")).add("m3");
        rbd.put("image", randomChoices.any("image-1", "image-2"))
                .put("pool", "rbd")
                .put("readOnly", randomChoices.chance(50));
    }
}
