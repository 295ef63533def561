/** Admission webhooks: which are asked about a write, how they are asked, and what becomes of their answers. */
@NullMarked
package dev.berth.sandbox.admission.webhook;

import org.jspecify.annotations.NullMarked;
