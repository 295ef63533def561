package dev.berth.sandbox.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BuiltInSchemasTest {

    private final BuiltInSchemas schemas = BuiltInSchemas.load();

    @Test
    void aKindIsFoundByItsNameAndByItsPath() {
        KindSchema pod = kind("v1", "Pod");
        assertThat(schemas.findResource("", "v1", "pods")).contains(pod);
        assertThat(pod.namespaced()).isTrue();
        assertThat(pod.isServed()).isTrue();
        assertThat(pod.names().shortNames()).containsExactly("po");
        assertThat(pod.names().categories()).containsExactly("all");
        assertThat(pod.verbs()).contains("get", "list", "watch", "deletecollection");
        assertThat(pod.subresource("eviction").orElseThrow().gvk())
                .isEqualTo(GroupVersionKind.of("policy/v1", "Eviction"));
    }

    @Test
    void theEventsOfBothGroupsAreServedUnderTheSamePlural() {
        assertThat(schemas.findResource("", "v1", "events").orElseThrow().isServed())
                .isTrue();
        assertThat(schemas.findResource("events.k8s.io", "v1", "events")
                        .orElseThrow()
                        .isServed())
                .isTrue();
    }

    @Test
    void anUnknownKindIsAbsent() {
        assertThat(schemas.find(GroupVersionKind.of("v2", "Pod"))).isEmpty();
        assertThat(schemas.findResource("apps", "v1", "pods")).isEmpty();
        assertThat(schemas.findResource("apps", "", "")).isEmpty();
        assertThat(schemas.struct("Pod")).isEmpty();
    }

    @Test
    void aKindWithoutAPathIsNotAResource() {
        assertThat(kind("autoscaling/v1", "Scale").isResource()).isFalse();
        assertThat(schemas.kinds().stream().filter(KindSchema::isServed)).allMatch(KindSchema::isResource);
    }

    @Test
    void listsAndMetaKindsHaveStructs() {
        assertThat(schemas.structOf(GroupVersionKind.of("v1", "PodList"))
                        .orElseThrow()
                        .shortName())
                .isEqualTo("PodList");
        assertThat(schemas.structOf(GroupVersionKind.of("apps/v1", "DeleteOptions")))
                .isPresent();
        assertThat(schemas.structOf(GroupVersionKind.of("v1", "Status"))).isPresent();
        assertThat(schemas.structOf(GroupVersionKind.of("v1", "Nothing"))).isEmpty();
    }

    @Test
    void theFieldsOfAContainerMatchTheGoType() {
        StructSchema container = schemas.struct("io.k8s.api.core.v1.Container").orElseThrow();
        FieldSchema ports = container.field("ports").orElseThrow();
        assertThat(ports.number()).isEqualTo(6);
        assertThat(ports.patch()).isEqualTo(new PatchStrategy(true, false, false, "containerPort"));
        assertThat(ports.topology().mapKeys()).containsExactly("containerPort", "protocol");
        assertThat(container.field("name").orElseThrow().isRequired()).isTrue();
        assertThat(container.field("imagePullPolicy").orElseThrow().enumValues())
                .containsExactly("Always", "IfNotPresent", "Never");
    }

    @Test
    void theKeysOfAnInlinedStructBelongToItsOwner() {
        StructSchema volume = schemas.struct("io.k8s.api.core.v1.Volume").orElseThrow();
        assertThat(volume.field("emptyDir")).isPresent();
        assertThat(volume.fields()).hasSize(2);
        assertThat(volume.fields().get(1).isInline()).isTrue();
    }

    @Test
    void everyStructIsConsistent() {
        for (StructSchema struct : schemas.structs().values()) {
            Set<Integer> numbers = new HashSet<>();
            for (FieldSchema field : struct.fields()) {
                assertThat(field.number() == 0 || numbers.add(field.number()))
                        .as("protobuf number of %s.%s", struct, field.name())
                        .isTrue();
                assertThat(mergeKeyExists(field))
                        .as("merge key of %s.%s", struct, field.name())
                        .isTrue();
            }
        }
    }

    @Test
    void everyKindHasMetadataAndAnApiVersion() {
        for (KindSchema kind : schemas.kinds()) {
            assertThat(kind.object().field("metadata"))
                    .as("metadata of %s", kind)
                    .isPresent();
            assertThat(kind.object().field("apiVersion"))
                    .as("apiVersion of %s", kind)
                    .isPresent();
            kind.list()
                    .ifPresent(
                            list -> assertThat(list.field("items").orElseThrow().type())
                                    .isEqualTo(new FieldType.ListOf(new FieldType.StructOf(kind.object()))));
        }
    }

    @Test
    void theKindOfEverySubresourceIsKnown() {
        for (KindSchema kind : schemas.kinds()) {
            for (Subresource sub : kind.subresources()) {
                assertThat(schemas.find(sub.gvk()))
                        .as("%s/%s", kind, sub.name())
                        .isPresent();
                assertThat(sub.verbs()).isNotEmpty();
            }
        }
    }

    @Test
    void theServedKindsAreTheExpectedOnes() {
        assertThat(schemas.kinds().stream().filter(KindSchema::isServed).map(KindSchema::plural))
                .containsAll(List.of("namespaces", "nodes", "pods", "configmaps", "secrets", "services", "leases"))
                .containsAll(List.of("deployments", "replicasets", "statefulsets", "poddisruptionbudgets", "jobs"))
                .containsAll(List.of("customresourcedefinitions", "apiservices", "priorityclasses", "clusterroles"))
                .doesNotContain("ingresses", "cronjobs");
    }

    @Test
    void anApiVersionWithTwoSlashesIsRejected() {
        assertThatThrownBy(() -> GroupVersionKind.of("a/b/c", "Pod")).hasMessageContaining("group/version");
    }

    @Test
    void aSchemaWithADanglingReferenceOrAnUnknownKeywordIsRejected() {
        assertThatThrownBy(() -> new SchemaReader(List.of()).read("struct a.B\n c 1 a.C\n"))
                .hasMessageContaining("struct (a.C) is used");
        assertThatThrownBy(() -> new SchemaReader(List.of()).read("structure a.B\n"))
                .hasMessageContaining("unknown keyword");
    }

    private KindSchema kind(String apiVersion, String kind) {
        return schemas.find(GroupVersionKind.of(apiVersion, kind)).orElseThrow();
    }

    private static boolean mergeKeyExists(FieldSchema field) {
        return field.patch().mergeKey().isEmpty()
                || (field.type() instanceof FieldType.ListOf list
                        && list.element() instanceof FieldType.StructOf element
                        && element.struct().field(field.patch().mergeKey()).isPresent());
    }
}
