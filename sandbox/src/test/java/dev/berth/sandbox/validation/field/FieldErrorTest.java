package dev.berth.sandbox.validation.field;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FieldErrorTest {
    private static final FieldPath NAME =
            FieldPath.of("spec", "containers").index(0).child("name");

    @Test
    void anErrorHasTheMessageOfTheRealServer() {
        assertThat(FieldError.required(NAME, "")).hasToString("spec.containers[0].name: Required value");
        assertThat(FieldError.required(NAME, "because"))
                .hasToString("spec.containers[0].name: Required value: because");
        assertThat(FieldError.forbidden(NAME, "no")).hasToString("spec.containers[0].name: Forbidden: no");
        assertThat(FieldError.duplicate(NAME, GoFormat.node("a")))
                .hasToString("spec.containers[0].name: Duplicate value: \"a\"");
        assertThat(FieldError.notFound(NAME, GoFormat.node("a")))
                .hasToString("spec.containers[0].name: Not found: \"a\"");
        assertThat(FieldError.notSupported(NAME, GoFormat.node("a"), List.of("b", "c")))
                .hasToString("spec.containers[0].name: Unsupported value: \"a\": supported values: \"b\", \"c\"");
        assertThat(FieldError.tooLong(NAME, 1))
                .hasToString("spec.containers[0].name: Too long: may not be more than 1 byte");
        assertThat(FieldError.tooMany(NAME, 3, 2))
                .hasToString("spec.containers[0].name: Too many: 3: must have at most 2 items");
    }

    @Test
    void anInvalidValueIsShownAsJson() {
        ObjectNode object = JsonNodeFactory.instance.objectNode().put("a", 1);

        assertThat(FieldError.invalid(NAME, GoFormat.node(-1), "x").causeMessage())
                .isEqualTo("Invalid value: -1: x");
        assertThat(FieldError.invalid(NAME, BooleanNode.TRUE, "x").causeMessage())
                .isEqualTo("Invalid value: true: x");
        assertThat(FieldError.invalid(NAME, object, "x").causeMessage()).isEqualTo("Invalid value: {\"a\":1}: x");
        assertThat(FieldError.invalid(NAME, GoFormat.NULL, "").causeMessage()).isEqualTo("Invalid value: null");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a|\"a\"",
                "a\"b|\"a\\\"b\"",
                "a\\b|\"a\\\\b\"",
                "grün|\"grün\"",
                "日本|\"日本\"",
            })
    void textIsQuotedAsInGo(String text, String quoted) {
        assertThat(GoFormat.quote(text)).isEqualTo(quoted);
    }

    @Test
    void unprintableCharactersAreEscaped() {
        assertThat(GoFormat.quote("\n\t\r\u0000\u007f\u00a0\u200b")).isEqualTo("\"\\n\\t\\r\\x00\\x7f\\u00a0\\u200b\"");
    }

    @Test
    void severalErrorsAreListedInBrackets() {
        FieldError first = FieldError.required(NAME, "");
        FieldError second = FieldError.forbidden(FieldPath.of("spec"), "no");

        assertThat(message("", first)).isEqualTo("Pod \"p\" is invalid: " + first);
        assertThat(message("apps", first, second))
                .isEqualTo("Pod.apps \"p\" is invalid: [" + first + ", " + second + "]");
    }

    @Test
    void aDuplicateMessageIsShownOnceButHasTwoCauses() {
        FieldError error = FieldError.required(NAME, "");

        ObjectNode status = InvalidStatus.of("", "Pod", "p", List.of(error, error));

        assertThat(status.path("message").asText()).isEqualTo("Pod \"p\" is invalid: " + error);
        assertThat(status.at("/details/causes")).hasSize(2);
        assertThat(status.at("/details/causes/0/reason").asText()).isEqualTo("FieldValueRequired");
        assertThat(status.at("/details/causes/0/field").asText()).isEqualTo("spec.containers[0].name");
        assertThat(status.path("code").asInt()).isEqualTo(422);
    }

    @Test
    void aPathNamesFieldsIndexesAndKeys() {
        assertThat(FieldPath.ROOT.child("a")).hasToString("a");
        assertThat(FieldPath.of("a", "b").key("x/y").child("c").index(3)).hasToString("a.b[x/y].c[3]");
    }

    @Test
    void differencesAreListedFieldByField() {
        ObjectNode before = JsonNodeFactory.instance.objectNode().put("same", 1).put("gone", 2);
        before.putObject("in").put("a", "x");
        before.putArray("list").add(1).add(2);
        ObjectNode after = JsonNodeFactory.instance.objectNode().put("same", 1).put("new", 3);
        after.putObject("in").put("a", "y");
        after.putArray("list").add(1).add(5);

        assertThat(ObjectDiff.diff(before, after))
                .isEqualTo("- gone: 2\n- in.a: \"x\"\n+ in.a: \"y\"\n- list[1]: 2\n+ list[1]: 5\n+ new: 3\n");
        assertThat(ObjectDiff.diff(before, before.deepCopy())).isEmpty();
    }

    private static String message(String group, FieldError... errors) {
        return InvalidStatus.of(group, "Pod", "p", List.of(errors))
                .path("message")
                .asText();
    }
}
