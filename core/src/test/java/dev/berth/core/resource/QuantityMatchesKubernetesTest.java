package dev.berth.core.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;

class QuantityMatchesKubernetesTest {
    @Test
    void quantitiesParseAndFormatAsInKubernetes() {
        List<String> lines = RecordedKubernetesResults.lines("quantities.txt");
        assertThat(lines).hasSizeGreaterThan(400);
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            if (words[1].equals("refused")) {
                assertThatExceptionOfType(MalformedQuantity.class).as(line).isThrownBy(() -> Quantity.parse(words[0]));
                continue;
            }
            Quantity quantity = Quantity.parse(words[0]);
            assertThat(quantity.toUnits()).as(line).isEqualTo(Long.parseLong(words[1]));
            assertThat(quantity.toMilli()).as(line).isEqualTo(Long.parseLong(words[2]));
            assertThat(quantity).as(line).hasToString(words[3]);
        }
    }
}
