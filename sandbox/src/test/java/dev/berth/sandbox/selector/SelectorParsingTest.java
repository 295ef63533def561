package dev.berth.sandbox.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.sandbox.unstructured.LabelSelectorReader;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectorParsingTest {

    private static final Labels LABELS = Labels.of(Map.of("app", "web", "tier", "front", "n", "7", "empty", ""));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "app=web|true",
                "app==web|true",
                "app!=web|false",
                "other!=web|true",
                "app in (api,web)|true",
                "app in (api)|false",
                "app notin (api)|true",
                "other notin (api)|true",
                "app|true",
                "other|false",
                "!other|true",
                "!app|false",
                "n>6|true",
                "n<6|false",
                "empty=|true",
                "empty in (,x)|true",
                "app=web,tier=front|true",
                "app=web,tier=back|false",
                "example.com/x!=1|true",
                "' app = web '|true",
            })
    void aLabelSelectorIsParsed(String text, boolean expected) throws SelectorSyntaxException {
        assertThat(LabelSelectorParser.parse(text).matches(LABELS)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "app=web,|found '', expected: identifier after ','",
                "app in web|unable to parse requirement: found 'web' expected: '('",
                "app web|unable to parse requirement: found 'web', expected: in, notin, =, ==, !=, gt, lt",
                "=web|found '=', expected: !, identifier, or 'end of string'",
                "app>x|unable to parse requirement: <nil>: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be"
                        + " an integer",
            })
    void anInvalidSelectorIsRejectedWithTheReason(String text, String message) {
        assertThatThrownBy(() -> LabelSelectorParser.parse(text)).hasMessage(message);
    }

    @Test
    void aLabelKeyMustBeAQualifiedName() {
        assertThatThrownBy(() -> LabelSelectorParser.parse("a/b/c=1")).hasMessageContaining("Invalid value: \"a/b/c\"");
        assertThatThrownBy(() -> LabelSelectorParser.parse("app=-x")).hasMessageContaining("a valid label must be");
    }

    @Test
    void theObjectFormEqualsTheTextForm() throws Exception {
        LabelSelector objectForm = LabelSelectorReader.read(new ObjectMapper()
                .readTree("{\"matchLabels\":{\"app\":\"web\"},\"matchExpressions\":[{\"key\":\"tier\",\"operator\":"
                        + "\"NotIn\",\"values\":[\"back\"]},{\"key\":\"x\",\"operator\":\"DoesNotExist\"}]}"));
        LabelSelector textForm = LabelSelectorParser.parse("app=web,tier!=back,!x");

        assertThat(objectForm.matches(LABELS)).isTrue();
        assertThat(textForm.matchExpressions()).containsAll(objectForm.matchExpressions());
    }

    @Test
    void fieldSelectorsKnowEscapes() throws SelectorSyntaxException {
        FieldSelector selector = FieldSelector.parse("a=x\\,y,b!=z\\=1");

        assertThat(selector.terms())
                .containsExactly(new FieldSelector.Term("a", "x,y", true), new FieldSelector.Term("b", "z=1", false));
        assertThatThrownBy(() -> FieldSelector.parse("a")).hasMessage("invalid selector: 'a'; can't understand 'a'");
    }
}
