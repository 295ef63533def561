package dev.berth.kubernetes.nomination;

import dev.berth.core.nomination.SetNominatedNode;
import dev.berth.kubernetes.effects.PodPatch;
import dev.berth.kubernetes.effects.WriteEncoders;
import dev.berth.kubernetes.effects.WriteRequest;
import dev.berth.kubernetes.json.JsonObject;

/** Encodes writes of {@code status.nominatedNodeName}. */
public final class NominatedNodeApi {
    private NominatedNodeApi() {}

    public static void addEncoders(WriteEncoders encoders) {
        encoders.register(SetNominatedNode.class, NominatedNodeApi::encode);
    }

    static WriteRequest encode(SetNominatedNode write) {
        Object node = write.node().isEmpty() ? JsonObject.NULL : write.node();
        return PodPatch.ofStatus(
                write.pod(), PodPatch.uidPrecondition(write.pod()).with(node, "status", "nominatedNodeName"));
    }
}
