/** What every command of Berth needs: messages for people, errors that they can fix, exit codes, an orderly end. */
@NullMarked
package dev.berth.app.cli;

import org.jspecify.annotations.NullMarked;
