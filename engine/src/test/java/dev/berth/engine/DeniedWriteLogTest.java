package dev.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.ReservationWrite;
import dev.berth.core.effect.Effect;
import dev.berth.core.hold.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A right that is missing is logged once for its kind of write, not once for each object. */
class DeniedWriteLogTest {
    private static final WriteResponse.Denied NO_STATUS =
            new WriteResponse.Denied("no right", "patch reservations/status");

    private final DeniedWriteLog denials = new DeniedWriteLog();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private record Write(String key) implements Effect.Write {
        @Override
        public Origin.DoorId component() {
            return Origin.DoorId.KOORDINATOR;
        }
    }

    private List<String> warnings() {
        return denials.pollWarnings(now).stream()
                .map(DeniedWriteLog.Warning::message)
                .toList();
    }

    @Test
    void deniedWritesOfOneKindAreLoggedAtOnceAndThenOnceAMinuteWithTheirNumber() {
        assertThat(warnings()).isEmpty();
        denials.add(new Write("reservation/0"), NO_STATUS);
        assertThat(warnings())
                .containsExactly(
                        "the API server denied patch reservations/status once, and Berth tries again; the last was"
                                + " reservation/0: no right");
        for (int i = 1; i <= 20; i++) {
            denials.add(new Write("reservation/" + i), NO_STATUS);
            assertThat(warnings()).isEmpty();
        }
        now = now.plus(Duration.ofMinutes(1));
        assertThat(warnings())
                .containsExactly(
                        "the API server denied patch reservations/status 20 times, and Berth tries again; the last"
                                + " was reservation/20: no right");
        now = now.plus(Duration.ofMinutes(1));
        assertThat(warnings()).as("nothing was denied since").isEmpty();
    }

    @Test
    void theLogNamesAReservationByItsName() {
        ReservationWrite write = new ReservationWrite.Delete("2f936d6f-47c9-4475-b1f4-cac44597e173", "demo");
        denials.add(write, NO_STATUS);
        assertThat(warnings())
                .containsExactly(
                        "the API server denied patch reservations/status once, and Berth tries again; the last was"
                                + " reservation/demo: no right");
        assertThat(denials.onWritten(write))
                .containsExactly("the API server accepts patch reservations/status again: it wrote reservation/demo");
    }

    @Test
    void eachKindOfWriteIsLogged() {
        denials.add(new Write("reservation/0"), NO_STATUS);
        denials.add(new Write("reservation/1"), new WriteResponse.Denied("no right", "delete reservations"));
        denials.add(new Write("reservation/2"), new WriteResponse.Denied("no right"));
        assertThat(warnings())
                .extracting(words -> words.substring(0, words.indexOf(" once")))
                .containsExactly(
                        "the API server denied a write of door koordinator",
                        "the API server denied delete reservations",
                        "the API server denied patch reservations/status");
    }

    private record Removal(String key) implements Effect.Write {
        @Override
        public Origin.DoorId component() {
            return Origin.DoorId.KOORDINATOR;
        }
    }

    @Test
    void aDeniedWriteThatIsWrittenLaterIsLoggedOnceAndTheDenialsBeforeItAreNot() {
        denials.add(new Write("reservation/0"), NO_STATUS);
        assertThat(warnings()).hasSize(1);
        denials.add(new Write("reservation/1"), NO_STATUS);
        denials.add(new Write("reservation/2"), NO_STATUS);
        assertThat(denials.onWritten(new Write("reservation/1")))
                .containsExactly("the API server accepts patch reservations/status again: it wrote reservation/1");
        assertThat(denials.onWritten(new Write("reservation/2")))
                .as("it is said once")
                .isEmpty();
        now = now.plus(Duration.ofMinutes(1));
        assertThat(warnings()).as("the denials are over").isEmpty();
        denials.add(new Write("reservation/3"), NO_STATUS);
        assertThat(warnings()).as("another denial").hasSize(1);
    }

    @Test
    void aSuccessfulWriteThatWasNeverDeniedLogsNothing() {
        denials.add(new Write("reservation/0"), NO_STATUS);
        assertThat(denials.onWritten(new Write("reservation/1")))
                .as("a webhook may deny one object")
                .isEmpty();
        assertThat(denials.onWritten(new Removal("reservation/0")))
                .as("another kind of write of the same object")
                .isEmpty();
        assertThat(warnings()).hasSize(1);
    }
}
