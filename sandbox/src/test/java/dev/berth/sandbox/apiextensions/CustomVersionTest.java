package dev.berth.sandbox.apiextensions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.sandbox.validation.field.FieldError;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CustomVersionTest {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    @Test
    void anUnchangedInvalidValueIsAcceptedOnUpdate() {
        CustomVersion version = aVersion("{a: {type: string, maxLength: 1}, b: {type: string}}");
        ObjectNode before = anObject("{a: long, b: x}");

        assertThat(messages(version.validateUpdate(before, anObject("{a: long, b: y}"))))
                .isEmpty();
        assertThat(messages(version.validateUpdate(before, anObject("{a: longer, b: x}"))))
                .containsExactly("spec.a: Too long: may not be more than 1 byte");
    }

    @Test
    void mapListElementsAreCorrelatedByKey() {
        CustomVersion version = aVersion(
                "{l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, "
                        + "properties: {k: {type: string}, v: {type: string, maxLength: 1}}}}}");
        ObjectNode before = anObject("{l: [{k: a, v: long}, {k: b, v: x}]}");

        assertThat(messages(version.validateUpdate(before, anObject("{l: [{k: c, v: y}, {k: a, v: long}]}"))))
                .isEmpty();
        assertThat(messages(version.validateUpdate(before, anObject("{l: [{k: b, v: long}]}"))))
                .containsExactly("spec.l[0].v: Too long: may not be more than 1 byte");
    }

    @Test
    void elementsOfAtomicListsAreNotCorrelated() {
        CustomVersion version = aVersion("{l: {type: array, items: {type: string, maxLength: 1}}}");
        ObjectNode before = anObject("{l: [long]}");

        assertThat(messages(version.validateUpdate(before, anObject("{l: [long]}"))))
                .isEmpty();
        assertThat(messages(version.validateUpdate(before, anObject("{l: [long, x]}"))))
                .hasSize(1);
    }

    @Test
    void unknownFieldsAreReportedByPath() {
        CustomVersion version = aVersion("{a: {type: object, properties: {b: {type: string}}}}");
        ObjectNode object = anObject("{z: 1, a: {b: x, c: 2}, y: {d: 3}}");
        object.withObject("metadata").put("colour", "red");
        object.put("surprise", 1);

        assertThat(version.prune(object))
                .containsExactly("metadata.colour", "spec.a.c", "spec.y", "spec.z", "surprise");
        assertThat(object).isEqualTo(anObject("{a: {b: x}}"));
    }

    @Test
    void preserveUnknownFieldsAppliesToListElements() {
        CustomVersion version = aVersion("{a: {x-kubernetes-preserve-unknown-fields: true}}");
        ObjectNode object = anObject("{a: [{b: [{c: 1}]}]}");

        assertThat(version.prune(object)).isEmpty();
        assertThat(object).isEqualTo(anObject("{a: [{b: [{c: 1}]}]}"));
    }

    @Test
    void aDeprecatedVersionWarns() {
        ObjectNode definition = aDefinition("{}");
        ObjectNode version = (ObjectNode) definition.at("/spec/versions/0");
        version.put("deprecated", true);

        assertThat(CustomKind.from(definition).versions().get(0).deprecationWarning())
                .contains("example.com/v1 Thing is deprecated");
        version.put("deprecationWarning", "use another");
        assertThat(CustomKind.from(definition).versions().get(0).deprecationWarning())
                .contains("use another");
    }

    @Test
    void aKindWithoutColumnsShowsItsAge() {
        assertThat(aVersion("{}").tableConvertor().columns().stream()
                        .map(column -> column.name() + " " + column.type()))
                .containsExactly("Name string", "Age date");
    }

    @Test
    void replicasAreValidatedAtTheScalePaths() {
        ObjectNode definition = aDefinition("{n: {x-kubernetes-preserve-unknown-fields: true}}");
        ((ObjectNode) definition.at("/spec/versions/0"))
                .putObject("subresources")
                .putObject("scale")
                .put("specReplicasPath", ".spec.n.replicas")
                .put("statusReplicasPath", ".status.replicas");
        CustomVersion version = CustomKind.from(definition).versions().get(0);

        assertThat(messages(version.validate(anObject("{n: {replicas: -1}}"))))
                .containsExactly(".spec.n.replicas: Invalid value: -1: should be a non-negative integer");
        assertThat(messages(version.validate(anObject("{n: {replicas: 3000000000}}"))))
                .containsExactly(
                        ".spec.n.replicas: Invalid value: 3000000000: should be less than or equal to 2147483647");
        assertThat(messages(version.validate(anObject("{n: {replicas: 3}}")))).isEmpty();
        assertThat(ScalePaths.resolve(anObject("{n: {replicas: 3}}"), ".spec.n.replicas")
                        .asInt())
                .isEqualTo(3);
    }

    @Test
    void theStorageVersionIsTheVersionWithStorageTrue() {
        assertThat(CustomKind.from(aDefinition("{}")).storageVersion().name()).isEqualTo("v1");
    }

    private static List<String> messages(List<FieldError> errors) {
        return errors.stream().map(FieldError::toString).toList();
    }

    private static CustomVersion aVersion(String properties) {
        return CustomKind.from(aDefinition(properties)).versions().get(0);
    }

    private static ObjectNode aDefinition(String properties) {
        return read("""
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {plural: things, singular: thing, kind: Thing, listKind: ThingList}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: %s}}}}
                """.formatted(properties));
    }

    private static ObjectNode anObject(String spec) {
        return read("{apiVersion: example.com/v1, kind: Thing, "
                + "metadata: {name: a, namespace: default, resourceVersion: '1'}, spec: " + spec + "}");
    }

    private static ObjectNode read(String yaml) {
        try {
            return (ObjectNode) YAML.readTree(yaml);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(yaml, e);
        }
    }
}
