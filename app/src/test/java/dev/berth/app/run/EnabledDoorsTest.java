package dev.berth.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.Config;
import dev.berth.core.hold.Origin.DoorId;
import dev.berth.core.ledger.Ledger;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EnabledDoorsTest {
    @ParameterizedTest
    @EnumSource(DoorId.class)
    void aDisabledDoorIsNotCreatedAndReadsNothing(DoorId name) {
        EnabledDoors all = enabledDoors(Set.of());
        EnabledDoors rest = enabledDoors(Set.of(name));
        assertThat(rest.all()).hasSize(all.all().size() - 1);
        assertThat(rest.informers().resources().size()
                        + rest.informers().nodeReaders().size())
                .isLessThan(all.informers().resources().size()
                        + all.informers().nodeReaders().size());
    }

    private static EnabledDoors enabledDoors(Set<DoorId> without) {
        Config config = Config.DEFAULT;
        return EnabledDoors.create(config.withDoors(config.doors().withDisabled(without)), new Ledger());
    }
}
