/**
 * What a contract with an API server is written with: raw HTTP calls, watches, protobuf bodies, a
 * webhook server, and a namespace for every test. Nothing here knows which server it talks to.
 */
@NullMarked
package dev.berth.testkit.contract;

import org.jspecify.annotations.NullMarked;
