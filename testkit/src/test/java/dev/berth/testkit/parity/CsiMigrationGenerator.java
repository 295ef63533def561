package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;

/** Writes volumes of the plugins that were once part of Kubernetes, and where their drivers have succeeded them. */
final class CsiMigrationGenerator {
    static final List<String> PLUGINS = List.of(
            "kubernetes.io/gce-pd",
            "kubernetes.io/aws-ebs",
            "kubernetes.io/cinder",
            "kubernetes.io/azure-disk",
            "kubernetes.io/portworx-volume",
            "kubernetes.io/vsphere-volume");
    static final List<String> DRIVERS = List.of(
            "pd.csi.storage.gke.io",
            "ebs.csi.aws.com",
            "cinder.csi.openstack.org",
            "disk.csi.azure.com",
            "pxd.portworx.com",
            "csi.vsphere.vmware.com");
    /** By what the first three drivers know zones. */
    static final List<String> ZONES =
            List.of("topology.gke.io/zone", "topology.ebs.csi.aws.com/zone", "topology.cinder.csi.openstack.org/zone");

    private static final String MIGRATED = "storage.alpha.kubernetes.io/migrated-plugins";
    private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";

    private final RandomChoices randomChoices;

    CsiMigrationGenerator(RandomChoices randomChoices) {
        this.randomChoices = randomChoices;
    }

    /** The successors on a node, with their limits, and those in charge already. */
    void migratedDrivers(ObjectNode csiNode) {
        ArrayNode drivers = (ArrayNode) csiNode.path("spec").path("drivers");
        for (String driver : DRIVERS) {
            if (randomChoices.chance(50)) {
                ObjectNode made = drivers.addObject().put("name", driver).put("nodeID", ApiObjects.name(csiNode));
                if (randomChoices.chance(80)) {
                    made.putObject("allocatable").put("count", randomChoices.any(0, 1, 1, 2));
                }
            }
        }
        if (randomChoices.chance(80)) {
            csiNode.withObject("/metadata")
                    .putObject("annotations")
                    .put(
                            MIGRATED,
                            PLUGINS.stream()
                                    .filter(plugin -> randomChoices.chance(60))
                                    .collect(Collectors.joining(",")));
        }
    }

    /** What a volume is made of, by the names of the disks that pods mount themselves. */
    void inTreeVolumeSource(ObjectNode volume) {
        ObjectNode spec = volume.withObject("/spec");
        switch (randomChoices.between(0, 5)) {
            case 0 -> google(volume);
            case 1 ->
                spec.putObject("awsElasticBlockStore")
                        .put("volumeID", randomChoices.any("vol-1", "vol-2", "aws://a/vol-1"));
            case 2 -> spec.putObject("cinder").put("volumeID", randomChoices.any("cinder-1", "cinder-2"));
            case 3 -> {
                ObjectNode azure = spec.putObject("azureDisk").put("diskName", "d");
                azure.put("diskURI", randomChoices.any("uri-1", "uri-2"));
                if (randomChoices.chance(50)) {
                    azure.put("kind", "Managed");
                }
            }
            case 4 -> spec.putObject("portworxVolume").put("volumeID", randomChoices.any("px-1", "px-2"));
            default -> spec.putObject("vsphereVolume").put("volumePath", randomChoices.any("path-1", "path-2"));
        }
        if (randomChoices.chance(10)) {
            volume.withObject("/metadata/labels").put(OLD_ZONE, randomChoices.any("a", "b"));
        }
    }

    /** A disk in several zones is in one region, which follows from the names of the zones. */
    private void google(ObjectNode volume) {
        volume.withObject("/spec").putObject("gcePersistentDisk").put("pdName", randomChoices.any("disk-1", "disk-2"));
        ObjectNode labels = volume.withObject("/metadata/labels");
        labels.properties().stream()
                .filter(label -> label.getValue().asText().contains("__"))
                .forEach(label -> labels.put(label.getKey(), "us-east1-a__us-east1-b"));
    }
}
