package dev.berth.sandbox.controller.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PodTemplateHashTest {
    @Test
    void theOrderOfFieldsDoesNotChangeTheHash() {
        JsonNode one = JsonText.parse("{\"a\":1,\"b\":{\"c\":[1,2],\"d\":\"x\"}}");
        JsonNode other = JsonText.parse("{\"b\":{\"d\":\"x\",\"c\":[1,2]},\"a\":1}");
        assertThat(PodTemplateHash.compute(one, 0)).isEqualTo(PodTemplateHash.compute(other, 0));
    }

    @Test
    void contentAndCollisionCountChangeTheHash() {
        Set<String> hashes = new HashSet<>();
        for (int content = 0; content < 50; content++) {
            for (int collisions = 0; collisions < 4; collisions++) {
                hashes.add(PodTemplateHash.compute(NestedFields.newObject().put("a", content), collisions));
            }
        }
        assertThat(hashes).hasSize(200).allMatch(hash -> hash.matches("[bcdfghjklmnpqrstvwxz2456789]{1,10}"));
    }

    @Test
    void aCountMayBeAPercentage() {
        assertThat(IntOrPercent.scaled(IntNode.valueOf(3), 10, true)).isEqualTo(3);
        assertThat(IntOrPercent.scaled(TextNode.valueOf("25%"), 10, true)).isEqualTo(3);
        assertThat(IntOrPercent.scaled(TextNode.valueOf("25%"), 10, false)).isEqualTo(2);
        assertThat(IntOrPercent.scaled(TextNode.valueOf("100%"), 7, false)).isEqualTo(7);
        assertThat(IntOrPercent.scaled(TextNode.valueOf("0%"), 7, true)).isZero();
    }

    @Test
    void aCountThatIsNeitherNumberNorPercentageIsRejected() {
        assertThatThrownBy(() -> IntOrPercent.scaled(TextNode.valueOf("many"), 10, true))
                .hasMessage("\"many\" is neither a whole number nor a percentage such as 25%");
        assertThatThrownBy(() -> IntOrPercent.scaled(TextNode.valueOf("x%"), 10, true))
                .hasMessageContaining("\"x%\"");
    }
}
