CREATE TABLE "webhook_handover" (
	"id" uuid PRIMARY KEY NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"deliveries" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhook_attempt" DROP CONSTRAINT "webhook_attempt_delivery_id_webhook_delivery_id_fk";
--> statement-breakpoint
ALTER TABLE "webhook_delivery" DROP CONSTRAINT "webhook_delivery_event_id_event_id_fk";
--> statement-breakpoint
ALTER TABLE "webhook_delivery" DROP CONSTRAINT "webhook_delivery_endpoint_id_webhook_endpoint_id_fk";
--> statement-breakpoint
CREATE INDEX "webhook_handover_lease" ON "webhook_handover" USING btree ("lease_until");