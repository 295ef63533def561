/**
 * The scheduler: applies facts to the ledger ({@code EventHandlers}), schedules pods ({@code Scheduler}) and binds them ({@code
 * BindingCycle}). What must be written is returned as effects.
 */
@NullMarked
package dev.berth.core.scheduling;

import org.jspecify.annotations.NullMarked;
