/** Which of several processes may promise anything: the holder of a Lease, for as long as it surely holds it. */
@NullMarked
package dev.berth.kubernetes.leaderelection;

import org.jspecify.annotations.NullMarked;
