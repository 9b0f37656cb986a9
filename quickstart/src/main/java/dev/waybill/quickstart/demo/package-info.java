/** Everything at work on one machine: servers, engine and services, killed and started again. */
@NullMarked
package dev.waybill.quickstart.demo;

import org.jspecify.annotations.NullMarked;
