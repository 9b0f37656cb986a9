/**
 * Reading a configuration file and the environment into typed values, with every mistake reported
 * at once.
 *
 * <p>What may be set is a declared list of {@link dev.waybill.engine.settings.Key keys}; nothing
 * else is accepted, so a typing error is found at the start and not in production. A value is
 * looked up in this order:
 *
 * <ol>
 *   <li>the environment: {@code source.on-unpublishable} is {@code
 *       WAYBILL_SOURCE_ON_UNPUBLISHABLE};
 *   <li>the YAML file;
 *   <li>the key's default.
 * </ol>
 *
 * <p>Values may contain <code>${NAME}</code>, <code>${NAME:default}</code> and <code>${file:/path}
 * </code>: an environment variable, or the content of a file without its last line break. What was
 * put in is not looked at again, so a password may contain any character.
 *
 * <p>SnakeYAML reads the file, down to its scalars and their lines; the rest is here. A general
 * configuration library was tried and changed values on the way: it read a password {@code yes} as
 * {@code true} and {@code a$$b} as {@code a$b}.
 */
@NullMarked
package dev.waybill.engine.settings;

import org.jspecify.annotations.NullMarked;
