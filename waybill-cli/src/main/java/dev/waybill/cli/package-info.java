/** The command line over engine and schema: {@code waybill run}, {@code schema}, {@code doctor}. */
@NullMarked
package dev.waybill.cli;

import org.jspecify.annotations.NullMarked;
