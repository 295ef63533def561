package dev.berth.kubernetes.door.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.UnknownFields;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.FieldType;
import dev.berth.sandbox.schema.StructSchema;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Unknown fields are found in any template. */
class PodTemplateFieldsTest {
    private static JsonObject spec(Object template) {
        return JsonObject.EMPTY.with(template, "template");
    }

    @Test
    void theKnownFieldsAreThoseOfTheGeneratedSchema() {
        Map<String, Map<String, String>> generated = new HashMap<>();
        Deque<StructSchema> open = new ArrayDeque<>();
        open.add(BuiltInSchemas.load()
                .struct("io.k8s.api.core.v1.PodTemplateSpec")
                .orElseThrow());
        for (StructSchema next = open.poll(); next != null; next = open.poll()) {
            if (generated.containsKey(next.shortName())) {
                continue;
            }
            Map<String, String> fields = new TreeMap<>();
            next.jsonFields().forEach((name, field) -> {
                Optional<StructSchema> type = struct(field.type());
                fields.put(name, type.map(StructSchema::shortName).orElse(""));
                type.ifPresent(open::add);
            });
            generated.put(next.shortName(), fields);
        }
        assertThat(PodTemplateFields.types())
                .as(
                        "pod-template.fields is old: its lines should be those below; the version is in UnknownFields%n%s",
                        lines(generated))
                .isEqualTo(generated);
    }

    private static String lines(Map<String, Map<String, String>> types) {
        StringBuilder lines = new StringBuilder();
        new TreeMap<>(types).forEach((type, fields) -> {
            lines.append(type);
            new TreeMap<>(fields)
                    .forEach((name, its) -> lines.append(its.isEmpty() ? " " + name : " " + name + ":" + its));
            lines.append(System.lineSeparator());
        });
        return lines.toString();
    }

    private static Optional<StructSchema> struct(FieldType type) {
        if (type instanceof FieldType.ListOf list) {
            return struct(list.element());
        }
        return type instanceof FieldType.StructOf struct ? Optional.of(struct.struct()) : Optional.empty();
    }

    @Test
    void tenThousandUnknownFieldsAreCountedAndFiveAreNamed() {
        Map<String, Object> pod = new LinkedHashMap<>();
        for (int i = 0; i < 10_000; i++) {
            pod.put("typo" + i, Map.of("containers", List.of()));
        }
        UnknownFields found = PodTemplateFields.findUnknown(spec(Map.of("spec", pod)));
        assertThat(found.count()).isEqualTo(10_000);
        assertThat(found.first())
                .containsExactly(
                        "spec.template.spec.typo0",
                        "spec.template.spec.typo1",
                        "spec.template.spec.typo2",
                        "spec.template.spec.typo3",
                        "spec.template.spec.typo4");
    }

    @Test
    void longAndNonAsciiNamesAreTruncatedAndEscaped() {
        Map<String, Object> pod = new LinkedHashMap<>();
        pod.put("a".repeat(1_000_000), 1);
        pod.put("new\nline \uD83D\uDE00 \uD800", 1);
        pod.put("", 1);
        assertThat(PodTemplateFields.findUnknown(spec(Map.of("spec", pod))).first())
                .containsExactly(
                        "spec.template.spec." + "a".repeat(47) + "...",
                        "spec.template.spec.new?line ?? ?",
                        "spec.template.spec.");
    }

    @Test
    void fieldsOfTheWrongTypeAreNotReportedAsUnknown() {
        assertThat(PodTemplateFields.findUnknown(JsonObject.EMPTY)).isEqualTo(UnknownFields.NONE);
        assertThat(PodTemplateFields.findUnknown(spec("text"))).isEqualTo(UnknownFields.NONE);
        assertThat(PodTemplateFields.findUnknown(spec(List.of(1, List.of(Map.of("typo", 1))))))
                .isEqualTo(UnknownFields.NONE);
        assertThat(PodTemplateFields.findUnknown(
                        spec(Map.of("spec", Map.of("containers", 5, "nodeSelector", List.of())))))
                .isEqualTo(UnknownFields.NONE);
    }

    @Test
    void fieldsUnderAnUnknownFieldAreNotLookedAtHoweverDeepTheyAre() {
        Object deep = Map.of();
        for (int i = 0; i < 100_000; i++) {
            deep = Map.of("a", deep);
        }
        assertThat(PodTemplateFields.findUnknown(spec(Map.of("spec", Map.of("deep", deep))))
                        .first())
                .containsExactly("spec.template.spec.deep");
    }
}
