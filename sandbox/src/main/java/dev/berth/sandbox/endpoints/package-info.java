/**
 * What is said to the API server and what it answers, free of how either travels: requests, answers, watches and the
 * Status objects of refusals.
 */
@NullMarked
package dev.berth.sandbox.endpoints;

import org.jspecify.annotations.NullMarked;
