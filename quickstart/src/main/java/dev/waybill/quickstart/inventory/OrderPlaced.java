package dev.waybill.quickstart.inventory;

/** What this service needs to know of an order; members it does not name are passed over. */
record OrderPlaced(String product, int quantity) {}
