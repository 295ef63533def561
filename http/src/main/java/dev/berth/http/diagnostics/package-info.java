/** What people and machines that operate Berth ask it: whether it is well, and its metrics. */
@NullMarked
package dev.berth.http.diagnostics;

import org.jspecify.annotations.NullMarked;
