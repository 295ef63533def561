/** Admission webhooks: which webhooks match a write, how they are called, and how their responses are applied. */
@NullMarked
package dev.berth.sandbox.admission.webhook;

import org.jspecify.annotations.NullMarked;
