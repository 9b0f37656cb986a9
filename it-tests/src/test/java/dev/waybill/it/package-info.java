/** Promises as suites: an abstract suite each, with a short subclass for each database. */
@NullMarked
package dev.waybill.it;

import org.jspecify.annotations.NullMarked;
