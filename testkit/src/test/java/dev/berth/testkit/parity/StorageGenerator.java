package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes what says which volumes there are and where they can be used: classes, drivers, volumes and claims. */
final class StorageGenerator {
    static final List<String> CLAIMS = List.of("c0", "c1", "c2", "c3", "c4", "c5");
    private static final String STORAGE = "storage.k8s.io/v1";
    private static final String DRIVER = "csi.example.com";
    private static final List<String> CLASSES = List.of("fast", "local", "now", "zonal");
    private static final String ZONE = "topology.kubernetes.io/zone";

    private final RandomChoices randomChoices;
    private final List<String> nodes;
    private final CsiMigrationGenerator csiMigration;
    /** Whether there are volumes of plugins that drivers have succeeded. */
    private final boolean migratedPlugins;
    /** What there is, or was, by uid. */
    private final Map<String, ObjectNode> sentObjects = new LinkedHashMap<>();

    private int versions;

    StorageGenerator(RandomChoices randomChoices, List<String> nodes) {
        this.randomChoices = randomChoices;
        this.nodes = nodes;
        this.csiMigration = new CsiMigrationGenerator(randomChoices);
        this.migratedPlugins = randomChoices.chance(30);
    }

    /** All that a cluster has at first. */
    List<ObjectNode> all() {
        List<ObjectNode> objects = new ArrayList<>();
        CLASSES.stream().filter(name -> randomChoices.chance(97)).forEach(name -> objects.add(storageClass(name)));
        objects.add(driver());
        nodes.stream().filter(name -> randomChoices.chance(85)).forEach(name -> objects.add(csiNode(name)));
        for (int i = randomChoices.between(0, 4); i > 0; i--) {
            objects.add(capacity("room-" + i));
        }
        for (int i = randomChoices.between(0, 5); i > 0; i--) {
            objects.add(volume("free-" + i));
        }
        for (String namespace : WorkloadGenerator.NAMESPACES) {
            CLAIMS.stream().filter(name -> randomChoices.chance(97)).forEach(name -> claim(objects, namespace, name));
        }
        for (int i = 1; i <= 10; i++) {
            if (randomChoices.chance(20)) {
                ephemeral(objects, randomChoices.any(WorkloadGenerator.NAMESPACES), "new-" + i);
            }
        }
        for (int i = randomChoices.between(0, 3); i > 0; i--) {
            objects.add(attachment("attached-" + i));
        }
        return versioned(objects);
    }

    /** One comes, changes or goes; a claim may come with its volume. */
    List<TraceStep> randomChange() {
        List<ObjectNode> objects = new ArrayList<>();
        switch (randomChoices.between(0, 9)) {
            case 0 -> objects.add(storageClass(randomChoices.any(CLASSES)));
            case 1 -> objects.add(driver());
            case 2 -> objects.add(csiNode(randomChoices.any(nodes)));
            case 3 -> objects.add(capacity("room-" + randomChoices.between(1, 4)));
            case 4 -> objects.add(volume("free-" + randomChoices.between(1, 5)));
            case 5 -> objects.add(attachment("attached-" + randomChoices.between(1, 3)));
            case 6 -> {
                return List.of(TraceStep.delete(randomChoices.any(List.copyOf(sentObjects.values()))));
            }
            default -> claim(objects, randomChoices.any(WorkloadGenerator.NAMESPACES), randomChoices.any(CLAIMS));
        }
        return versioned(objects).stream().map(TraceStep::upsert).toList();
    }

    /** kube-scheduler takes a volume or claim of no greater version for one that it knows. */
    private List<ObjectNode> versioned(List<ObjectNode> objects) {
        for (ObjectNode object : objects) {
            object.withObject("/metadata").put("resourceVersion", Integer.toString(++versions));
            sentObjects.put(ApiObjects.uid(object), object);
        }
        return objects;
    }

    private ObjectNode storageClass(String name) {
        ObjectNode made = ApiObjects.named(STORAGE, "StorageClass", "", name);
        String provisioner =
                migratedPlugins && randomChoices.chance(40) ? randomChoices.any(CsiMigrationGenerator.PLUGINS) : DRIVER;
        made.put("provisioner", name.equals("local") ? "kubernetes.io/no-provisioner" : provisioner);
        made.put("volumeBindingMode", name.equals("now") ? "Immediate" : "WaitForFirstConsumer");
        if (name.equals("zonal")) {
            ObjectNode expression = made.putArray("allowedTopologies")
                    .addObject()
                    .putArray("matchLabelExpressions")
                    .addObject();
            expression.put("key", ZONE).putArray("values").add("a").add(randomChoices.any("b", "c"));
        }
        return made;
    }

    private ObjectNode driver() {
        ObjectNode made = ApiObjects.named(STORAGE, "CSIDriver", "", DRIVER);
        made.putObject("spec").put("storageCapacity", randomChoices.chance(40));
        return made;
    }

    private ObjectNode csiNode(String name) {
        ObjectNode made = ApiObjects.named(STORAGE, "CSINode", "", name);
        ObjectNode driver = made.putObject("spec").putArray("drivers").addObject();
        driver.put("name", DRIVER).put("nodeID", name).putArray("topologyKeys").add(ZONE);
        if (randomChoices.chance(80)) {
            driver.putObject("allocatable").put("count", randomChoices.any(1, 2, 5));
        }
        if (migratedPlugins) {
            csiMigration.migratedDrivers(made);
        }
        return made;
    }

