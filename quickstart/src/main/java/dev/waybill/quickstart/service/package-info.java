/** What the three services share: where their servers are, and what they report. */
@NullMarked
package dev.waybill.quickstart.service;

import org.jspecify.annotations.NullMarked;
