/** The patch types of the API: JSON Patch (RFC 6902), JSON Merge Patch (RFC 7386) and Kubernetes' strategic merge patch. */
@NullMarked
package dev.berth.sandbox.patch;

import org.jspecify.annotations.NullMarked;
