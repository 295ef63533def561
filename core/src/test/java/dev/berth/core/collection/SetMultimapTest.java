package dev.berth.core.collection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SetMultimapTest {
    private final SetMultimap<String, String> podsByNode = SetMultimap.sorted();

    @Test
    void aKeyIsRemovedWithItsLastValue() {
        podsByNode.add("n1", "a");
        podsByNode.add("n1", "b");

        assertThat(podsByNode.remove("n1", "a")).isFalse();
        assertThat(podsByNode.containsKey("n1")).isTrue();
        assertThat(podsByNode.remove("n1", "b")).isTrue();
        assertThat(podsByNode.containsKey("n1")).isFalse();
        assertThat(podsByNode.isEmpty()).isTrue();
    }

    @Test
    void removingAnAbsentValueChangesNothing() {
        podsByNode.add("n1", "a");

        assertThat(podsByNode.remove("n1", "b")).isFalse();
        assertThat(podsByNode.remove("n2", "a")).isFalse();
        assertThat(podsByNode.get("n1")).containsExactly("a");
        assertThat(podsByNode.get("n2")).isEmpty();
        assertThat(podsByNode.keyCount()).isEqualTo(1);
    }

    @Test
    void valuesAreSortedOrInTheOrderOfAddition() {
        SetMultimap<String, String> added = SetMultimap.inOrderOfAddition();
        for (String pod : List.of("c", "a", "b", "a")) {
            podsByNode.add("n1", pod);
            added.add("n1", pod);
        }

        assertThat(podsByNode.get("n1")).containsExactly("a", "b", "c");
        assertThat(added.get("n1")).containsExactly("c", "a", "b");
    }

    @Test
    void removeAllReturnsTheValuesOfTheKey() {
        podsByNode.add("n1", "a");
        podsByNode.add("n2", "b");

        assertThat(podsByNode.removeAll("n1")).containsExactly("a");
        assertThat(podsByNode.removeAll("n1")).isEmpty();
        assertThat(podsByNode.valueSets()).hasSize(1);
    }
}
