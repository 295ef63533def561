/** Elections with candidates that crash, lose their connection and have wrong clocks. */
@NullMarked
package dev.berth.kubernetes.election;

import org.jspecify.annotations.NullMarked;
