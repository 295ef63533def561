package dev.berth.sandbox.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.testing.RandomSeeds;
import java.io.IOException;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonPatchTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'foo': 'bar'} | {'op': 'add', 'path': '/baz', 'value': 'qux'} | {'foo': 'bar', 'baz': 'qux'}",
                "{'foo': ['a', 'b']} | {'op': 'add', 'path': '/foo/1', 'value': 'x'} | {'foo': ['a', 'x', 'b']}",
                "{'foo': ['a']} | {'op': 'add', 'path': '/foo/-', 'value': ['x']} | {'foo': ['a', ['x']]}",
                "{'foo': ['a']} | {'op': 'add', 'path': '/foo/1', 'value': 'x'} | {'foo': ['a', 'x']}",
                "{'foo': 1} | {'op': 'add', 'path': '/foo', 'value': null} | {'foo': null}",
                "{'foo': 1} | {'op': 'add', 'path': '', 'value': {'b': 1}} | {'b': 1}",
                "{'a': 1, 'b': 2} | {'op': 'remove', 'path': '/b'} | {'a': 1}",
                "{'a': [1, 2, 3]} | {'op': 'remove', 'path': '/a/1'} | {'a': [1, 3]}",
                "{'a': 1} | {'op': 'replace', 'path': '/a', 'value': 2} | {'a': 2}",
                "{'a': [1, 2]} | {'op': 'replace', 'path': '/a/0', 'value': {}} | {'a': [{}, 2]}",
                "{'a': 1} | {'op': 'replace', 'path': '', 'value': {}} | {}",
                "{'a': {'x': 1}, 'b': {}} | {'op': 'move', 'from': '/a/x', 'path': '/b/y'} | {'a': {}, 'b': {'y': 1}}",
                "{'a': [1, 2, 3]} | {'op': 'move', 'from': '/a/0', 'path': '/a/2'} | {'a': [2, 3, 1]}",
                "{'a': 1} | {'op': 'move', 'from': '/a', 'path': '/a'} | {'a': 1}",
                "{'a': {'x': 1}} | {'op': 'copy', 'from': '/a', 'path': '/b'} | {'a': {'x': 1}, 'b': {'x': 1}}",
                "{'a/b': 1, 'm~n': 2} | {'op': 'replace', 'path': '/a~1b', 'value': 3} | {'a/b': 3, 'm~n': 2}",
                "{'a/b': 1, 'm~n': 2} | {'op': 'remove', 'path': '/m~0n'} | {'a/b': 1}",
                "{'~1': 1} | {'op': 'test', 'path': '/~01', 'value': 1} | {'~1': 1}",
                "{'': 1} | {'op': 'test', 'path': '/', 'value': 1} | {'': 1}",
                "{'a': {'b': [1, 'x', null]}} | {'op': 'test', 'path': '/a', 'value': {'b': [1.0, 'x', null]}} | {'a': {'b': [1, 'x', null]}}"
            })
    void operationsFollowRfc6902(String document, String operation, String result) throws Exception {
        assertThat(JsonPatch.parse(json("[" + operation + "]")).apply(json(document)))
                .isEqualTo(json(result));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'op': 'add', 'path': '/x/y', 'value': 1} | add operation does not apply: doc is missing path: /x/y",
                "{'op': 'add', 'path': '/a/5', 'value': 1} | index (5) of (/a/5) is not between 0 and 2",
                "{'op': 'add', 'path': '/a/01', 'value': 1} | index (01)",
                "{'op': 'add', 'path': '/a/-1', 'value': 1} | index (-1)",
                "{'op': 'add', 'path': '/s/x', 'value': 1} | doc is missing path: /s/x",
                "{'op': 'remove', 'path': '/x'} | remove operation does not apply: doc is missing path: /x",
                "{'op': 'remove', 'path': '/a/-'} | remove operation does not apply: doc is missing path: /a/-",
                "{'op': 'remove', 'path': ''} | the whole object cannot be removed",
                "{'op': 'replace', 'path': '/x', 'value': 1} | replace operation does not apply: doc is missing path: /x",
                "{'op': 'move', 'from': '/x', 'path': '/y'} | move operation does not apply: doc is missing path: /x",
                "{'op': 'move', 'from': '/o', 'path': '/o/p'} | (/o) cannot be moved into itself at (/o/p)",
                "{'op': 'copy', 'from': '/x', 'path': '/y'} | copy operation does not apply: doc is missing path: /x",
                "{'op': 'test', 'path': '/s', 'value': 'y'} | testing value /s failed: it is (`x`), not (`y`)",
                "{'op': 'test', 'path': '/x', 'value': null} | test operation does not apply: doc is missing path: /x"
            })
    void anOperationThatDoesNotApplyIsReportedWithItsPath(String operation, String why) throws Exception {
        JsonPatch patch = JsonPatch.parse(json("[" + operation + "]"));
        assertRefused(
                () -> patch.apply(json("{'a': [1, 2], 's': 'x', 'o': {}}")),
                PatchException.Fault.DOES_NOT_APPLY,
                why.replace('`', '"'));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'op': 'add', 'path': '/a'} | has no value",
                "{'op': 'put', 'path': '/a'} | operation (put) of a JSON patch is unknown; use add",
                "{'path': '/a'} | has no text as (op)",
                "{'op': 'add', 'value': 1} | has no text as (path)",
                "{'op': 'move', 'path': '/a'} | has no text as (from)",
                "{'op': 'remove', 'path': 'a'} | path (a) of a JSON patch does not start with a slash",
                "{'op': 'remove', 'path': '/a~'} | write ~0 for ~ and ~1 for /",
                "{'op': 'remove', 'path': '/a~2'} | write ~0 for ~ and ~1 for /",
                "5 | has no text as (op)"
            })
    void anInvalidOperationIsRejectedBeforeAnyIsApplied(String operation, String why) {
        assertRefused(() -> JsonPatch.parse(json("[" + operation + "]")), PatchException.Fault.MALFORMED, why);
    }

    @Test
    void aPatchThatIsNotAListOrIsTooLongIsRejected() {
        assertRefused(
                () -> JsonPatch.parse(json("{'a': 1}")), PatchException.Fault.MALFORMED, "is an array of operations");
        ArrayNode many = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i <= 10_000; i++) {
            many.addObject().put("op", "test").put("path", "").putNull("value");
        }
        assertRefused(() -> JsonPatch.parse(many), PatchException.Fault.MALFORMED, "10000, got 10001");
    }

    @Test
    void aFailedOperationLeavesTheDocumentAsItWas() throws Exception {
        JsonNode document = json("{'a': 1}");
        JsonPatch patch = JsonPatch.parse(json("[{'op': 'remove', 'path': '/a'}, {'op': 'remove', 'path': '/a'}]"));
        assertThatThrownBy(() -> patch.apply(document)).isInstanceOf(PatchException.class);
        assertThat(document).isEqualTo(json("{'a': 1}"));
    }

    @Test
    void aValueAddedTwiceIsCopied() throws Exception {
        JsonNode result = JsonPatch.parse(json("""
                        [{'op': 'add', 'path': '/a', 'value': {}}, {'op': 'copy', 'from': '/a', 'path': '/b'},
                         {'op': 'add', 'path': '/a/x', 'value': 1}]""")).apply(json("{}"));
        assertThat(result).isEqualTo(json("{'a': {'x': 1}, 'b': {}}"));
    }

    @Test
    void applyingTheDiffOfTwoRandomObjectsGivesTheSecond() {
        RandomSeeds.forEach(0, 2000, seed -> {
            Random random = new Random(seed);
            ObjectNode from = MergePatchTest.object(random, 0);
            ObjectNode to = MergePatchTest.object(random, 0);
            ArrayNode patch = JsonNodeFactory.instance.arrayNode();
            difference("", from, to, patch);
            assertThat(JsonPatch.parse(patch).apply(from)).isEqualTo(to);
        });
    }

    private static void difference(String path, ObjectNode from, ObjectNode to, ArrayNode patch) {
        from.fieldNames().forEachRemaining(key -> {
            if (!to.has(key)) {
                patch.addObject().put("op", "remove").put("path", path + "/" + escaped(key));
            }
        });
        for (var member : to.properties()) {
            String at = path + "/" + escaped(member.getKey());
            JsonNode before = from.get(member.getKey());
            JsonNode after = member.getValue();
            if (before == null) {
                patch.addObject().put("op", "add").put("path", at).set("value", after);
            } else if (before instanceof ObjectNode object && after instanceof ObjectNode other) {
                difference(at, object, other, patch);
            } else if (before instanceof ArrayNode list && after instanceof ArrayNode other) {
                difference(at, list, other, patch);
            } else {
                patch.addObject().put("op", "replace").put("path", at).set("value", after);
            }
        }
    }

    private static void difference(String path, ArrayNode from, ArrayNode to, ArrayNode patch) {
        for (int i = from.size() - 1; i >= to.size(); i--) {
            patch.addObject().put("op", "remove").put("path", path + "/" + i);
        }
        for (int i = 0; i < to.size(); i++) {
            boolean there = i < from.size();
            patch.addObject()
                    .put("op", there ? "replace" : "add")
                    .put("path", path + "/" + (there ? Integer.toString(i) : "-"))
                    .set("value", to.get(i));
        }
    }

    private static String escaped(String key) {
        return key.replace("~", "~0").replace("/", "~1");
    }

    private static void assertRefused(ThrowingCallable call, PatchException.Fault fault, String why) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        PatchException.class, e -> assertThat(e.fault()).isEqualTo(fault))
                .hasMessageContaining(why);
    }

    private static JsonNode json(String text) throws IOException {
        return JSON.readTree(text.replace('\'', '"'));
    }
}
