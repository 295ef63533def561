package dev.berth.core.door.koordinator.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.resource.ResourceName;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IgnoredResourcesTest {
    @Test
    void extendedResourcesAreIgnoredByNameOrGroupAndOtherResourcesNever() {
        IgnoredResources ignored =
                new IgnoredResources(Set.of(new ResourceName("example.com/gpu")), Set.of("example.org"));
        assertThat(ignored.contains(new ResourceName("example.com/gpu"))).isTrue();
        assertThat(ignored.contains(new ResourceName("example.com/nic"))).isFalse();
        assertThat(ignored.contains(new ResourceName("example.org/nic"))).isTrue();
        assertThat(ignored.contains(ResourceName.CPU)).isFalse();
        assertThat(ignored.contains(new ResourceName("kubernetes.io/batch-cpu")))
                .isFalse();
        assertThat(IgnoredResources.NONE.contains(new ResourceName("example.com/gpu")))
                .isFalse();
    }
}
