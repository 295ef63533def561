package dev.berth.sandbox.admission.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** Sends a review to a webhook and returns the response. Tests may respond in the process, on the same thread. */
@FunctionalInterface
public interface WebhookClient {

    /**
     * The AdmissionReview a webhook answers with.
     *
     * @throws IOException when there is no readable response; the message says why
     */
    ObjectNode call(WebhookEndpoint address, ObjectNode review) throws IOException;
}
