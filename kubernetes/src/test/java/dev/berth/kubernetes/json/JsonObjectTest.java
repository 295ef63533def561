package dev.berth.kubernetes.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kubernetes.cursor.MalformedObjectException;
import org.junit.jupiter.api.Test;

class JsonObjectTest {
    @Test
    void anObjectIsWrittenBackWithoutItsNulls() {
        String json =
                "{\"a\":\"x\",\"b\":{\"c\":[1,2.5,true,\"\\u00e4\",{\"d\":false}],\"n\":12345678901234567890},\"e\":{}}";
        assertThat(text(tree(json))).isEqualTo(json.replace("\\u00e4", "ä"));
        assertThat(text(tree("{\"a\":null,\"b\":[null,1]}"))).isEqualTo("{\"b\":[1]}");
    }

    @Test
    void withReturnsAChangedCopy() {
        JsonObject before = tree("{\"a\":{\"b\":\"x\",\"c\":1}}");
        JsonObject after = before.with("y", "a", "b").with(7, "n", "m");
        assertThat(text(after)).isEqualTo("{\"a\":{\"b\":\"y\",\"c\":1},\"n\":{\"m\":7}}");
        assertThat(text(before)).isEqualTo("{\"a\":{\"b\":\"x\",\"c\":1}}");
    }

    @Test
    void absentFieldsReadAsEmpty() {
        JsonObject jsonObject = tree("{\"a\":{\"b\":\"x\",\"c\":1}}");
        assertThat(jsonObject.text("a", "b")).isEqualTo("x");
        assertThat(jsonObject.text("a", "b", "c")).isEmpty();
        assertThat(jsonObject.text("z")).isEmpty();
        assertThat(jsonObject.text("a")).isEmpty();
        assertThat(jsonObject.number("a", "c")).isEqualTo(1);
        assertThat(jsonObject.number("a", "b")).isZero();
        assertThat(jsonObject.has("a", "c")).isTrue();
        assertThat(jsonObject.has("a", "d")).isFalse();
    }

    @Test
    void jsonThatIsNotAnObjectIsRejected() {
        for (String bad : new String[] {"", "[]", "1", "{\"a\":", "{\"a\"", "nonsense"}) {
            assertThatThrownBy(() -> tree(bad)).as(bad).isInstanceOf(MalformedObjectException.class);
        }
    }

    private static JsonObject tree(String json) {
        return JsonObject.parse(json.getBytes(UTF_8));
    }

    private static String text(JsonObject jsonObject) {
        return new String(jsonObject.toBytes(), UTF_8);
    }
}
