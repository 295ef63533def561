package dev.berth.kubernetes.nomination;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect.PodRef;
import dev.berth.core.nomination.SetNominatedNode;
import dev.berth.kubernetes.effects.WriteRequest;
import dev.berth.kubernetes.projection.WireObjects;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NominatedNodeApiTest {
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final PodRef VIP = new PodRef("shop", "vip", new PodUid("v-1"), "berth-scheduler");

    @Test
    void aNominationPatchHasTheUidOfThePodAsPrecondition() {
        WriteRequest request = NominatedNodeApi.encode(new SetNominatedNode(VIP, "node-1"));
        assertThat(line(request)).isEqualTo("PATCH /api/v1/namespaces/shop/pods/vip/status " + STRATEGIC);
        assertThat(body(request)).isEqualTo(WireObjects.yaml("""
                metadata: {uid: v-1}
                status: {nominatedNodeName: node-1}
                """));
    }

    @Test
    void aNominationIsClearedByPatchingNull() {
        WriteRequest request = NominatedNodeApi.encode(new SetNominatedNode(VIP, ""));
        assertThat(line(request)).isEqualTo("PATCH /api/v1/namespaces/shop/pods/vip/status " + STRATEGIC);
        assertThat(body(request)).isEqualTo(WireObjects.yaml("""
                metadata: {uid: v-1}
                status: {nominatedNodeName: null}
                """));
    }

    private static String line(WriteRequest request) {
        return "%s %s %s".formatted(request.method(), request.path(), request.contentType());
    }

    private static ObjectNode body(WriteRequest request) {
        return WireObjects.yaml(new String(request.body().toBytes(), StandardCharsets.UTF_8));
    }
}
