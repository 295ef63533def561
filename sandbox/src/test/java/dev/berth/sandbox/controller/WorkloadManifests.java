package dev.berth.sandbox.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.simulation.TestCluster;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.StatusConditions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Deployments and StatefulSets as tests write and read them. */
final class WorkloadManifests {
    static final ObjectLocation WEB = RestMapping.DEPLOYMENTS.object("default", "web");
    static final ObjectLocation DB = RestMapping.STATEFUL_SETS.object("default", "db");

    private WorkloadManifests() {}

    /** A Deployment named web; {@code more} is further YAML for its spec, such as {@code "paused: true"}. */
    static String deployment(int replicas, String image, String... more) {
        return workload("apps/v1", "Deployment", "web", replicas, image, more);
    }

    static String replicaSet(int replicas, String image, String... more) {
        return workload("apps/v1", "ReplicaSet", "web", replicas, image, more);
    }

    static String statefulSet(int replicas, String image, String... more) {
        return workload("apps/v1", "StatefulSet", "db", replicas, image, more);
    }

    private static String workload(
            String version, String kind, String name, int replicas, String image, String... more) {
        return """
                apiVersion: %s
                kind: %s
                metadata: {name: %s, namespace: default}
                spec:
                  replicas: %d
                  selector: {matchLabels: {app: %s}}
                  template:
                    metadata: {labels: {app: %s}}
                    spec: {containers: [{name: main, image: "%s"}]}
                  %s
                """.formatted(version, kind, name, replicas, name, name, image, String.join("\n  ", more));
    }

    /** A patch that sets the template's image. */
    static String image(String image) {
        return "{spec: {template: {spec: {containers: [{name: main, image: \"%s\"}]}}}}".formatted(image);
    }

    /** A patch that sets the image and one annotation of the template. */
    static String image(String image, String annotation, String value) {
        return ("{spec: {template: {metadata: {annotations: {%s: \"%s\"}},"
                        + " spec: {containers: [{name: main, image: \"%s\"}]}}}}")
                .formatted(annotation, value, image);
    }

    static String replicas(int count) {
        return "{spec: {replicas: %d}}".formatted(count);
    }

    /** The sizes that a deployment's replica sets are asked to have, by image. */
    static Map<String, Integer> sizes(TestCluster cluster) {
        Map<String, Integer> sizes = new TreeMap<>();
        for (ObjectNode set : sets(cluster)) {
            sizes.put(
                    imageOf(NestedFields.copyOf(set, "spec", "template")),
                    NestedFields.intValue(set, 1, "spec", "replicas"));
        }
        return sizes;
    }

    static List<ObjectNode> sets(TestCluster cluster) {
        return cluster.list(RestMapping.REPLICA_SETS).stream()
                .sorted(Comparator.comparing(set -> imageOf(NestedFields.copyOf(set, "spec", "template"))))
                .toList();
    }

    static String imageOf(ObjectNode podOrTemplate) {
        return NestedFields.text(
                NestedFields.objects(podOrTemplate, "spec", "containers").get(0), "image");
    }

    static List<String> images(TestCluster cluster) {
        return cluster.pods().stream().map(WorkloadManifests::imageOf).sorted().toList();
    }

    static String reason(ObjectNode object, String condition) {
        return StatusConditions.findInObject(object, condition)
                .map(found -> NestedFields.text(found, "reason"))
                .orElse("");
    }

    static String revision(ObjectNode object) {
        return ObjectMetaReader.annotation(object, "deployment.kubernetes.io/revision")
                .orElse("");
    }
}
