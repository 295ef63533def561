package dev.berth.sandbox.unstructured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LabelSelectorReaderTest {
    private static LabelSelector read(String json) {
        return LabelSelectorReader.read(JsonText.parse(json));
    }

    @Test
    void allLabelsAndAllExpressionsMustHold() {
        LabelSelector selector = read("""
                {"matchLabels":{"app":"web"},"matchExpressions":[
                  {"key":"tier","operator":"In","values":["front","edge"]},
                  {"key":"old","operator":"DoesNotExist"}]}""");
        assertThat(selector.matches(Labels.of(Map.of("app", "web", "tier", "edge"))))
                .isTrue();
        assertThat(selector.matches(Labels.of(Map.of("app", "web", "tier", "back"))))
                .isFalse();
        assertThat(selector.matches(Labels.of(Map.of("app", "web", "tier", "edge", "old", ""))))
                .isFalse();
        assertThat(selector.matches(Labels.of(Map.of("tier", "edge")))).isFalse();
    }

    @Test
    void aLabelThatIsAbsentIsNotInAnyList() {
        assertThat(read("{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"NotIn\",\"values\":[\"x\"]}]}")
                        .matches(Labels.of(Map.of())))
                .isTrue();
        assertThat(read("{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"Exists\"}]}")
                        .matches(Labels.of(Map.of())))
                .isFalse();
    }

    @Test
    void anEmptySelectorMatchesEverythingAndIsEmpty() {
        assertThat(read("{}").isEmpty()).isTrue();
        assertThat(read("{}").matches(Labels.of(Map.of("a", "b")))).isTrue();
    }

    @Test
    void anUnknownOperatorIsRefusedByName() {
        assertThatThrownBy(() -> read("{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"Near\"}]}"))
                .hasMessageContaining("\"Near\" is not a valid label selector operator")
                .hasMessageContaining("DoesNotExist");
    }
}
