CREATE TABLE "event_audience" (
	"user_id" uuid NOT NULL,
	"tx" "xid8" NOT NULL,
	"seq" bigint NOT NULL,
	CONSTRAINT "event_audience_pk" PRIMARY KEY("user_id","tx","seq")
);
--> statement-breakpoint
ALTER TABLE "webhook_endpoint" DROP CONSTRAINT "webhook_endpoint_status";--> statement-breakpoint
ALTER TABLE "donation" ADD COLUMN "trace_parent" text;--> statement-breakpoint
ALTER TABLE "event" ADD COLUMN "trace_parent" text;--> statement-breakpoint
ALTER TABLE "event" ADD COLUMN "tx" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "event" ADD COLUMN "test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD COLUMN "schedule_attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD COLUMN "campaign_id" uuid;--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD COLUMN "event_seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoint" ADD COLUMN "signing" text DEFAULT 'hmac' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoint" ADD COLUMN "public_key" text;--> statement-breakpoint
ALTER TABLE "webhook_endpoint" ADD COLUMN "previous_secret_sealed" text;--> statement-breakpoint
ALTER TABLE "webhook_endpoint" ADD COLUMN "previous_secret_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_endpoint" ADD COLUMN "headers_sealed" text;--> statement-breakpoint
ALTER TABLE "webhook_endpoint" ADD COLUMN "rate_per_minute" integer;--> statement-breakpoint
ALTER TABLE "webhook_endpoint" ADD COLUMN "next_slot_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_endpoint" ADD COLUMN "ordered" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "event_unrelayed_campaign" ON "event" USING btree ("campaign_id","seq") WHERE "event"."relayed_at" is null;--> statement-breakpoint
CREATE INDEX "event_feed" ON "event" USING btree ("tx","seq");--> statement-breakpoint
CREATE INDEX "webhook_delivery_order" ON "webhook_delivery" USING btree ("endpoint_id","campaign_id","event_seq") WHERE "webhook_delivery"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_delivery_list" ON "webhook_delivery" USING btree ("endpoint_id","created_at","id");--> statement-breakpoint
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_signing" CHECK ("webhook_endpoint"."signing" in ('hmac','ed25519'));--> statement-breakpoint
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_status" CHECK ("webhook_endpoint"."status" in ('active','paused','disabled'));--> statement-breakpoint
-- What is under way goes on where it stands.
UPDATE webhook_delivery delivery
SET schedule_attempts = delivery.attempts, event_seq = event.seq, campaign_id = event.campaign_id
FROM event WHERE event.id = delivery.event_id;--> statement-breakpoint
-- Only a sandbox has sent any.
UPDATE event SET test = true WHERE body LIKE '%,"test":true,"data":{%';--> statement-breakpoint
INSERT INTO event_audience (user_id, tx, seq)
SELECT DISTINCT reader, event.tx, event.seq
FROM event CROSS JOIN LATERAL unnest(event.audience) AS reader WHERE NOT event.test;
