/**
 * Tools for contract tests of an API server: raw HTTP requests, watches, protobuf bodies, a webhook server, and a
 * namespace for every test. They work with any server.
 */
@NullMarked
package dev.berth.testkit.contract;

import org.jspecify.annotations.NullMarked;
