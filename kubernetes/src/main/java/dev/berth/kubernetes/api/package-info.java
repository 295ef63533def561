/**
 * {@link dev.berth.kubernetes.api.ApiClient}: authenticated requests to an API server. {@link
 * dev.berth.kubernetes.api.Status} is the reason of a failed request.
 */
@NullMarked
package dev.berth.kubernetes.api;

import org.jspecify.annotations.NullMarked;
