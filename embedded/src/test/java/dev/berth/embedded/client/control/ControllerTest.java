package dev.berth.embedded.client.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.transport.UnreachableException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ControllerTest {
    private Instant now = Instant.parse("2026-11-15T12:00:00Z");
    private final List<String> seen = new ArrayList<>();
    private final Map<String, RuntimeException> failures = new HashMap<>();
    private Optional<Instant> again = Optional.empty();

    private final Controller<String> controller = new Controller<>(
            new Reconciler<String>() {
                @Override
                public String name() {
                    return "test";
                }

                @Override
                public Optional<Instant> reconcile(String key) {
                    seen.add(key);
                    RuntimeException failure = failures.get(key);
                    if (failure != null) {
                        throw failure;
                    }
                    return again;
                }
            },
            () -> now);

    private void run() {
        assertThat(controller.step(1_000)).isIn(true, false);
    }

    @Test
    void aKeyThatWaitsTwiceIsLookedAtOnceAndInTurn() {
        controller.enqueue("b");
        controller.enqueue("a");
        controller.enqueue("b");
        run();
        assertThat(seen).containsExactly("b", "a");
        assertThat(controller.step()).isFalse();
    }

    @Test
    void aFailureIsTriedAgainEverLater() {
        failures.put("a", new UnreachableException("no answer", new IOException("no answer")));
        controller.enqueue("a");
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            run();
            Instant due = controller.nextDue().orElseThrow();
            waits.add(Duration.between(now, due).toMillis());
            now = due;
        }
        assertThat(waits).startsWith(5L, 10L, 20L, 40L).endsWith(30_000L);
        assertThat(waits).isSorted();
    }

    @Test
    void aSuccessForgetsTheFailuresBeforeIt() {
        failures.put("a", new ApiException(500, Json.object()));
        controller.enqueue("a");
        for (int i = 0; i < 5; i++) {
            run();
            now = controller.nextDue().orElseThrow();
        }
        failures.clear();
        run();
        assertThat(controller.nextDue()).isEmpty();
        failures.put("a", new ApiException(409, Json.object()));
        controller.enqueue("a");
        run();
        assertThat(controller.nextDue()).contains(now.plusMillis(5));
    }

    @Test
    void inANamespaceThatEndsNothingIsTriedAgain() {
        ObjectNode status = Json.object().put("code", 403).put("reason", "Forbidden");
        status.putObject("details").putArray("causes").addObject().put("reason", "NamespaceTerminating");
        failures.put("a", new ApiException(403, status));
        controller.enqueue("a");
        run();
        assertThat(controller.nextDue()).isEmpty();
    }

    @Test
    void anObjectThatMakesNoSenseIsLeftAloneUntilItChanges() {
        failures.put("a", new IllegalArgumentException("spec.strategy.type (Sideways) must be ..."));
        controller.enqueue("a");
        run();
        assertThat(controller.nextDue()).isEmpty();
    }

    @Test
    void aTimeToLookAgainIsKept() {
        again = Optional.of(now.plusSeconds(7));
        controller.enqueue("a");
        run();
        assertThat(controller.nextDue()).contains(now.plusSeconds(7));
        run();
        assertThat(seen).hasSize(1);
        now = now.plusSeconds(7);
        again = Optional.empty();
        run();
        assertThat(seen).hasSize(2);
    }

    @Test
    void ofSeveralTimesForOneKeyTheEarliestCounts() {
        controller.enqueueAt("a", now.plusSeconds(9));
        controller.enqueueAt("a", now.plusSeconds(3));
        controller.enqueueAt("a", now.plusSeconds(6));
        assertThat(controller.nextDue()).contains(now.plusSeconds(3));
        now = now.plusSeconds(10);
        run();
        assertThat(seen).containsExactly("a");
    }
}
