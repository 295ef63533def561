package dev.berth.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.time.ManualTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutageLogTest {
    private static final ListWatchFailure REFUSED =
            ListWatchFailure.serverUnavailable("cannot connect to https://here:6443: refused");
    private static final Duration RETRIED = Duration.ofMinutes(1);

    private final ManualTimer time = new ManualTimer();
    private final List<String> logged = new ArrayList<>();
    private final OutageLog log = new OutageLog(
            time, "here:6443", words -> logged.add("WARN " + words), words -> logged.add("INFO " + words));
    private final List<FakeListerWatcher> kinds =
            List.of(new FakeListerWatcher(), new FakeListerWatcher(), new FakeListerWatcher());

    @BeforeEach
    void startReflectors() {
        for (FakeListerWatcher kind : kinds) {
            new Reflector<>(
                            "kind-%d".formatted(kinds.indexOf(kind)),
                            kind,
                            new VerifyingEventHandler(),
                            new Reflector.Context(time, time, new Random(7), log),
                            ReflectorSettings.DEFAULT)
                    .start();
        }
        time.run();
        answer();
        time.advance(RETRIED);
    }

    @Test
    void anOutageLogsOneLineForAllKindsAndOneRecovery() {
        for (int i = 0; i < 5; i++) {
            kinds.forEach(kind -> kind.failWatches(REFUSED));
            time.advance(RETRIED);
        }
        assertThat(logged)
                .containsExactly("WARN API server here:6443 is unavailable: Berth cannot read 3 kinds and retries."
                        + " The error: cannot connect to https://here:6443: refused");
        answer();
        assertThat(logged).hasSize(2).last().isEqualTo("INFO API server here:6443 is available again for all kinds");
    }

    @Test
    void aFailureOfOneKindNamesTheKind() {
        kinds.get(1).failWatches(REFUSED);
        time.advance(OutageLog.GATHER_WINDOW);
        assertThat(logged).singleElement().asString().contains("cannot read 1 kind (kind-1)");
    }

    @Test
    void aConnectionThatIsReplacedImmediatelyIsNotReportedAsAnOutage() {
        kinds.forEach(kind -> kind.failWatches(REFUSED));
        time.advance(ReflectorSettings.DEFAULT.initialBackoff().multipliedBy(2));
        answer();
        time.advance(RETRIED);
        assertThat(logged).isEmpty();
    }

    @Test
    void anErrorOfOneKindIsNotPartOfTheOutage() {
        kinds.get(0).failWatches(ListWatchFailure.retryable("cannot watch kind-0: forbidden"));
        time.advance(OutageLog.GATHER_WINDOW);
        assertThat(logged).isEmpty();
    }

    private void answer() {
        kinds.forEach(FakeListerWatcher::deliver);
        time.run();
        kinds.forEach(FakeListerWatcher::deliver);
    }
}
