package dev.berth.sandbox.admission.webhook;

import java.net.URI;
import java.time.Duration;

/**
 * Where a webhook listens.
 *
 * @param caBundlePem whom to trust, as PEM text; empty for the authorities this Java trusts
 * @param timeout how long an answer may take
 */
public record WebhookEndpoint(URI url, String caBundlePem, Duration timeout) {}
