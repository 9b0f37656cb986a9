/** The same servers from container images, for {@code -Dwaybill.it=testcontainers}. */
@NullMarked
package dev.waybill.it.container;

import org.jspecify.annotations.NullMarked;
