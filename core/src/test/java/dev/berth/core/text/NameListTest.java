package dev.berth.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NameListTest {
    @Test
    void fewNamesAreAllNamed() {
        assertThat(NameList.first(3, List.of())).isEmpty();
        assertThat(NameList.first(3, List.of("a"))).isEqualTo("a");
        assertThat(NameList.first(3, List.of("a", "b", "c"))).isEqualTo("a, b, c");
    }

    @Test
    void ofManyNamesTheFirstAreNamedAndTheRestIsCounted() {
        assertThat(NameList.first(2, List.of("a", "b", "c", "d", "e"))).isEqualTo("a, b and 3 more");
        assertThat(NameList.first(2, Stream.of("a", "b", "c"), 10)).isEqualTo("a, b and 8 more");
    }
}
