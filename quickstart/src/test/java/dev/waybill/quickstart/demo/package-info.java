@NullMarked
package dev.waybill.quickstart.demo;

import org.jspecify.annotations.NullMarked;
