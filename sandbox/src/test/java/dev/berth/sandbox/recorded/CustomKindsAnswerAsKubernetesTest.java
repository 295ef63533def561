package dev.berth.sandbox.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apiextensions.CustomKind;
import dev.berth.sandbox.defaulting.Defaults;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every answer about an object of a custom kind is the one that Kubernetes 1.36 gave. */
final class CustomKindsAnswerAsKubernetesTest {

    private static final GroupVersionKind DEFINITION =
            new GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition");

    private static final ObjectMapper SORTED = new ObjectMapper()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, SerializationFeature.INDENT_OUTPUT);

    @TestFactory
    Stream<DynamicTest> objectsOfAKindWithManyRules() {
        return compare("custom");
    }

    @TestFactory
    Stream<DynamicTest> reservationsOfTheToolsBerthReplaces() {
        return compare("reservations");
    }

    private static Stream<DynamicTest> compare(String file) {
        Map<String, CustomKind> kinds = new HashMap<>();
        for (ObjectNode written : RecordedCase.definitions(file)) {
            ObjectNode definition = written.deepCopy();
            Defaults.apply(DEFINITION, definition);
            CustomKind kind = CustomKind.from(definition);
            kinds.put(kind.group(), kind);
        }
        JsonNode answers = RecordedCase.answers(file);
        return RecordedCase.in(file).stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.name(),
                        () -> assertThat(text(answer(each, kinds))).isEqualTo(text(answers.path(each.name())))));
    }

    private static ObjectNode answer(RecordedCase each, Map<String, CustomKind> kinds) {
        String group = each.apiVersion().substring(0, each.apiVersion().indexOf('/'));
        CustomKind kind = Objects.requireNonNull(kinds.get(group), group);
        return new CustomKindPipeline(kind, each.apiVersion()).answer(each);
    }

    @TestFactory
    Stream<DynamicTest> definitions() {
        JsonNode answers = RecordedCase.answers("definitions");
        return RecordedCase.in("definitions").stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.name(),
                        () -> assertThat(text(BuiltInKindPipeline.answer(each)))
                                .isEqualTo(text(answers.path(each.name())))));
    }

    /** The real server goes through fields in no particular order. */
    private static String text(JsonNode answer) throws JsonProcessingException {
        if (answer.has("invalid")) {
            List<String> sorted =
                    NestedFields.texts(answer, "invalid").stream().sorted().toList();
            return String.join("\n", sorted);
        }
        return SORTED.writeValueAsString(SORTED.treeToValue(answer, Object.class));
    }
}
