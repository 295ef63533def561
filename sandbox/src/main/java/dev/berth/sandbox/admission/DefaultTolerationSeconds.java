package dev.berth.sandbox.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.defaulting.DefaultPodTolerations;
import dev.berth.sandbox.storage.GroupResource;

/** Adds tolerations for an unreachable node and a node that is not ready, for five minutes each. */
final class DefaultTolerationSeconds implements AdmissionPlugin {

    private static final GroupResource PODS = new GroupResource("", "pods");

    @Override
    public ObjectNode mutate(AdmissionRequest request) {
        ObjectNode object = request.requireObject();
        if (request.resource().storage().equals(PODS) && request.subresource().isEmpty()) {
            DefaultPodTolerations.addMissing(object);
        }
        return object;
    }

    @Override
    public void validate(AdmissionRequest request) {}
}