    private ObjectNode capacity(String name) {
        ObjectNode made = ApiObjects.named(STORAGE, "CSIStorageCapacity", "east", name);
        made.put("storageClassName", randomChoices.any("fast", "zonal"));
        made.put("capacity", randomChoices.any("1Gi", "100Gi"));
        if (randomChoices.chance(30)) {
            made.put("maximumVolumeSize", "3Gi");
        }
        if (randomChoices.chance(80)) {
            made.putObject("nodeTopology").putObject("matchLabels").put(ZONE, randomChoices.any("a", "b", "c"));
        }
        return made;
    }

    /** An available volume. */
    private ObjectNode volume(String name) {
        ObjectNode made = ApiObjects.named("v1", "PersistentVolume", "", name);
        if (randomChoices.chance(15)) {
            made.withObject("/metadata").putObject("labels").put(ZONE, randomChoices.any("a", "b", "a__b"));
        }
        ObjectNode spec = made.putObject("spec");
        spec.put("storageClassName", randomChoices.any("local", "local", "fast"));
        spec.putObject("capacity").put("storage", randomChoices.any("1Gi", "5Gi", "10Gi"));
        spec.putArray("accessModes").add(randomChoices.any("ReadWriteOnce", "ReadWriteOnce", "ReadWriteMany"));
        spec.put("volumeMode", "Filesystem");
        if (migratedPlugins && randomChoices.chance(60)) {
            csiMigration.inTreeVolumeSource(made);
        } else {
            String driver = migratedPlugins && randomChoices.chance(20)
                    ? randomChoices.any(CsiMigrationGenerator.DRIVERS)
                    : DRIVER;
            spec.putObject("csi").put("driver", driver).put("volumeHandle", "handle-" + name);
        }
        nodeAffinity(spec);
        made.putObject("status").put("phase", "Available");
        return made;
    }

    private void nodeAffinity(ObjectNode spec) {
        if (randomChoices.chance(70)) {
            ObjectNode expression = spec.putObject("nodeAffinity")
                    .putObject("required")
                    .putArray("nodeSelectorTerms")
                    .addObject()
                    .putArray("matchExpressions")
                    .addObject();
            boolean host = randomChoices.chance(40);
            expression.put("key", host ? "kubernetes.io/hostname" : ZONE).put("operator", "In");
            expression.putArray("values").add(host ? randomChoices.any(nodes) : randomChoices.any("a", "b", "c"));
        }
    }

    /** A claim, and mostly the volume that it has. */
    private void claim(List<ObjectNode> objects, String namespace, String name) {
        ObjectNode claim = ApiObjects.named("v1", "PersistentVolumeClaim", namespace, name);
        ObjectNode spec = claim.putObject("spec");
        spec.put(
                "storageClassName",
                randomChoices.chance(96)
                        ? randomChoices.any("fast", "fast", "local", "local", "zonal")
                        : randomChoices.any("now", "unknown"));
        spec.putArray("accessModes").add(randomChoices.any("ReadWriteOnce", "ReadWriteOnce", "ReadWriteOncePod"));
        spec.put("volumeMode", "Filesystem");
        spec.putObject("resources").putObject("requests").put("storage", randomChoices.any("1Gi", "5Gi"));
        claim.putObject("status").put("phase", "Pending");
        if (randomChoices.chance(55)) {
            bind(objects, claim, "of-%s-%s".formatted(namespace, name));
        } else if (randomChoices.chance(15)) {
            claim.withObject("/metadata")
                    .putObject("annotations")
                    .put("volume.kubernetes.io/selected-node", randomChoices.any(nodes));
        }
        if (randomChoices.chance(3)) {
            claim.withObject("/metadata").put("deletionTimestamp", "2026-01-01T00:05:00Z");
        }
        objects.add(claim);
    }

    /** What is made for one pod's first volume, and goes with that pod. */
    private void ephemeral(List<ObjectNode> objects, String namespace, String pod) {
        claim(objects, namespace, pod + "-v1");
        ObjectNode owner = objects.get(objects.size() - 1)
                .withObject("/metadata")
                .putArray("ownerReferences")
                .addObject();
        owner.put("apiVersion", "v1").put("kind", "Pod").put("name", pod).put("controller", true);
        owner.put("uid", randomChoices.chance(90) ? "Pod-%s-%s".formatted(namespace, pod) : "another");
    }

    private void bind(List<ObjectNode> objects, ObjectNode claim, String name) {
        claim.withObject("/spec").put("volumeName", name);
        claim.withObject("/metadata").putObject("annotations").put("pv.kubernetes.io/bind-completed", "yes");
        claim.withObject("/status").put("phase", randomChoices.chance(95) ? "Bound" : "Lost");
        if (randomChoices.chance(95)) {
            ObjectNode volume = volume(name);
            ObjectNode reference = volume.withObject("/spec").putObject("claimRef");
            reference.put("namespace", ApiObjects.namespace(claim)).put("name", ApiObjects.name(claim));
            reference.put("uid", ApiObjects.uid(claim));
            volume.withObject("/status").put("phase", "Bound");
            objects.add(volume);
        }
    }

    private ObjectNode attachment(String name) {
        ObjectNode made = ApiObjects.named(STORAGE, "VolumeAttachment", "", name);
        ObjectNode spec = made.putObject("spec");
        String attacher =
                migratedPlugins && randomChoices.chance(40) ? randomChoices.any(CsiMigrationGenerator.DRIVERS) : DRIVER;
        spec.put("attacher", attacher).put("nodeName", randomChoices.any(nodes));
        spec.putObject("source").put("persistentVolumeName", randomChoices.any("of-east-c0", "of-west-c1", "free-1"));
        made.putObject("status").put("attached", true);
        return made;
    }
}
