package dev.berth.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.Config;
import dev.berth.app.config.DoorName;
import dev.berth.core.ledger.Ledger;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DoorsTest {
    @ParameterizedTest
    @EnumSource(DoorName.class)
    void aDoorThatIsLeftOutNeitherDecidesNorReads(DoorName name) {
        Doors all = open(Set.of());
        Doors rest = open(Set.of(name));
        assertThat(rest.all()).hasSize(all.all().size() - 1);
        assertThat(rest.feeds().objects().size() + rest.feeds().onNodes().size())
                .isLessThan(all.feeds().objects().size() + all.feeds().onNodes().size());
    }

    private static Doors open(Set<DoorName> without) {
        Config config = Config.DEFAULT;
        return Doors.open(config.withDoors(config.doors().without(without)), new Ledger());
    }
}
