package dev.berth.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.DeleteOptions.Propagation;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.simulation.TestCluster;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.OwnerReference;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class GarbageCollectionTest {
    private static final RestMapping MAPS = new RestMapping("", "v1", "configmaps", "ConfigMap", true);
    private final TestCluster cluster = TestCluster.withoutNodes();

    private static ObjectLocation at(String name) {
        return MAPS.object("default", name);
    }

    private ObjectNode make(String name, OwnerReference... owners) {
        ObjectNode map = TestCluster.parse(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: default}}".formatted(name));
        for (OwnerReference owner : owners) {
            NestedFields.getOrCreateObject(map, "metadata")
                    .withArray("ownerReferences")
                    .add(owner.toJson());
        }
        ObjectNode made = cluster.client().create(MAPS, map);
        cluster.stepUntilIdle();
        return made;
    }

    private static OwnerReference owned(ObjectNode owner, boolean blocking) {
        return new OwnerReference(
                NestedFields.text(owner, "apiVersion"),
                NestedFields.text(owner, "kind"),
                ObjectMetaReader.name(owner),
                ObjectMetaReader.uid(owner),
                false,
                blocking);
    }

    private List<String> maps() {
        return cluster.names(MAPS).stream()
                .filter(name -> !name.equals("kube-root-ca.crt"))
                .toList();
    }

    @Test
    void dependentsAreDeletedTransitivelyWithTheirOwner() {
        ObjectNode a = make("a");
        ObjectNode b = make("b", owned(a, true));
        make("c", owned(b, true));
        make("other");
        cluster.delete(at("a"));
        assertThat(maps()).containsExactly("other");
    }

    @Test
    void aDependentWithAnotherOwnerStays() {
        ObjectNode a = make("a");
        ObjectNode b = make("b");
        make("c", owned(a, true), owned(b, true));
        cluster.delete(at("a"));
        assertThat(maps()).containsExactly("b", "c");
        assertThat(ObjectMetaReader.ownerReferences(cluster.client().get(at("c"))))
                .extracting(OwnerReference::name)
                .containsExactly("b");
        cluster.delete(at("b"));
        assertThat(maps()).isEmpty();
    }

    @Test
    void aDependentOfAnOwnerThatNeverExistedIsDeleted() {
        make(
                "lost",
                new OwnerReference("v1", "ConfigMap", "nobody", "11111111-2222-3333-4444-555555555555", false, false));
        assertThat(maps()).isEmpty();
    }

    @Test
    void anObjectWithTheOwnersNameButAnotherUidIsNotTheOwner() {
        ObjectNode a = make("a");
        cluster.client().delete(at("a"), DeleteOptions.DEFAULT);
        make("a");
        make("stale", owned(a, false));
        assertThat(maps()).containsExactly("a");
    }

    @Test
    void anOwnerInAnotherNamespaceDoesNotCount() {
        cluster.create("{apiVersion: v1, kind: Namespace, metadata: {name: far}}", RestMapping.NAMESPACES);
        ObjectNode far = cluster.client()
                .create(
                        MAPS,
                        TestCluster.parse("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: far}}"));
        cluster.stepUntilIdle();
        make("b", owned(far, false));
        assertThat(maps()).isEmpty();
    }

    @Test
    void aClusterScopedOwnerOwnsInEveryNamespace() {
        ObjectNode node = cluster.create("{apiVersion: v1, kind: Node, metadata: {name: n}}", RestMapping.NODES);
        make("a", owned(node, false));
        assertThat(maps()).containsExactly("a");
        cluster.delete(RestMapping.NODES.clusterObject("n"));
        assertThat(maps()).isEmpty();
    }

    @Test
    void aDependentOfAnUnservedKindIsKept() {
        make(
                "a",
                new OwnerReference(
                        "example.com/v1", "Thing", "t", "11111111-2222-3333-4444-555555555555", false, false));
        cluster.advance(Duration.ofMinutes(2));
        assertThat(maps()).containsExactly("a");
    }

    @Test
    void inForegroundDeletionAnOwnerWaitsForBlockingDependents() {
        ObjectNode a = make("a");
        ObjectNode b = make("b", owned(a, true));
        make("c", owned(a, false));
        cluster.merge(at("b"), "{metadata: {finalizers: [example.com/wait]}}");
        cluster.delete(at("a"), DeleteOptions.DEFAULT.withPropagation(Propagation.FOREGROUND));
        assertThat(maps()).containsExactly("a", "b", "c");
        assertThat(ObjectMetaReader.isTerminating(cluster.client().get(at("b"))))
                .isTrue();
        assertThat(ObjectMetaReader.isTerminating(cluster.client().get(at("c"))))
                .isFalse();
        cluster.merge(at("b"), "{metadata: {finalizers: null}}");
        assertThat(maps()).isEmpty();
        assertThat(ObjectMetaReader.uid(b)).isNotEmpty();
    }

    @Test
    void inForegroundDeletionTheTreeIsDeletedFromTheLeaves() {
        ObjectNode a = make("a");
        ObjectNode b = make("b", owned(a, true));
        make("c", owned(b, true));
        cluster.merge(at("c"), "{metadata: {finalizers: [example.com/wait]}}");
        cluster.delete(at("a"), DeleteOptions.DEFAULT.withPropagation(Propagation.FOREGROUND));
        assertThat(maps()).containsExactly("a", "b", "c");
        assertThat(ObjectMetaReader.finalizers(cluster.client().get(at("b")))).containsExactly("foregroundDeletion");
        cluster.merge(at("c"), "{metadata: {finalizers: null}}");
        assertThat(maps()).isEmpty();
    }

    @Test
    void orphanDeletionRemovesOwnerReferencesFirst() {
        ObjectNode a = make("a");
        make("b", owned(a, true));
        cluster.delete(at("a"), DeleteOptions.DEFAULT.withPropagation(Propagation.ORPHAN));
        assertThat(maps()).containsExactly("b");
        assertThat(ObjectMetaReader.ownerReferences(cluster.client().get(at("b"))))
                .isEmpty();
    }

    @Test
    void anOwnerOfALaterDefinedKindIsFound() {
        cluster.create("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: things.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {plural: things, singular: thing, kind: Thing, listKind: ThingList}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """, RestMapping.CUSTOM_RESOURCE_DEFINITIONS);
        cluster.advance(Duration.ofSeconds(31));
        RestMapping things = new RestMapping("example.com", "v1", "things", "Thing", true);
        ObjectNode thing = cluster.create(
                "{apiVersion: example.com/v1, kind: Thing, metadata: {name: t, namespace: default}}", things);
        make("a", owned(thing, false));
        assertThat(maps()).containsExactly("a");
        cluster.delete(things.object("default", "t"));
        assertThat(maps()).isEmpty();
    }
}
