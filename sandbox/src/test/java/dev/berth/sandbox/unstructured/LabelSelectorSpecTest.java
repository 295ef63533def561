package dev.berth.sandbox.unstructured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LabelSelectorSpecTest {
    private static LabelSelectorSpec of(String json) {
        return LabelSelectorSpec.of(JsonText.parse(json));
    }

    @Test
    void allLabelsAndAllExpressionsMustHold() {
        LabelSelectorSpec selector = of("""
                {"matchLabels":{"app":"web"},"matchExpressions":[
                  {"key":"tier","operator":"In","values":["front","edge"]},
                  {"key":"old","operator":"DoesNotExist"}]}""");
        assertThat(selector.matches(Map.of("app", "web", "tier", "edge"))).isTrue();
        assertThat(selector.matches(Map.of("app", "web", "tier", "back"))).isFalse();
        assertThat(selector.matches(Map.of("app", "web", "tier", "edge", "old", "")))
                .isFalse();
        assertThat(selector.matches(Map.of("tier", "edge"))).isFalse();
    }

    @Test
    void aLabelThatIsAbsentIsNotInAnyList() {
        assertThat(of("{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"NotIn\",\"values\":[\"x\"]}]}")
                        .matches(Map.of()))
                .isTrue();
        assertThat(of("{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"Exists\"}]}")
                        .matches(Map.of()))
                .isFalse();
    }

    @Test
    void anEmptySelectorMatchesEverythingAndIsEmpty() {
        assertThat(of("{}").isEmpty()).isTrue();
        assertThat(of("{}").matches(Map.of("a", "b"))).isTrue();
    }

    @Test
    void anUnknownOperatorIsRefusedByName() {
        assertThatThrownBy(() -> of("{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"Near\"}]}"))
                .hasMessageContaining("\"Near\" is not a valid label selector operator")
                .hasMessageContaining("DoesNotExist");
    }
}
