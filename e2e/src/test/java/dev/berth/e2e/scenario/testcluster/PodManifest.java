package dev.berth.e2e.scenario.testcluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.Manifests;

/** A pod of one container that asks for nothing where nothing else is said. */
public final class PodManifest {
    private final ObjectNode pod;
    private String namespace = "";

    private PodManifest(String name) {
        pod = Manifests.yaml("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers:
                  - {name: main, image: registry.k8s.io/pause}
                """.formatted(name));
    }

    public static PodManifest aPod(String name) {
        return new PodManifest(name);
    }

    /** Labels such as {@code app=web, tier=front}. */
    public PodManifest labelled(String pairs) {
        KeyValuePairs.putAll(pod.withObject("/metadata").withObject("/labels"), pairs);
        return this;
    }

    /** What its container asks for, such as {@code cpu=500m, memory=1Gi}; limits too, which extended resources need. */
    public PodManifest asking(String pairs) {
        ObjectNode main = (ObjectNode) pod.at("/spec/containers/0");
        KeyValuePairs.putAll(main.withObject("/resources").withObject("/requests"), pairs);
        KeyValuePairs.putAll(main.withObject("/resources").withObject("/limits"), pairs);
        return this;
    }

    /** In another namespace than the scene's. */
    public PodManifest in(String other) {
        namespace = other;
        return this;
    }

    /** With more of {@code spec}, as YAML. */
    public PodManifest spec(String yaml) {
        pod.withObject("/spec").setAll(Manifests.yaml(yaml));
        return this;
    }

    /** Put on a node already, by somebody else than Berth. */
    public PodManifest on(String node) {
        pod.withObject("/spec").put("nodeName", node);
        return this;
    }

    String name() {
        return pod.at("/metadata/name").asText();
    }

    String namespaceOr(String otherwise) {
        return namespace.isEmpty() ? otherwise : namespace;
    }

    ObjectNode json() {
        return pod;
    }
}
