package dev.berth.sandbox.admission.webhook;

import java.net.URI;
import java.time.Duration;

/**
 * The endpoint of a webhook.
 *
 * @param caBundlePem the certificates to trust, as PEM text; empty for those that this Java runtime trusts
 * @param timeout how long the response may take
 */
public record WebhookEndpoint(URI url, String caBundlePem, Duration timeout) {}
