/** Health and metrics over HTTP, for probes and scrapers. Knows nothing of the engine. */
@NullMarked
package dev.waybill.engine.http;

import org.jspecify.annotations.NullMarked;
