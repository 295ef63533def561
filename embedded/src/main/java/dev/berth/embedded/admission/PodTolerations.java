package dev.berth.embedded.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.defaults.PodAdmission;
import dev.berth.embedded.store.ResourceId;

/** Lets pods outlive a short silence of their node. */
final class PodTolerations implements Admission {

    private static final ResourceId PODS = new ResourceId("", "pods");

    @Override
    public ObjectNode mutate(AdmissionRequest request) {
        ObjectNode object = request.theObject();
        if (request.resource().storage().equals(PODS) && request.subresource().isEmpty()) {
            PodAdmission.tolerateSilentNodes(object);
        }
        return object;
    }

    @Override
    public void validate(AdmissionRequest request) {}
}
