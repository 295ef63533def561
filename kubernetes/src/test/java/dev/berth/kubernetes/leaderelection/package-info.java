/** Elections with candidates that crash, lose their connection and have wrong clocks. */
@NullMarked
package dev.berth.kubernetes.leaderelection;

import org.jspecify.annotations.NullMarked;
