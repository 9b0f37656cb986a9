/**
 * Two ends of the pipeline as users build them: an orders service that appends events in its own
 * transactions, and services downstream that keep a list of the effects events had.
 */
@NullMarked
package dev.waybill.it.service;

import org.jspecify.annotations.NullMarked;
