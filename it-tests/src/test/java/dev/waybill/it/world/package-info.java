/**
 * What a suite plays in: servers that all tests of a JVM share, and for each test a database, an
 * engine's name and topics of its own, so that tests neither meet nor need an order.
 */
@NullMarked
package dev.waybill.it.world;

import org.jspecify.annotations.NullMarked;
