package dev.berth.embedded.admission.webhook;

import java.net.URI;
import java.time.Duration;

/**
 * Where a webhook listens.
 *
 * @param authorityPem whom to trust, as PEM text; empty for the authorities this Java trusts
 * @param timeout how long an answer may take
 */
public record WebhookAddress(URI url, String authorityPem, Duration timeout) {}
