/** Hooks of single kinds: IPs of Services, kinds of CustomResourceDefinitions, APIServices. */
@NullMarked
package dev.berth.sandbox.endpoints.hooks;

import org.jspecify.annotations.NullMarked;
