package dev.berth.sandbox.patch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.testing.RandomSeeds;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePatchTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'a': 'b'} | {'a': 'c'} | {'a': 'c'}",
                "{'a': 'b'} | {'b': 'c'} | {'a': 'b', 'b': 'c'}",
                "{'a': 'b', 'b': 'c'} | {'a': null} | {'b': 'c'}",
                "{'a': ['b']} | {'a': 'c'} | {'a': 'c'}",
                "{'a': 'c'} | {'a': ['b']} | {'a': ['b']}",
                "{'a': {'b': 'c'}} | {'a': {'b': 'd', 'c': null}} | {'a': {'b': 'd'}}",
                "{'a': [{'b': 'c'}]} | {'a': [1]} | {'a': [1]}",
                "['a', 'b'] | ['c', 'd'] | ['c', 'd']",
                "{'a': 'b'} | ['c'] | ['c']",
                "{'a': 'foo'} | null | null",
                "{'e': null} | {'a': 1} | {'e': null, 'a': 1}",
                "[1, 2] | {'a': 'b', 'c': null} | {'a': 'b'}",
                "{} | {'a': {'bb': {'ccc': null}}} | {'a': {'bb': {}}}"
            })
    void theExamplesOfRfc7386Hold(String target, String patch, String result) throws IOException {
        assertThat(MergePatch.apply(json(target), json(patch))).isEqualTo(json(result));
    }

    @Test
    void applyingTheDiffOfTwoRandomObjectsGivesTheSecond() {
        RandomSeeds.forEach(0, 2000, seed -> {
            Random random = new Random(seed);
            ObjectNode from = object(random, 0);
            ObjectNode to = object(random, 0);
            JsonNode before = from.deepCopy();
            ObjectNode patch = difference(from, to);
            assertThat(MergePatch.apply(from, patch)).isEqualTo(to);
            assertThat(from).as("the argument").isEqualTo(before);
        });
    }

    private static ObjectNode difference(ObjectNode from, ObjectNode to) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        from.fieldNames().forEachRemaining(key -> {
            if (!to.has(key)) {
                patch.putNull(key);
            }
        });
        for (var member : to.properties()) {
            JsonNode before = from.get(member.getKey());
            JsonNode after = member.getValue();
            if (before instanceof ObjectNode object && after instanceof ObjectNode other) {
                patch.set(member.getKey(), difference(object, other));
            } else if (!after.equals(before)) {
                patch.set(member.getKey(), after.deepCopy());
            }
        }
        return patch;
    }

    static ObjectNode object(Random random, int depth) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (int i = random.nextInt(4); i > 0; i--) {
            object.set("abcdef/~".substring(random.nextInt(7), 7), value(random, depth));
        }
        return object;
    }

    private static JsonNode value(Random random, int depth) {
        return switch (random.nextInt(depth < 3 ? 5 : 3)) {
            case 0 -> JsonNodeFactory.instance.numberNode(random.nextInt(3));
            case 1 -> JsonNodeFactory.instance.textNode("t" + random.nextInt(3));
            case 2 -> JsonNodeFactory.instance.booleanNode(random.nextBoolean());
            case 3 -> object(random, depth + 1);
            default -> {
                var array = JsonNodeFactory.instance.arrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    array.add(value(random, depth + 1));
                }
                yield array;
            }
        };
    }

    private static JsonNode json(String text) throws IOException {
        return JSON.readTree(text.replace('\'', '"'));
    }
}
