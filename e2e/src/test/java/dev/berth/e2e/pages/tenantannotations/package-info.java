/** What tenants write on their pods, and nodes that are replaced while there is no Berth. */
@NullMarked
package dev.berth.e2e.pages.tenantannotations;

import org.jspecify.annotations.NullMarked;
