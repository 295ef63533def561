package dev.berth.http.globalreserve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Pod;
import dev.berth.client.ReserveRequest;
import dev.berth.client.ReserveRequest.PodAssignment;
import dev.berth.client.ReserveResponse;
import dev.berth.core.door.globalreserve.ReserveService;
import dev.berth.engine.globalreserve.LocalReservePool;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The pool of the Java client in the process of the ledger. */
final class LocalReservePoolTest extends ReserveServiceContract {
    @Override
    ReserveService open(FakeReserveCluster opened) {
        return new ReservePoolService(new LocalReservePool(opened.pool()));
    }

    @Test
    void aMalformedRequestOfAResourceIsRejectedWithItsPodAndValue() throws Exception {
        Pod pod = Pod.of("default", "a", "uid-a").withRequest("cpu", "lots");

        ReserveResponse response = reserveOnAnyNode(pod);

        assertThat(response.requestValid()).isFalse();
        assertThat(response.error()).contains("Pod default/a: request of cpu", "lots");
    }

    @Test
    void aNegativeRequestOfAResourceIsRejectedWithItsPodAndValue() throws Exception {
        Pod pod = Pod.of("default", "a", "uid-a").withRequest("memory", "-1Gi");

        ReserveResponse response = reserveOnAnyNode(pod);

        assertThat(response.error()).isEqualTo("Pod default/a: request of memory (-1Gi) is negative");
    }

    /** The request is rejected before the service is called. */
    private static ReserveResponse reserveOnAnyNode(Pod pod) throws InterruptedException {
        ReserveService unused = new ReserveService() {
            @Override
            public dev.berth.core.door.globalreserve.ReserveResponse reserve(
                    dev.berth.core.door.globalreserve.ReserveRequest request) {
                throw new AssertionError("a malformed request reached the ledger: " + request);
            }

            @Override
            public dev.berth.core.door.globalreserve.ReserveResponse unreserve(
                    dev.berth.core.door.globalreserve.ReserveRequest request) {
                throw new AssertionError("a malformed request reached the ledger: " + request);
            }
        };
        return new LocalReservePool(unused).reserve(new ReserveRequest("batch", List.of(new PodAssignment(pod, "n1"))));
    }
}
