/** What a request is about: resource, namespace, name and subresource. */
@NullMarked
package dev.berth.sandbox.endpoints.request;

import org.jspecify.annotations.NullMarked;
