/** What tenants write on their pods, and nodes that are replaced while there is no Berth. */
@NullMarked
package dev.berth.app.pages.tenantannotations;

import org.jspecify.annotations.NullMarked;
