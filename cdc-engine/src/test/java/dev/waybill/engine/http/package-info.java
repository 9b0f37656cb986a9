@NullMarked
package dev.waybill.engine.http;

import org.jspecify.annotations.NullMarked;
