package dev.berth.sandbox.admission.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** Carries a review to a webhook and its answer back. Tests may answer in the process, on the same thread. */
@FunctionalInterface
public interface WebhookClient {

    /**
     * The AdmissionReview a webhook answers with.
     *
     * @throws IOException when there is no answer that could be read, with a message that says why
     */
    ObjectNode call(WebhookEndpoint address, ObjectNode review) throws IOException;
}
