/**
 * Text for messages: {@link dev.berth.core.text.NameList} shortens lists of names, {@link dev.berth.core.text.ForeignText}
 * shortens text that other programs or users wrote.
 */
@NullMarked
package dev.berth.core.text;

import org.jspecify.annotations.NullMarked;
