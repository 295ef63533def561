package dev.berth.sandbox.client.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.transport.UnreachableException;
import dev.berth.sandbox.unstructured.NestedFields;
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
            new KeyReconciler<String>() {
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
        assertThat(controller.stepAtMost(1_000)).isIn(true, false);
    }

    @Test
    void aKeyEnqueuedTwiceIsReconciledOnceAndInOrder() {
        controller.enqueue("b");
        controller.enqueue("a");
        controller.enqueue("b");
        run();
        assertThat(seen).containsExactly("b", "a");
        assertThat(controller.step()).isFalse();
    }

    @Test
    void failuresAreRetriedWithExponentialBackoff() {
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
    void aSuccessResetsTheBackoff() {
        failures.put("a", new ApiException(500, NestedFields.newObject()));
        controller.enqueue("a");
        for (int i = 0; i < 5; i++) {
            run();
            now = controller.nextDue().orElseThrow();
        }
        failures.clear();
        run();
        assertThat(controller.nextDue()).isEmpty();
        failures.put("a", new ApiException(409, NestedFields.newObject()));
        controller.enqueue("a");
        run();
        assertThat(controller.nextDue()).contains(now.plusMillis(5));
    }

    @Test
    void aFailureInATerminatingNamespaceIsNotRetried() {
        ObjectNode status = NestedFields.newObject().put("code", 403).put("reason", "Forbidden");
        status.putObject("details").putArray("causes").addObject().put("reason", "NamespaceTerminating");
        failures.put("a", new ApiException(403, status));
        controller.enqueue("a");
        run();
        assertThat(controller.nextDue()).isEmpty();
    }

    @Test
    void anInvalidObjectIsNotRetriedUntilItChanges() {
        failures.put("a", new IllegalArgumentException("spec.strategy.type (Sideways) must be ..."));
        controller.enqueue("a");
        run();
        assertThat(controller.nextDue()).isEmpty();
    }

    @Test
    void aRequeueTimeIsKept() {
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
    void theEarliestOfSeveralRequeueTimesCounts() {
        controller.enqueueAt("a", now.plusSeconds(9));
        controller.enqueueAt("a", now.plusSeconds(3));
        controller.enqueueAt("a", now.plusSeconds(6));
        assertThat(controller.nextDue()).contains(now.plusSeconds(3));
        now = now.plusSeconds(10);
        run();
        assertThat(seen).containsExactly("a");
    }
}
