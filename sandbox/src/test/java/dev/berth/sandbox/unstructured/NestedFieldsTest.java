package dev.berth.sandbox.unstructured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class NestedFieldsTest {
    private static boolean same(String one, String other) {
        return SemanticEquality.areEqual(JsonText.parse(one), JsonText.parse(other));
    }

    @Test
    void absentNullAndEmptyFieldsAreEqual() {
        assertThat(same("{}", "{\"a\":null}")).isTrue();
        assertThat(same("{\"a\":{}}", "{\"a\":[]}")).isTrue();
        assertThat(same("{\"a\":{\"b\":{}}}", "{\"a\":{}}")).isTrue();
        assertThat(same("{\"a\":\"\"}", "{}")).isFalse();
        assertThat(same("{\"a\":0}", "{}")).isFalse();
    }

    @Test
    void theOrderOfFieldsDoesNotMatterButThatOfListsDoes() {
        assertThat(same("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}")).isTrue();
        assertThat(same("{\"a\":[1,2]}", "{\"a\":[2,1]}")).isFalse();
        assertThat(same("{\"a\":[1]}", "{\"a\":[1,1]}")).isFalse();
    }

    @Test
    void numbersAreTheSameByValue() {
        ObjectNode asLong = NestedFields.newObject().put("a", 3L);
        assertThat(SemanticEquality.areEqual(asLong, NestedFields.newObject().put("a", 3)))
                .isTrue();
        assertThat(same("{\"a\":1.0}", "{\"a\":1}")).isTrue();
        assertThat(same("{\"a\":1}", "{\"a\":\"1\"}")).isFalse();
    }

    @Test
    void aPathThatIsNotThereReadsAsNothing() {
        ObjectNode object = JsonText.parse("{\"spec\":{\"replicas\":3}}");
        assertThat(NestedFields.intValue(object, 1, "spec", "replicas")).isEqualTo(3);
        assertThat(NestedFields.intValue(object, 1, "spec", "other")).isEqualTo(1);
        assertThat(NestedFields.text(object, "status", "phase")).isEmpty();
        assertThat(NestedFields.objects(object, "spec", "containers")).isEmpty();
        assertThat(NestedFields.map(object, "metadata", "labels")).isEmpty();
    }

    @Test
    void aTextThatIsNotAnObjectIsRejectedWithAnExcerpt() {
        assertThatThrownBy(() -> JsonText.parse("[1,2]"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("[1,2]");
        assertThatThrownBy(() -> JsonText.parse("no")).hasMessageContaining("not a JSON object: no");
    }
}
