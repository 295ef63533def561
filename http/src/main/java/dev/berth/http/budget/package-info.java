/** How much memory all requests together may take, whatever library reads them. */
@NullMarked
package dev.berth.http.budget;

import org.jspecify.annotations.NullMarked;
