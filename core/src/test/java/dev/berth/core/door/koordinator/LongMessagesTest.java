package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A message that is longer than the limit of a condition is truncated and written once. */
class LongMessagesTest {
    private static final String LONG_TEXT = "x".repeat(40_000);

    private final KoordinatorScene cluster =
            new KoordinatorScene().upsert(aNode("n1").with("8 cpu", "16Gi memory"));

    /** The time of an attempt is part of a condition that is replaced. */
    private void assertNothingIsWrittenLater() {
        String version = cluster.getReservation("r").resourceVersion();
        cluster.advance(Duration.ofSeconds(10)).upsert(aNode("n1").with("9 cpu", "16Gi memory"));
        assertThat(cluster.getReservation("r").resourceVersion()).isEqualTo(version);
    }

    @Test
    void theMessageOfAMalformedReservationIsWrittenOnce() {
        cluster.createReservation(aReservation("r").malformed(LONG_TEXT));
        assertThat(cluster.status("r").unschedulableMessage()).startsWith("xxx").endsWith(" ...");
        String version = cluster.getReservation("r").resourceVersion();
        cluster.advance(Duration.ofSeconds(10)).restart();
        assertThat(cluster.getReservation("r").resourceVersion()).isEqualTo(version);
    }

    @Test
    void theMessageOfAPlacedReservationThatBecameMalformedIsWrittenOnce() {
        cluster.createReservation(aReservation("r").requesting("1 cpu"));
        cluster.edit(aReservation("r").requesting("1 cpu").malformedExceptTemplate(LONG_TEXT));
        assertThat(cluster.conditions("r")).contains("Ready=false/InvalidReservation");
        assertNothingIsWrittenLater();
    }

    @Test
    void theRecordOfTheSizeIsWrittenOnceEvenIfItIsTruncated() {
        String[] requests = IntStream.range(0, 300)
                .mapToObj(i -> "0 example.com/%s%d".formatted("r".repeat(200), i))
                .toArray(String[]::new);
        cluster.createReservation(aReservation("r").requesting(requests));
        assertThat(cluster.status("r").isAvailable()).isTrue();
        assertNothingIsWrittenLater();
    }
}
