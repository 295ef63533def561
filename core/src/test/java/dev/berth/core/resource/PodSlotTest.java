package dev.berth.core.resource;

import static dev.berth.core.testing.Amounts.amounts;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PodSlotTest {
    private final Resources requests = amounts("1 cpu");

    @Test
    void aPodTakesOneSlotInAdditionToItsRequests() {
        assertThat(PodSlot.addTo(requests)).isEqualTo(requests.with(ResourceName.PODS, 1));
        assertThat(PodSlot.removeFrom(PodSlot.addTo(requests)).hasSameNamesAndAmounts(requests))
                .isTrue();
    }

    @Test
    void aSizeWithSlotsStaysUnchanged() {
        assertThat(PodSlot.addIfAbsent(requests)).isEqualTo(PodSlot.addTo(requests));
        assertThat(PodSlot.addIfAbsent(requests.with(ResourceName.PODS, 3)).get(ResourceName.PODS))
                .isEqualTo(3);
        assertThat(PodSlot.addIfAbsent(requests.with(ResourceName.PODS, 0)).get(ResourceName.PODS))
                .isZero();
    }

    @Test
    void aSlotIsFreeWhereAtLeastOneIsLeft() {
        assertThat(PodSlot.isFreeIn(PodSlot.ONE)).isTrue();
        assertThat(PodSlot.isFreeIn(requests)).isFalse();
        assertThat(PodSlot.isFreeIn(requests.with(ResourceName.PODS, -1))).isFalse();
    }
}
