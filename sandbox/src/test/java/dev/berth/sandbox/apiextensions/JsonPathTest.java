package dev.berth.sandbox.apiextensions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonPathTest {
    private static final String OBJECT = """
            {"metadata": {"name": "n", "annotations": {"example.com/x": "z"}},
             "spec": {"count": 3, "list": ["a", "b", "c"],
                      "pairs": [{"name": "p", "value": 1, "on": true}, {"name": "q", "value": 2}, {"name": "r"}]}}
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                ".metadata.name|\"n\"",
                "$.metadata.name|\"n\"",
                "['metadata']['name']|\"n\"",
                ".metadata.annotations.example\\.com/x|\"z\"",
                ".metadata.annotations['example.com/x']|\"z\"",
                ".spec.list[0]|\"a\"",
                ".spec.list[-1]|\"c\"",
                ".spec.list[7]|",
                ".spec.list[1:]|\"b\" \"c\"",
                ".spec.list[:-1]|\"a\" \"b\"",
                ".spec.list[0:3:2]|\"a\" \"c\"",
                ".spec.list[*]|\"a\" \"b\" \"c\"",
                ".spec.list[0,2]|\"a\" \"c\"",
                ".spec.pairs[*].name|\"p\" \"q\" \"r\"",
                ".spec.pairs[?(@.name==\"q\")].value|2",
                ".spec.pairs[?(@.name=='q')].value|2",
                ".spec.pairs[?(@.value>1)].name|\"q\"",
                ".spec.pairs[?(@.value<=1)].name|\"p\"",
                ".spec.pairs[?(@.value!=1)].name|\"q\"",
                ".spec.pairs[?(@.on==true)].name|\"p\"",
                ".spec.pairs[?(@.value)].name|\"p\" \"q\"",
                "..value|1 2",
                ".metadata.*|\"n\" {\"example.com/x\":\"z\"}",
                ".nothing.here|",
                ".spec.count.deeper|",
            })
    void aPathLeadsToValues(String path, String values) throws JsonProcessingException {
        JsonNode object = new ObjectMapper().readTree(OBJECT);

        String found = JsonPath.parse(path).orElseThrow().find(object).stream()
                .map(JsonNode::toString)
                .collect(Collectors.joining(" "));

        assertThat(found).isEqualTo(values == null ? "" : values);
    }

    @ParameterizedTest
    @ValueSource(strings = {"spec", ".a[b", ".a[x]", ".a[?(name)]"})
    void aTextThatIsNotAPathIsRejected(String path) {
        assertThat(JsonPath.parse(path)).isEmpty();
    }
}
