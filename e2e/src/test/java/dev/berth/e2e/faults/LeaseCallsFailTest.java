package dev.berth.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.RestResponse;
import dev.berth.sandbox.http.RequestInterceptor;
import dev.berth.testkit.contract.Eventually;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The Lease is read, created and renewed, and each of that goes wrong at first. */
@Timeout(180)
class LeaseCallsFailTest {
    @ParameterizedTest
    @EnumSource
    void berthBecomesAndStaysLeaderWhenEachLeaseCallFailsOnce(Fault fault) throws Exception {
        FirstLeaseCallsFail meddler = new FirstLeaseCallsFail(fault);
        try (FaultyCluster cluster = new FaultyCluster(meddler, InstantSource.system())) {
            cluster.berth().awaitReady(2);
            cluster.create("p", "1");
            Eventually.holds(() -> assertThat(cluster.pods().get("p")).endsWith(" Running"));
            Eventually.holds(() -> assertThat(meddler.renewals.get()).isGreaterThan(2));

            assertThat(meddler.failed).contains("POST", "PUT");
            assertThat(cluster.berth().failure()).isNotDone();
            JsonNode lease = cluster.client()
                    .get(RestMapping.LEASES.object("kube-system", "berth"))
                    .path("spec");
            assertThat(lease.path("holderIdentity").asText()).isNotEmpty();
            assertThat(lease.path("leaseTransitions").asInt(-1)).isZero();
            cluster.assertLedgerEqualsFreshList();
        }
    }

    private static final class FirstLeaseCallsFail implements RequestInterceptor {
        private final Fault fault;
        private final Set<String> failed = new ConcurrentSkipListSet<>();
        private final AtomicInteger renewals = new AtomicInteger();

        private FirstLeaseCallsFail(Fault fault) {
            this.fault = fault;
        }

        @Override
        public Optional<RestResponse> intercept(RestRequest request, Function<RestRequest, RestResponse> server) {
            if (!request.path().contains("/namespaces/kube-system/leases") || !fault.appliesTo(request)) {
                return Optional.of(server.apply(request));
            }
            boolean first = request.header("user-agent").startsWith("berth") && failed.add(request.method());
            if (!first && request.method().equals("PUT")) {
                renewals.incrementAndGet();
            }
            return first ? fault.applyTo(request, server) : Optional.of(server.apply(request));
        }
    }
}
