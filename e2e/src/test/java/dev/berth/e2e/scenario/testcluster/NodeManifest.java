package dev.berth.e2e.scenario.testcluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.Manifests;

/** A node, ready, of 8 cpus, 32Gi, 100Gi of disk and 110 pods where nothing else is said. */
public final class NodeManifest {
    private static final String KUBELET = "simulate.berth.dev/kubelet";

    private final ObjectNode node;

    private NodeManifest(String name) {
        node = Manifests.yaml("""
                apiVersion: v1
                kind: Node
                metadata:
                  name: %1$s
                  labels: {kubernetes.io/hostname: %1$s}
                spec: {}
                status:
                  capacity: {cpu: "8", memory: 32Gi, ephemeral-storage: 100Gi, pods: "110"}
                  allocatable: {cpu: "8", memory: 32Gi, ephemeral-storage: 100Gi, pods: "110"}
                  conditions:
                  - {type: Ready, status: "True", reason: KubeletReady, message: ready}
                """.formatted(name));
    }

    public static NodeManifest aNode(String name) {
        return new NodeManifest(name);
    }

    /** Labels such as {@code zone=z1, disk=ssd}, beside its host name. */
    public NodeManifest labelled(String pairs) {
        KeyValuePairs.putAll(node.withObject("/metadata/labels"), pairs);
        return this;
    }

    /** Amounts such as {@code cpu=2, example.com/gpu=1}, of which all can be used. */
    public NodeManifest offering(String pairs) {
        KeyValuePairs.putAll(node.withObject("/status/capacity"), pairs);
        return allowing(pairs);
    }

    /** Amounts of which no more can be used, whatever the node has. */
    public NodeManifest allowing(String pairs) {
        KeyValuePairs.putAll(node.withObject("/status/allocatable"), pairs);
        return this;
    }

    /** Without the label by which it is known as a host of its own. */
    public NodeManifest withoutHostname() {
        node.withObject("/metadata/labels").remove("kubernetes.io/hostname");
        return this;
    }

    public NodeManifest tainted(String key, String value, String effect) {
        node.withObject("/spec")
                .withArray("/taints")
                .addObject()
                .put("key", key)
                .put("value", value)
                .put("effect", effect);
        return this;
    }

    /** With an image on its disk, of so many bytes. */
    public NodeManifest having(String image, long bytes) {
        ObjectNode entry = node.withObject("/status").withArray("/images").addObject();
        entry.putArray("names").add(image);
        entry.put("sizeBytes", bytes);
        return this;
    }

    /** With more of {@code spec}, as YAML. */
    public NodeManifest spec(String yaml) {
        node.withObject("/spec").setAll(Manifests.yaml(yaml));
        return this;
    }

    /** With more of {@code status}, as YAML. */
    public NodeManifest status(String yaml) {
        node.withObject("/status").setAll(Manifests.yaml(yaml));
        return this;
    }

    /** With a simulated kubelet, which runs its pods. */
    public NodeManifest withKubelet() {
        node.withObject("/metadata/annotations").put(KUBELET, "true");
        return this;
    }

    boolean hasKubelet() {
        return node.at("/metadata/annotations").has(KUBELET);
    }

    String name() {
        return node.at("/metadata/name").asText();
    }

    ObjectNode json() {
        return node;
    }
}
