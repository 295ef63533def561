package dev.berth.embedded.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.DeleteOptions;
import dev.berth.embedded.client.DeleteOptions.Propagation;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.OwnerReference;
import dev.berth.embedded.simulation.Cluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class GarbageCollectionTest {
    private static final Resource MAPS = new Resource("", "v1", "configmaps", "ConfigMap", true);
    private final Cluster cluster = Cluster.withoutNodes();

    private static Address at(String name) {
        return MAPS.at("default", name);
    }

    private ObjectNode make(String name, OwnerReference... owners) {
        ObjectNode map = Cluster.parse(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: default}}".formatted(name));
        for (OwnerReference owner : owners) {
            Json.child(map, "metadata").withArray("ownerReferences").add(owner.toJson());
        }
        ObjectNode made = cluster.client().create(MAPS, map);
        cluster.settle();
        return made;
    }

    private static OwnerReference owned(ObjectNode owner, boolean blocking) {
        return new OwnerReference(
                Json.text(owner, "apiVersion"),
                Json.text(owner, "kind"),
                Meta.name(owner),
                Meta.uid(owner),
                false,
                blocking);
    }

    private List<String> maps() {
        return cluster.names(MAPS).stream()
                .filter(name -> !name.equals("kube-root-ca.crt"))
                .toList();
    }

    @Test
    void dependentsGoWithTheirOwnerAndTheirsWithThem() {
        ObjectNode a = make("a");
        ObjectNode b = make("b", owned(a, true));
        make("c", owned(b, true));
        make("other");
        cluster.delete(at("a"));
        assertThat(maps()).containsExactly("other");
    }

    @Test
    void whoHasAnotherOwnerStaysWithThatOne() {
        ObjectNode a = make("a");
        ObjectNode b = make("b");
        make("c", owned(a, true), owned(b, true));
        cluster.delete(at("a"));
        assertThat(maps()).containsExactly("b", "c");
        assertThat(Meta.owners(cluster.client().get(at("c"))))
                .extracting(OwnerReference::name)
                .containsExactly("b");
        cluster.delete(at("b"));
        assertThat(maps()).isEmpty();
    }

    @Test
    void anOwnerThatNeverWasIsMissedAtOnce() {
        make(
                "lost",
                new OwnerReference("v1", "ConfigMap", "nobody", "11111111-2222-3333-4444-555555555555", false, false));
        assertThat(maps()).isEmpty();
    }

    @Test
    void anotherObjectUnderTheOwnersNameIsNotTheOwner() {
        ObjectNode a = make("a");
        cluster.client().delete(at("a"), DeleteOptions.DEFAULT);
        make("a");
        make("stale", owned(a, false));
        assertThat(maps()).containsExactly("a");
    }

    @Test
    void anOwnerInAnotherNamespaceIsNone() {
        cluster.create("{apiVersion: v1, kind: Namespace, metadata: {name: far}}", Resource.NAMESPACES);
        ObjectNode far = cluster.client()
                .create(MAPS, Cluster.parse("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: far}}"));
        cluster.settle();
        make("b", owned(far, false));
        assertThat(maps()).isEmpty();
    }

    @Test
    void aClusterScopedOwnerOwnsInEveryNamespace() {
        ObjectNode node = cluster.create("{apiVersion: v1, kind: Node, metadata: {name: n}}", Resource.NODES);
        make("a", owned(node, false));
        assertThat(maps()).containsExactly("a");
        cluster.delete(Resource.NODES.named("n"));
        assertThat(maps()).isEmpty();
    }

    @Test
    void aKindThatNobodyServesIsWaitedFor() {
        make(
                "a",
                new OwnerReference(
                        "example.com/v1", "Thing", "t", "11111111-2222-3333-4444-555555555555", false, false));
        cluster.advance(Duration.ofMinutes(2));
        assertThat(maps()).containsExactly("a");
    }

    @Test
    void inTheForegroundAnOwnerWaitsForThoseThatBlockIt() {
        ObjectNode a = make("a");
        ObjectNode b = make("b", owned(a, true));
        make("c", owned(a, false));
        cluster.merge(at("b"), "{metadata: {finalizers: [example.com/wait]}}");
        cluster.delete(at("a"), DeleteOptions.DEFAULT.with(Propagation.FOREGROUND));
        assertThat(maps()).containsExactly("a", "b", "c");
        assertThat(Meta.terminating(cluster.client().get(at("b")))).isTrue();
        assertThat(Meta.terminating(cluster.client().get(at("c")))).isFalse();
        cluster.merge(at("b"), "{metadata: {finalizers: null}}");
        assertThat(maps()).isEmpty();
        assertThat(Meta.uid(b)).isNotEmpty();
    }

    @Test
    void inTheForegroundTheWholeTreeGoesFromTheLeaves() {
        ObjectNode a = make("a");
        ObjectNode b = make("b", owned(a, true));
        make("c", owned(b, true));
        cluster.merge(at("c"), "{metadata: {finalizers: [example.com/wait]}}");
        cluster.delete(at("a"), DeleteOptions.DEFAULT.with(Propagation.FOREGROUND));
        assertThat(maps()).containsExactly("a", "b", "c");
        assertThat(Meta.finalizers(cluster.client().get(at("b")))).containsExactly("foregroundDeletion");
        cluster.merge(at("c"), "{metadata: {finalizers: null}}");
        assertThat(maps()).isEmpty();
    }

    @Test
    void orphansAreFreedBeforeTheirOwnerGoes() {
        ObjectNode a = make("a");
        make("b", owned(a, true));
        cluster.delete(at("a"), DeleteOptions.DEFAULT.with(Propagation.ORPHAN));
        assertThat(maps()).containsExactly("b");
        assertThat(Meta.owners(cluster.client().get(at("b")))).isEmpty();
    }

    @Test
    void anOwnerOfAKindDefinedLaterIsKnown() {
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
                """, Resource.DEFINITIONS);
        cluster.advance(Duration.ofSeconds(31));
        Resource things = new Resource("example.com", "v1", "things", "Thing", true);
        ObjectNode thing = cluster.create(
                "{apiVersion: example.com/v1, kind: Thing, metadata: {name: t, namespace: default}}", things);
        make("a", owned(thing, false));
        assertThat(maps()).containsExactly("a");
        cluster.delete(things.at("default", "t"));
        assertThat(maps()).isEmpty();
    }
}
