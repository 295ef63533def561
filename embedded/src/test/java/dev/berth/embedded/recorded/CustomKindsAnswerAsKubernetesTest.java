package dev.berth.embedded.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.crd.CustomKind;
import dev.berth.embedded.defaults.Defaults;
import dev.berth.embedded.tree.Trees;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every answer about an object of a custom kind is the one that Kubernetes 1.36 gave. */
final class CustomKindsAnswerAsKubernetesTest {
    private static final ObjectMapper SORTED = new ObjectMapper()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, SerializationFeature.INDENT_OUTPUT);

    @TestFactory
    Stream<DynamicTest> objectsOfAKindWithManyRules() {
        ObjectNode definition = RecordedCase.definitions("custom").get(0).deepCopy();
        Defaults.apply("apiextensions.k8s.io", "v1", "CustomResourceDefinition", definition);
        CustomKind kind = CustomKind.from(definition);
        JsonNode answers = RecordedCase.answers("custom");
        return RecordedCase.in("custom").stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.name(),
                        () -> assertThat(text(new OurCustoms(kind, each.apiVersion()).answer(each)))
                                .isEqualTo(text(answers.path(each.name())))));
    }

    @TestFactory
    Stream<DynamicTest> definitions() {
        JsonNode answers = RecordedCase.answers("definitions");
        return RecordedCase.in("definitions").stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.name(),
                        () -> assertThat(text(Ours.answer(each))).isEqualTo(text(answers.path(each.name())))));
    }

    /** The real server goes through fields in no particular order. */
    private static String text(JsonNode answer) throws JsonProcessingException {
        if (answer.has("invalid")) {
            List<String> sorted =
                    Trees.texts(answer, "invalid").stream().sorted().toList();
            return String.join("\n", sorted);
        }
        return SORTED.writeValueAsString(SORTED.treeToValue(answer, Object.class));
    }
}
