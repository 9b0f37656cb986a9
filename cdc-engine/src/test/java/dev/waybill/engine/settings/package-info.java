@NullMarked
package dev.waybill.engine.settings;

import org.jspecify.annotations.NullMarked;
