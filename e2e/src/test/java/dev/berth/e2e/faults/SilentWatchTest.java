package dev.berth.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.sandbox.endpoints.EncodedWatchEvent;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.RestResponse;
import dev.berth.sandbox.endpoints.WatchResponse;
import dev.berth.sandbox.http.RequestInterceptor;
import dev.berth.testkit.contract.Eventually;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A watch stays open and says nothing more, not even that nothing happened: Berth waits for 150 s before it doubts. */
@Tag("long")
@Timeout(400)
class SilentWatchTest {
    @Test
    void aSilentWatchIsDetectedAndNoPodIsMissed() throws Exception {
        FirstPodWatchIsSilent meddler = new FirstPodWatchIsSilent();
        try (FaultyCluster cluster = new FaultyCluster(meddler, InstantSource.system())) {
            cluster.berth().awaitReady(2);
            Eventually.holds(() -> assertThat(meddler.silenced.get()).isTrue());
            for (int i = 0; i < 10; i++) {
                cluster.create("p-" + i, "1");
            }
            withinMinutes(() -> assertThat(cluster.pods().values())
                    .filteredOn(place -> place.endsWith(" Running"))
                    .hasSize(10));
            Eventually.holds(() -> assertThat(cluster.berth().snapshot().facts().withoutConfirmed())
                    .isEqualTo(cluster.freshLedger().facts()));
        }
    }

    private static void withinMinutes(Runnable holds) {
        for (int tries = 1; ; tries++) {
            try {
                Eventually.holds(holds);
                return;
            } catch (AssertionError notYet) {
                if (tries == 6) {
                    throw notYet;
                }
            }
        }
    }

    private static final class FirstPodWatchIsSilent implements RequestInterceptor {
        private final AtomicBoolean silenced = new AtomicBoolean();

        @Override
        public Optional<RestResponse> intercept(RestRequest request, Function<RestRequest, RestResponse> server) {
            RestResponse response = server.apply(request);
            boolean podWatch = request.path().equals("/api/v1/pods") && response instanceof WatchResponse;
            return podWatch && silenced.compareAndSet(false, true)
                    ? Optional.of(new Silent((WatchResponse) response))
                    : Optional.of(response);
        }
    }

    private record Silent(WatchResponse stream) implements WatchResponse {
        @Override
        public List<EncodedWatchEvent> pull(int most) {
            return List.of();
        }

        @Override
        public void tick(Instant now) {}

        @Override
        public boolean isEnded() {
            return false;
        }

        @Override
        public boolean hasFallenBehind() {
            return false;
        }

        @Override
        public void onReady(Runnable listener) {}

        @Override
        public String contentType() {
            return stream.contentType();
        }

        @Override
        public List<String> warnings() {
            return stream.warnings();
        }

        @Override
        public void close() {
            stream.close();
        }
    }
}
