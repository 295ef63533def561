package dev.berth.kubernetes.leaderelection;

import dev.berth.kubernetes.api.ApiClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The holder of another program's Lease.
 *
 * @param identity the holderIdentity
 * @param renewTime the time of the last renewal, by the holder's clock
 * @param leaseDuration how long the renewal is valid
 */
public record LeaseHolder(String identity, Instant renewTime, Duration leaseDuration) {

    /** Empty if there is no such Lease, if it has no holder, or if it cannot be read. */
    public static CompletableFuture<Optional<LeaseHolder>> read(
            ApiClient client, String namespace, String name, Duration timeout) {
        String path = "/apis/coordination.k8s.io/v1/namespaces/%s/leases/%s".formatted(namespace, name);
        return client.get(path, "application/json", timeout)
                .handle((response, failure) ->
                        ApiLeaseStore.parseResult(response, failure) instanceof LeaseStore.LeaseResult.Found found
                                ? from(found.lease())
                                : Optional.empty());
    }

    private static Optional<LeaseHolder> from(Lease lease) {
        return lease.renewTime()
                .filter(renewTime -> !lease.holderIdentity().isEmpty())
                .map(renewTime -> new LeaseHolder(lease.holderIdentity(), renewTime, lease.leaseDuration()));
    }
}
