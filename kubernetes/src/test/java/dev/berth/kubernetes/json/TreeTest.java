package dev.berth.kubernetes.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kubernetes.cursor.MalformedObject;
import org.junit.jupiter.api.Test;

class TreeTest {
    @Test
    void whatIsReadIsWrittenBackWithoutWhatIsNull() {
        String json =
                "{\"a\":\"x\",\"b\":{\"c\":[1,2.5,true,\"\\u00e4\",{\"d\":false}],\"n\":12345678901234567890},\"e\":{}}";
        assertThat(text(tree(json))).isEqualTo(json.replace("\\u00e4", "ä"));
        assertThat(text(tree("{\"a\":null,\"b\":[null,1]}"))).isEqualTo("{\"b\":[1]}");
    }

    @Test
    void aChangedTreeIsAnotherOne() {
        Tree before = tree("{\"a\":{\"b\":\"x\",\"c\":1}}");
        Tree after = before.with("y", "a", "b").with(7, "n", "m");
        assertThat(text(after)).isEqualTo("{\"a\":{\"b\":\"y\",\"c\":1},\"n\":{\"m\":7}}");
        assertThat(text(before)).isEqualTo("{\"a\":{\"b\":\"x\",\"c\":1}}");
    }

    @Test
    void whatIsNotThereIsEmpty() {
        Tree tree = tree("{\"a\":{\"b\":\"x\",\"c\":1}}");
        assertThat(tree.text("a", "b")).isEqualTo("x");
        assertThat(tree.text("a", "b", "c")).isEmpty();
        assertThat(tree.text("z")).isEmpty();
        assertThat(tree.text("a")).isEmpty();
        assertThat(tree.number("a", "c")).isEqualTo(1);
        assertThat(tree.number("a", "b")).isZero();
        assertThat(tree.has("a", "c")).isTrue();
        assertThat(tree.has("a", "d")).isFalse();
    }

    @Test
    void whatIsNoObjectIsRefused() {
        for (String bad : new String[] {"", "[]", "1", "{\"a\":", "{\"a\"", "nonsense"}) {
            assertThatThrownBy(() -> tree(bad)).as(bad).isInstanceOf(MalformedObject.class);
        }
    }

    private static Tree tree(String json) {
        return Tree.read(json.getBytes(UTF_8));
    }

    private static String text(Tree tree) {
        return new String(tree.write(), UTF_8);
    }
}
